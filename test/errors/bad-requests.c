// Requests that do not fit the function: all of them are reported in one compilation.
// RUN: not %pardiff-clang -O0 -gline-tables-only -c %s -o %t 2>&1 | FileCheck %s
// RUN: not %pardiff-clang -O2 -gline-tables-only -c %s -o %t 2>&1 | FileCheck %s
#include "pardiff.h"
struct three { double a, b, c; };
PARDIFF_AUTODIFF(struct three, three);
extern int pardiff_dupp;
static double square(double x) { return x * x; }
static double norm(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += x[i] * x[i];
  return s;
}
void requests(const double *x, double *dx) {
// CHECK: bad-requests.c:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}{{\[PD0001\]}}
  __pardiff_autodiff((void *)norm, pardiff_dup, x);
// CHECK: bad-requests.c:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}{{\[PD0001\]}}
  __pardiff_autodiff((void *)norm, pardiff_dup, x, dx);
// CHECK: bad-requests.c:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}{{\[PD0001\]}}
  __pardiff_autodiff((void *)norm, pardiff_dup, x, dx, 3, 4);
// CHECK: bad-requests.c:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}{{\[PD0001\]}}
  __pardiff_autodiff((void *)norm, pardiff_dupp, x, dx, 3);
// CHECK: bad-requests.c:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}{{\[PD0001\]}}
  __pardiff_autodiff((void *)norm, pardiff_out, x, 3);
// CHECK: bad-requests.c:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}{{\[PD0001\]}}
  __pardiff_fwddiff((void *)square, pardiff_out, 3.0);
// CHECK: bad-requests.c:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}{{\[PD0001\]}}
  __pardiff_autodiff_three((void *)square, 3.0);
}
// CHECK: 7 errors generated
