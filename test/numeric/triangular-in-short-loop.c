// RUN: %numeric %s
// A triangular nest below a loop that is left early, whose bounds are compared with each other.
#include "check.h"

static double inner(double *p, double a) { return p[0] = 0.5 * a * a; }
static double left_early(double *x, int n) {
  double own[8] = {0.25, -0.5}, *from = x, *to = own, s = 0;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++)
      for (int k = 0; k < j; k++) s += inner(to, from[k] * x[j]) * s * 0.1 + to[0];
    if ((2 * i + 1) % 8 % 3 == 0) break;
    double *old = from;
    from = to, to = old;
  }
  return s;
}
CHECK_SCALAR_N(left_early, DIFFERENCES, RANGE(5))
