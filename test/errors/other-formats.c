// Formats that are not supported: half and quadruple precision.
// RUN: not %pardiff-clang -O0 -gline-tables-only -c %s -o %t 2>&1 | FileCheck %s
// RUN: not %pardiff-clang -O2 -gline-tables-only -c %s -o %t 2>&1 | FileCheck %s
#include "pardiff.h"
static double quadruple(const double *x, int n) {
  __float128 s = 0;
  for (int i = 0; i < n; i++)
// CHECK-DAG: other-formats.c:[[@LINE+1]]:{{[0-9]+}}: error: arithmetic on 'fp128' has no derivative yet {{.*}}{{\[PD0009\]}}
    s += (__float128)x[i] * x[i];
  return (double)s;
}
static double half(const double *x, int n) {
  _Float16 s = 0;
  for (int i = 0; i < n; i++)
// CHECK-DAG: other-formats.c:[[@LINE+1]]:{{[0-9]+}}: error: arithmetic on 'half' has no derivative yet {{.*}}{{\[PD0009\]}}
    s = s + (_Float16)x[i] * (_Float16)x[i];
  return (double)s;
}
void gradient(const double *x, double *dx, int n) {
  __pardiff_autodiff((void *)quadruple, pardiff_dup, x, dx, n);
  __pardiff_autodiff((void *)half, pardiff_dup, x, dx, n);
}
