// Rule: a shadow is read and written only where an update runs: a null shadow with zero trips is legal. Without the rule
// (a sum for a fixed place kept in a register and stored back in any case) the program crashes.
// RUN: %numeric %s
#include "check.h"

static double weighted(const double *w, const double *x, int n) {
  double s = 1;
  for (int i = 0; i < n; i++) s += sin(s * *w) * x[i];
  return s;
}
static void scaled(double *y, const double *w, int n, int m) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) y[i] *= *w * y[i];
}
CHECK_BY_HAND(no_memory) {
  double *none = (double *)0, y[2] = {1, 2}, dy[2] = {3, 4};
  __pardiff_autodiff((void *)weighted, pardiff_dup, none, none, pardiff_dup, none, none, opaque(0));
  __pardiff_autodiff((void *)weighted, pardiff_dup, none, none, pardiff_dup, none, none, opaque(-3));
  __pardiff_autodiff((void *)scaled, pardiff_dup, y, dy, pardiff_dup, none, none, opaque(2), opaque(0));
  near("seed 0", dy[0], 3), near("seed 1", dy[1], 4);
  near("tangent", __pardiff_fwddiff((void *)weighted, pardiff_dup, none, none, pardiff_dup, none, none, opaque(0)), 0);
}
