// RUN: %numeric %s
// Straight lines: every value used more than once, none of them kept.
#include "check.h"

static double f(double *x) {
  double a = x[0] * x[1];
  double b = a / x[2] - x[0];
  double c = b * b + a;
  return c * b - a / c;
}
CHECK_SCALAR(f, DIFFERENCES, POINT(1.3, 0.7, 2.1))

static double product(double *x) { return x[0] * x[1] * x[2]; }
static void want(const double *x, const double *w, double *g) {
  g[0] = x[1] * x[2];
  g[1] = x[0] * x[2];
  g[2] = x[0] * x[1];
}
CHECK_SCALAR(product, want, POINT(1.3, 0.7, 2.1))

static double unused_input(double *x) { return 3 * x[1]; }
static void want_unused(const double *x, const double *w, double *g) { g[0] = 0, g[1] = 3; }
CHECK_SCALAR(unused_input, want_unused, POINT(5.0, 6.0))
