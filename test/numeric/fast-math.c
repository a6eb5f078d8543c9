// RUN: %numeric %s
// FLAGS: -ffast-math
// -ffast-math: promises that no number is NaN or infinite do not carry over to derivative code.
#include "check.h"

static double guarded(double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += x[i] > 0 ? sqrt(x[i]) : 0;
  return s;
}
CHECK_BY_HAND(at_zero) {
  double x[4] = {4, 0, 1, 0}, g[4] = {0};
  __pardiff_autodiff((void *)guarded, pardiff_dup, x, g, opaque(4));
  near("sqrt 4", g[0], 0.25), near("sqrt 0", g[1], 0), near("sqrt 1", g[2], 0.5), near("sqrt 0", g[3], 0);
}
static double quotients(double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += exp(x[i]) / (1 + x[i] * s) + pow(x[i], 1.5);
  return s;
}
CHECK_SCALAR_N(quotients, DIFFERENCES, RANGE(7))
