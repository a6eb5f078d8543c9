// Rule: an extent is computed before its outermost loop only where that is safe: a division that the program has behind a
// guard is not moved in front of it. What would need a tape of such a size is refused. Without the rule the programs below
// divide by 0 for step = 0 or k = 0, where they have nothing to divide.
// RUN: for level in -O0 -O2; do for form in UNSIGNED QUOTIENT; do \
// RUN:   not %pardiff-clang $level -gline-tables-only -D$form -c %s -o %t 2>&1 | FileCheck %s; done; done
// RUN: %numeric %s
#if defined UNSIGNED || defined QUOTIENT
#include "pardiff.h"
#include <math.h>
static double f(const double *x, int n, unsigned m, unsigned step, int k) {
  double s = 1;
  for (int i = 0; i < n; i++) {
// CHECK: extent-refused.c:{{.*}}: error: {{.*}}{{\[PD0008\]}}
#ifdef UNSIGNED
    if (step > 0)
      for (unsigned j = 0; j < m / step; j++) s = s * 0.5 + sin(s * x[j]);
#else
    if (k != 0)
      for (int j = 0; j < (int)m / k; j++) s = s * 0.5 + sin(s * x[j]);
#endif
  }
  return s;
}
void gradient(const double *x, double *dx, int n, unsigned m, unsigned step, int k) {
  __pardiff_autodiff((void *)f, pardiff_dup, x, dx, n, m, step, k);
}
// CHECK: error{{s?}} generated
#else
// Where nothing has to be kept, the division stays behind its guard.
#include "check.h"
static double strided(const double *x, int n, unsigned m, unsigned step, int k) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    if (step > 0)
      for (unsigned j = 0; j < m; j += step) s += x[j] * x[i];
    if (k != 0)
      for (int j = 0; j < (int)m / k; j++) s += x[j] * x[i];
    s += x[i];
  }
  return s;
}
CHECK_BY_HAND(division_by_zero) {
  double x[3] = {2, 3, 5}, g[3] = {0};
  __pardiff_autodiff((void *)strided, pardiff_dup, x, g, opaque(3), (unsigned)opaque(3), (unsigned)opaque(0), opaque(0));
  for (int i = 0; i < 3; i++) near("not divided", g[i], 1);
}
static double divided(double *x, int n) { return strided(x, n, n, 2, 3); }
CHECK_SCALAR_N(divided, DIFFERENCES, RANGE(6))
#endif
