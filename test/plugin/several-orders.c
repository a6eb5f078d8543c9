// Derivatives of derivatives: an inner request is served before the function that contains it is differentiated, in
// whatever order they are written. Two requests for one function, one gradient.
// RUN: for level in -O0 -O2; do %pardiff-clang $level %s -o %t -lm && %t | FileCheck %s; done
#include <pardiff.h>
#include <stdio.h>
double third(double x);
double second(double x);
double first(double x);
double f(double x) { return x * x * x * x; }
int main(void) {
  // CHECK: 32 48 48 12
  printf("%g %g %g %g\n", first(2), second(2), third(2), __pardiff_autodiff((void *)third, 2.0) / 2);
  return 0;
}
double third(double x) { return __pardiff_fwddiff((void *)second, x, 1.0); }
double second(double x) { return __pardiff_autodiff((void *)first, x); }
double first(double x) { return __pardiff_autodiff((void *)f, x); }
