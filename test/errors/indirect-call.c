// A call through a pointer that is not known at compile time.
// RUN: not %pardiff-clang -O0 -gline-tables-only -c %s -o %t 2>&1 | FileCheck %s
// RUN: not %pardiff-clang -O2 -gline-tables-only -c %s -o %t 2>&1 | FileCheck %s
#include "pardiff.h"
double (*chosen)(double);
static double f(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
// CHECK: indirect-call.c:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}{{\[PD0006\]}}
    s += chosen(x[i]);
  return s;
}
void gradient(const double *x, double *dx, int n) {
  __pardiff_autodiff((void *)f, pardiff_dup, x, dx, n);
}
// CHECK: error{{s?}} generated
