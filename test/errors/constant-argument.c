// Active values that pass through an argument declared constant.
// RUN: not %pardiff-clang -O0 -gline-tables-only -c %s -o %t 2>&1 | FileCheck %s
// RUN: not %pardiff-clang -O2 -gline-tables-only -c %s -o %t 2>&1 | FileCheck %s
#include "pardiff.h"
static double f(const double *x, double *scratch, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
// CHECK: constant-argument.c:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}{{\[PD0015\]}}
    scratch[i] = x[i] * x[i];
  for (int i = 0; i < n; i++) s += scratch[i];
  return s;
}
void gradient(const double *x, double *dx, double *scratch, int n) {
  __pardiff_autodiff((void *)f, pardiff_dup, x, dx, pardiff_const, scratch, n);
}
// CHECK: error{{s?}} generated
