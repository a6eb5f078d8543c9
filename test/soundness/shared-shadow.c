// Rule: no noalias between two shadows: one shadow may stand for two arguments. Without the rule the optimiser keeps x[0]'s
// element of the shadow in a register for the length of the loop, over updates of it under y's name, and these are lost.
// RUN: %numeric %s
#include "check.h"

// What is written to z keeps x[0] from being loaded before the loop.
static double scaled(const double *x, const double *y, double *z, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    s += x[0] * y[i];
    z[i] = s;
  }
  return s;
}
CHECK_BY_HAND(one_shadow_for_two) {
  double x[1] = {2}, y[3] = {3, 4, 5}, z[3], dz[3] = {0}, g[3] = {0};
  __pardiff_autodiff((void *)scaled, pardiff_dup, x, g, pardiff_dup, y, g, pardiff_dup, z, dz, opaque(3));
  near("0", g[0], 3 + 4 + 5 + 2), near("1", g[1], 2), near("2", g[2], 2);
}
static double once(const double *x, const double *y) { return 2 * x[0] + 3 * y[0] + 5 * x[0]; }
CHECK_BY_HAND(without_a_loop) {
  double x[1] = {1}, y[1] = {3}, g = 0;
  __pardiff_autodiff((void *)once, pardiff_dup, x, &g, pardiff_dup, y, &g);
  near("sum", g, 10);
}
