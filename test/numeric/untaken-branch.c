// RUN: %numeric %s
// A branch that is not taken contributes nothing, even where its derivative is infinite.
#include "check.h"

static double guarded_sqrt(double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += x[i] > 0 ? sqrt(x[i]) : 0;
  return s;
}
static double guarded_quotient(double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    if (x[i] != 0) s += log(x[i]) / x[i];
  return s;
}
CHECK_BY_HAND(at_zero) {
  double x[3] = {4, 0, 1}, g[3] = {0}, h[3] = {0};
  __pardiff_autodiff((void *)guarded_sqrt, pardiff_dup, x, g, opaque(3));
  near("sqrt 4", g[0], 0.25), near("sqrt 0", g[1], 0), near("sqrt 1", g[2], 0.5);
  __pardiff_autodiff((void *)guarded_quotient, pardiff_dup, x, h, opaque(3));
  near("4", h[0], (1 - log(4.0)) / 16), near("0", h[1], 0), near("1", h[2], 1);
  double d[3] = {1, 1, 1};
  near("forward", __pardiff_fwddiff((void *)guarded_sqrt, pardiff_dup, x, d, opaque(3)), 0.75);
}
CHECK_SCALAR_N(guarded_sqrt, DIFFERENCES, RANGE(5))
CHECK_SCALAR_N(guarded_quotient, DIFFERENCES, RANGE(5))
