// Where an inner request fails, only that is reported, not the functions that contain it.
// RUN: not %pardiff-clang -gline-tables-only -c %s -o %t.o 2>&1 | FileCheck %s
// CHECK: inner-failure.c:11:{{.*}}'unknown' has no definition here
// CHECK-NOT: error:
// CHECK: 1 error generated.
#include <pardiff.h>
double unknown(double);
double second(double x);
double request(double x) { return __pardiff_autodiff((void *)second, x); }
double f(double x) {
  return unknown(x);
}
double first(double x) { return __pardiff_autodiff((void *)f, x); }
double second(double x) { return __pardiff_autodiff((void *)first, x); }
