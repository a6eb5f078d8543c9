// Without line tables the message points at the function.
// RUN: not %pardiff-clang -O2 -c %s -o %t 2>&1 | FileCheck %s
#include "pardiff.h"
double elsewhere(double);
// CHECK: without-debug-info.c:[[@LINE+1]]:{{[0-9]+}}: error: the function 'elsewhere' {{.*}}{{\[PD0004\]}}
double summed(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += elsewhere(x[i]);
  return s;
}
void gradient(const double *x, double *dx, int n) {
  __pardiff_autodiff((void *)summed, pardiff_dup, x, dx, n);
}
// CHECK: 1 error generated
