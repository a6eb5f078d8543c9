// Structs whose derivative cannot be passed or returned.
// RUN: not %pardiff-clang -O0 -gline-tables-only -c %s -o %t 2>&1 | FileCheck %s
// RUN: not %pardiff-clang -O2 -gline-tables-only -c %s -o %t 2>&1 | FileCheck %s
#include "pardiff.h"
struct half { float a; int n; };
struct list { double value; struct list *next; };
struct two { double a, b; };
struct half __pardiff_fwddiff_half(void *, ...);
double __pardiff_autodiff_number(void *, ...);

static struct half packed(double x) { return (struct half){(float)x, 3}; }
// CHECK-DAG: composite-results.c:[[@LINE+1]]:{{.*}} 'packed' returns active numbers as parts of an integer {{.*}}[PD0009]
struct half a(double x) { return __pardiff_fwddiff_half((void *)packed, x, 1.0); }

static double unpacked(struct half h) { return h.a * h.n; }
// CHECK-DAG: composite-results.c:[[@LINE+1]]:{{.*}} argument 1 of 'unpacked': a struct passed by value has a number and an integer in one register, {{.*}}[PD0002]
double b(struct half h) { return __pardiff_autodiff_number((void *)unpacked, h); }

static struct list linked(double x, struct list *l) { return (struct list){x, l}; }
// CHECK-DAG: composite-results.c:[[@LINE+1]]:{{.*}} 'linked' returns a struct with pointers in it, whose derivative in reverse mode is not supported yet; {{.*}}[PD0002]
double c(struct list *l, struct list *dl) { return __pardiff_autodiff_number((void *)linked, 1.0, l, dl); }

static struct two twice(double x) { return (struct two){x, x}; }
// CHECK-DAG: composite-results.c:[[@LINE+1]]:{{.*}} after the arguments of 'twice' and their shadows this call takes the seed of its result, then the tape [PD0001]
double d(void *tape) { return __pardiff_reverse((void *)twice, 1.0, tape); }
// CHECK-DAG: composite-results.c:[[@LINE+1]]:{{.*}} the seed of this call is not a struct like the function's result [PD0001]
double e(void *tape) { return __pardiff_reverse((void *)twice, 1.0, 1.0, tape); }
