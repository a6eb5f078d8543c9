// Active values kept in a global variable.
// RUN: not %pardiff-clang -O0 -gline-tables-only -c %s -o %t 2>&1 | FileCheck %s
// RUN: not %pardiff-clang -O2 -gline-tables-only -c %s -o %t 2>&1 | FileCheck %s
#include "pardiff.h"
double total;
static double f(const double *x, int n) {
  total = 0;
  for (int i = 0; i < n; i++)
    total += x[i] * x[i];
  return total;
}
void gradient(const double *x, double *dx, int n) {
  __pardiff_autodiff((void *)f, pardiff_dup, x, dx, n);
}
// CHECK: error: {{.*}}{{\[PD0012\]}}
// CHECK: error{{s?}} generated
