// A function that calls itself.
// RUN: not %pardiff-clang -O0 -gline-tables-only -c %s -o %t 2>&1 | FileCheck %s
// RUN: not %pardiff-clang -O2 -gline-tables-only -c %s -o %t 2>&1 | FileCheck %s
#include "pardiff.h"
static double f(const double *x, int n) {
  if (n == 0) return 1;
// CHECK: recursion.c:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}{{\[PD0005\]}}
  return x[0] * f(x + 1, n - 1);
}
void gradient(const double *x, double *dx, int n) {
  __pardiff_autodiff((void *)f, pardiff_dup, x, dx, n);
}
// CHECK: error{{s?}} generated
