// Rule: a bound of an inner loop that is left early is no extent of its slots; its iterations are counted. Without the rule the
// tape of the program below has 1000 rows of 2^31 - 1 numbers, and the program ends for want of memory.
// RUN: %numeric %s
#include "check.h"

static double solve(const double *x, int n, int most) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    double y = 1;
    for (int k = 0; k < most; k++) {
      double next = 0.5 * (y + x[i % 4] / y);
      if (fabs(next - y) < 1e-14) break;
      y = next;
    }
    s += y;
  }
  return s;
}
CHECK_BY_HAND(square_roots) {
  double x[4] = {0.3, 4, 2, 9}, g[4] = {0};
  __pardiff_autodiff((void *)solve, pardiff_dup, x, g, opaque(1000), opaque(2147483647));
  for (int i = 0; i < 4; i++) near("root", g[i], 250 * 0.5 / sqrt(x[i]));
}
