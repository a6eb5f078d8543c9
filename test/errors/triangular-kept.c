// Values to keep in a loop whose extent depends on an outer iteration.
// RUN: not %pardiff-clang -O0 -gline-tables-only -c %s -o %t 2>&1 | FileCheck %s
// RUN: not %pardiff-clang -O2 -gline-tables-only -c %s -o %t 2>&1 | FileCheck %s
#include "pardiff.h"
static double f(const double *x, int n) {
  double s = 1;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++)
      s = s * s * x[j] + x[i];
  return s;
}
void gradient(const double *x, double *dx, int n) {
  __pardiff_autodiff((void *)f, pardiff_dup, x, dx, n);
}
// CHECK: error: {{.*}}loop in line 8 {{.*}}{{\[PD0008\]}}
// CHECK: error{{s?}} generated
