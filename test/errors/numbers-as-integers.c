// Numbers whose bits go through integers, in unions or in memory declared as integers: refused at every place where an
// integer moves them, in calls that stay calls too, never taken for constants.
// RUN: not %pardiff-clang -O0 -ferror-limit=0 -gline-tables-only -c %s -o %t 2>&1 | FileCheck %s
// RUN: not %pardiff-clang -O2 -ferror-limit=0 -gline-tables-only -c %s -o %t 2>&1 | FileCheck %s
#include "pardiff.h"
#include <stdlib.h>
#include <string.h>
#define GRADIENT(f) void f##_gradient(double *x, double *dx, int n) { __pardiff_autodiff((void *)f, pardiff_dup, x, dx, n); }
union fi { float f; int i; };
// CHECK: numbers-as-integers.c:[[@LINE+1]]:{{.*}}{{\[PD00(09|10)\]}}
static double logs(double *x, int n) { union fi u[8]; double s = 0; for (int i = 0; i < n; i++) u[i].f = x[i]; for (int i = 0; i < n; i++) s += u[i].i * 1e-7; return s; }
GRADIENT(logs)
union di { double d; long i; };
// CHECK: numbers-as-integers.c:[[@LINE+1]]:{{.*}}{{\[PD00(09|10)\]}}
static double absolute(double *x, int n) { union di u[8]; double s = 0; for (int i = 0; i < n; i++) u[i].d = x[i] - 1; for (int i = 0; i < n; i++) u[i].i &= 0x7fffffffffffffff; for (int i = 0; i < n; i++) s += u[i].d * u[i].d; return s; }
GRADIENT(absolute)
// CHECK: numbers-as-integers.c:[[@LINE+1]]:{{.*}}{{\[PD00(09|10)\]}}
static double move(double *x, int n) { union di u[8]; long m[8]; double s = 0; for (int i = 0; i < n; i++) u[i].d = x[i] * x[i]; for (int i = 0; i < n; i++) m[i] = u[i].i; for (int i = 0; i < n; i++) u[i].i = m[n - 1 - i]; for (int i = 0; i < n; i++) s += u[i].d * (i + 1); return s; }
GRADIENT(move)
static union di gu[8];
// CHECK: numbers-as-integers.c:[[@LINE+1]]:{{.*}}{{\[PD00(09|10)\]}}
static double global(double *x, int n) { double s = 0; for (int i = 0; i < n; i++) gu[i].d = x[i] * x[i]; for (int i = 0; i < n / 2; i++) { long k = gu[i].i; gu[n - 1 - i].i = k; } for (int i = 0; i < n; i++) s += gu[i].d; return s; }
GRADIENT(global)
static long store[8];
// CHECK: numbers-as-integers.c:[[@LINE+1]]:{{.*}}{{\[PD00(09|10)\]}}
static double assigned(double *x, int n) { double s = 0, y[8], z[8]; for (int i = 0; i < n; i++) y[i] = x[i] * x[i]; for (int i = 0; i < n; i++) store[i] = ((long *)y)[i]; for (int i = 0; i < n; i++) ((long *)z)[i] = store[(i + 1) % n]; for (int i = 0; i < n; i++) s += z[i] * (i + 1); return s; }
GRADIENT(assigned)
// CHECK: numbers-as-integers.c:[[@LINE+1]]:{{.*}}{{\[PD00(09|10)\]}}
static double statics(double *x, int n) { double y[8], s = 0; for (int i = 0; i < n; i++) y[i] = x[i] * x[i]; memcpy(store, y, n * sizeof(double)); for (int i = 0; i < n / 2; i++) { long k = store[i]; store[i] = store[n - 1 - i]; store[n - 1 - i] = k; } double z[8]; memcpy(z, store, n * sizeof(double)); for (int i = 0; i < n; i++) s += z[i] * (i + 1); return s; }
GRADIENT(statics)
struct longs { long a, b; };
// CHECK: numbers-as-integers.c:[[@LINE+1]]:{{.*}}{{\[PD00(09|10)\]}}
static double structs(double *x, int n) { struct longs l[4], m[4]; double s = 0; for (int i = 0; i < 4; i++) { double y = x[i] * x[i]; memcpy(&l[i].a, &y, 8); l[i].b = i; } for (int i = 0; i < 4; i++) m[i] = l[3 - i]; for (int i = 0; i < 4; i++) { double y; memcpy(&y, &m[i].a, 8); s += y * m[i].b; } return s; }
GRADIENT(structs)
// CHECK: numbers-as-integers.c:[[@LINE+1]]:{{.*}}{{\[PD00(09|10)\]}}
static double structs2(double *x, int n) { struct longs *l = malloc(4 * sizeof *l); double s = 0; for (int i = 0; i < 4; i++) { double y = x[i] * x[i]; memcpy(&l[i].a, &y, 8); l[i].b = i; } for (int i = 0; i < 2; i++) { long t = l[i].a; l[i].a = l[3 - i].a; l[3 - i].a = t; } for (int i = 0; i < 4; i++) { double y; memcpy(&y, &l[i].a, 8); s += y * l[i].b; } free(l); return s; }
GRADIENT(structs2)
static struct longs gl[4];
// CHECK: numbers-as-integers.c:[[@LINE+1]]:{{.*}}{{\[PD00(09|10)\]}}
static double structs3(double *x, int n) { double s = 0; for (int i = 0; i < 4; i++) { double y = x[i] * x[i]; memcpy(&gl[i].a, &y, 8); gl[i].b = i; } for (int i = 0; i < 2; i++) { struct longs t = gl[i]; gl[i] = gl[3 - i]; gl[3 - i] = t; } for (int i = 0; i < 4; i++) { double y; memcpy(&y, &gl[i].a, 8); s += y * gl[i].b; } return s; }
GRADIENT(structs3)
static void turn(struct longs *l, int n) { if (n < 2) return; struct longs t = l[0]; l[0] = l[n - 1]; l[n - 1] = t; turn(l + 1, n - 2); }
// CHECK: numbers-as-integers.c:[[@LINE+1]]:{{.*}}{{\[PD00(09|10)\]}}
static double structs4(double *x, int n) { struct longs l[4]; double s = 0; for (int i = 0; i < 4; i++) { double y = x[i] * x[i]; memcpy(&l[i].a, &y, 8); l[i].b = i; } turn(l, 4); for (int i = 0; i < 4; i++) { double y; memcpy(&y, &l[i].a, 8); s += y * (l[i].b + 1); } return s; }
GRADIENT(structs4)
// CHECK: numbers-as-integers.c:[[@LINE+1]]:{{.*}}{{\[PD00(09|10)\]}}
static double bytes(double *x, int n) { struct longs l[4]; double s = 0; for (int i = 0; i < 8; i++) memcpy((char *)l + 8 * i, (char *)(x + i), 8); for (int i = 0; i < 3; i++) { long t = l[i].a; l[i].a = l[i + 1].b; l[i + 1].b = t; } for (int i = 0; i < 8; i++) { double y; memcpy(&y, (char *)l + 8 * i, 8); s += y * y * (i + 1); } return s; }
GRADIENT(bytes)
// CHECK: errors generated
