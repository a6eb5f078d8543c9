// Rule: in a reverse function of its own no memory counts as unchanged that the caller can write to between the sweeps.
// Without the rule a called function loads again what its caller has overwritten since.
// RUN: %numeric %s
#include "check.h"

static double step(double *x, int n) {
  if (n == 0) return x[0] * x[0] * x[1];
  double inner = step(x, n - 1);
  x[0] = inner * x[1];
  x[1] += 0.5 * x[0];
  return inner * x[0];
}
static double overwritten_by_the_caller(double *x, int n) {
  double y[2] = {x[0], x[1]};
  return step(y, n);
}
CHECK_SCALAR_N(overwritten_by_the_caller, DIFFERENCES, RANGE(3))
