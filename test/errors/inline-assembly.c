// Inline assembly on active values.
// RUN: not %pardiff-clang -O0 -gline-tables-only -c %s -o %t 2>&1 | FileCheck %s
// RUN: not %pardiff-clang -O2 -gline-tables-only -c %s -o %t 2>&1 | FileCheck %s
#include "pardiff.h"
static double f(const double *x, int n) {
  double s = x[0] * n;
// CHECK: inline-assembly.c:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}{{\[PD0009\]}}
  __asm__("" : "+x"(s));
  return s * x[1];
}
void gradient(const double *x, double *dx, int n) {
  __pardiff_autodiff((void *)f, pardiff_dup, x, dx, n);
}
// CHECK: error{{s?}} generated
