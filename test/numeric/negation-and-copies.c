// RUN: %numeric %s
// Negation, copies, sums of one value with itself, results that are plain inputs or constants.
#include "check.h"

static double identity(double *x) { return x[0]; }
static void want_identity(const double *x, const double *w, double *g) { g[0] = 1, g[1] = 0; }
CHECK_SCALAR(identity, want_identity, POINT(3.0, 4.0))

static double constant(double *x) { return 5; }
static void want_constant(const double *x, const double *w, double *g) { g[0] = 0; }
CHECK_SCALAR(constant, want_constant, POINT(3.0))

static double twice(double *x) { return -(x[0] + x[0]) * -x[1] - -x[0]; }
static void want_twice(const double *x, const double *w, double *g) {
  g[0] = 2 * x[1] + 1;
  g[1] = 2 * x[0];
}
CHECK_SCALAR(twice, want_twice, POINT(3.0, 4.0))

static void copies(double *x, double *y, int n) {
  for (int i = 0; i < n; i++) y[i] = x[n - 1 - i];
  y[0] = y[1];
}
static void want_copies(const double *x, const double *w, double *g) {
  for (int i = 0; i < 6; i++) g[i] = w[5 - i];
  g[5] = 0;
  g[4] += w[0];
}
CHECK_VECTOR_N(copies, 6, want_copies, RANGE(6))

static void accumulated_division(double *x, double *y) {
  y[0] = x[0];
  y[0] /= x[1];
  y[0] -= x[2];
  y[0] *= y[0];
}
CHECK_VECTOR(accumulated_division, 1, DIFFERENCES, POINT(2.0, 3.0, 0.4))
