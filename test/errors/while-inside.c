// Values to keep in an inner loop that runs until a condition on the data.
// RUN: not %pardiff-clang -O0 -gline-tables-only -c %s -o %t 2>&1 | FileCheck %s
// RUN: not %pardiff-clang -O2 -gline-tables-only -c %s -o %t 2>&1 | FileCheck %s
#include "pardiff.h"
static double f(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    double t = x[i];
    while (t < 100)
      t = t * t + 1;
    s += t;
  }
  return s;
}
void gradient(const double *x, double *dx, int n) {
  __pardiff_autodiff((void *)f, pardiff_dup, x, dx, n);
}
// CHECK: error: {{.*}}loop in line 9 {{.*}}{{\[PD0008\]}}
// CHECK: error{{s?}} generated
