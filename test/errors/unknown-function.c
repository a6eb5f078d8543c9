// A function without a body here and without a rule.
// RUN: not %pardiff-clang -O0 -gline-tables-only -c %s -o %t 2>&1 | FileCheck %s
// RUN: not %pardiff-clang -O2 -gline-tables-only -c %s -o %t 2>&1 | FileCheck %s
#include "pardiff.h"
double elsewhere(double);
static double f(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
// CHECK: unknown-function.c:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}{{\[PD0004\]}}
    s += elsewhere(x[i]);
  return s;
}
void gradient(const double *x, double *dx, int n) {
  __pardiff_autodiff((void *)f, pardiff_dup, x, dx, n);
}
// CHECK: error{{s?}} generated
