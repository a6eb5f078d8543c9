// Rule: an extent is computed before its outermost loop only where that is safe: a division that the program has behind a
// guard is not moved in front of it; the iterations of such a loop are counted when it is entered. Without the rule the programs
// below divide by 0 for step = 0 or k = 0, where they have nothing to divide.
// RUN: %numeric %s
#include "check.h"

static double strided(const double *x, int n, unsigned m, unsigned step, int k) {
  double s = 1;
  for (int i = 0; i < n; i++) {
    if (step > 0)
      for (unsigned j = 0; j < m / step; j++) s = s * 0.5 + sin(s * x[j]);
    if (step > 0)
      for (unsigned j = 0; j < m; j += step) s = s * 0.5 + sin(s * x[j]);
    if (k != 0)
      for (int j = 0; j < (int)m / k; j++) s = s * 0.5 + sin(s * x[j]);
    s *= x[i];
  }
  return s;
}
CHECK_BY_HAND(division_by_zero) {
  double x[3] = {2, 3, 5}, g[3] = {0};
  __pardiff_autodiff((void *)strided, pardiff_dup, x, g, opaque(3), (unsigned)opaque(3), (unsigned)opaque(0), opaque(0));
  near("0", g[0], 15), near("1", g[1], 10), near("2", g[2], 6);
}
static double divided(double *x, int n) { return strided(x, n, (unsigned)n, 2, 3); }
CHECK_SCALAR_N(divided, DIFFERENCES, RANGE(6))
