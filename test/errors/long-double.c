// long double.
// RUN: not %pardiff-clang -O0 -gline-tables-only -c %s -o %t 2>&1 | FileCheck %s
// RUN: not %pardiff-clang -O2 -gline-tables-only -c %s -o %t 2>&1 | FileCheck %s
#include "pardiff.h"
static double f(const double *x, int n) {
  long double s = 0;
  for (int i = 0; i < n; i++)
    s += (long double)x[i] * x[i];
  return (double)s;
}
void gradient(const double *x, double *dx, int n) {
  __pardiff_autodiff((void *)f, pardiff_dup, x, dx, n);
}
// CHECK: error: {{.*}}{{\[PD[0-9]+\]}}
// CHECK: error{{s?}} generated
