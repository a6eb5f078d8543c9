// Rule: no noalias between two shadows: one shadow may stand for two arguments. Without the rule the optimiser keeps an
// element of the shadow in a register over an update through the other name, and one of the two is lost.
// RUN: %numeric %s
#include "check.h"

static double alternating(const double *x, const double *y, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += 2 * x[0] * y[i] + 3 * y[0] * x[i];
  return s;
}
static double one_each(const double *x, const double *y) { return 2 * x[0] + 3 * y[0] + 5 * x[0]; }
CHECK_BY_HAND(one_shadow_for_two) {
  double x[2] = {1, 2}, y[2] = {3, 4}, g[2] = {0, 0};
  __pardiff_autodiff((void *)alternating, pardiff_dup, x, g, pardiff_dup, y, g, opaque(2));
  // s = 5 x0 y0 + 2 x0 y1 + 3 y0 x1
  near("0", g[0], (5 * 3 + 2 * 4) + (5 * 1 + 3 * 2)), near("1", g[1], 3 * 3 + 2 * 1);
  double h = 0;
  __pardiff_autodiff((void *)one_each, pardiff_dup, x, &h, pardiff_dup, y, &h);
  near("sum", h, 10);
}
