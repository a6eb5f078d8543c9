// RUN: %numeric %s
// Integers, characters and flags as data beside the numbers.
#include "check.h"

static double f(const double *x, const unsigned char *kind, const short *weight, const _Bool *on, unsigned long n) {
  double s = 0;
  for (unsigned long i = 0; i < n; i++) {
    if (!on[i]) continue;
    if (kind[i] == 'a')
      s += weight[i] * x[i] * x[i];
    else
      s *= x[i] + kind[i] / 100;
  }
  return s;
}
CHECK_BY_HAND(kinds) {
  double x[5] = {1, 2, 3, 4, 5}, g[5] = {0};
  unsigned char kind[5] = "aabab";
  short weight[5] = {3, -1, 7, 7, 7};
  _Bool on[5] = {1, 1, 1, 0, 1};
  __pardiff_autodiff((void *)f, pardiff_dup, x, g, pardiff_const, kind, pardiff_const, weight, pardiff_const, on, 5L);
  // ((3 x0^2 - x1^2) x2) x4 with 98 / 100 = 0
  near("x0", g[0], 6 * 1 * 3 * 5), near("x1", g[1], -2 * 2 * 3 * 5), near("x2", g[2], (3 - 4) * 5);
  near("x3", g[3], 0), near("x4", g[4], (3 - 4) * 3);
}
