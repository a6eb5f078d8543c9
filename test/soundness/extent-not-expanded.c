// Rule: an extent is expanded, before its outermost loop, only where expansion is safe: a division that the program has
// behind a guard is not moved in front of it. Without the rule a loop that is not entered divides by 0.
// RUN: %numeric %s
#include "check.h"

static double strided(const double *x, int n, unsigned m, unsigned step) {
  double s = 1;
  for (int i = 0; i < n; i++) {
    if (step > 0)
      for (unsigned j = 0; j < m; j += step) s += x[j] * x[i];
    s += x[i];
  }
  return s;
}
static double divided(const double *x, int n, int m, int k) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    if (k != 0)
      for (int j = 0; j < m / k; j++) s += x[j] * x[i];
    s += x[i];
  }
  return s;
}
CHECK_BY_HAND(division_by_zero) {
  double x[3] = {2, 3, 5}, g[3] = {0}, h[3] = {0};
  __pardiff_autodiff((void *)strided, pardiff_dup, x, g, opaque(3), (unsigned)opaque(3), (unsigned)opaque(0));
  __pardiff_autodiff((void *)divided, pardiff_dup, x, h, opaque(3), opaque(3), opaque(0));
  for (int i = 0; i < 3; i++) near("strided", g[i], 1), near("divided", h[i], 1);
}
static double by_two(double *x, int n) { return strided(x, n, n, 2) + divided(x, n, 2 * n, 2); }
CHECK_SCALAR_N(by_two, DIFFERENCES, RANGE(5))

// Where a value must be kept, the tape's size would need the division: no room is made by guessing. See
// extent-refused.c.
