// RUN: %numeric %s
// Outermost loops whose trip count depends on data, counted as they run.
#include "check.h"

static double newton_sqrt(double *x) {
  double y = 1, before = 0;
  while (fabs(y - before) > 1e-14) {
    before = y;
    y = 0.5 * (y + x[0] / y);
  }
  return y * x[1];
}
static void want_sqrt(const double *x, const double *w, double *g) {
  g[0] = 0.5 * x[1] / sqrt(x[0]);
  g[1] = sqrt(x[0]);
}
CHECK_SCALAR(newton_sqrt, want_sqrt, POINT(2.3, 0.7))

static double halve(double *x, int n) {
  double s = x[0] * 40, t = 0;
  while (s > 1.05) {
    t += s * x[1];
    s *= 0.5 + 0.1 * sin(x[2]);
  }
  return t + s;
}
CHECK_SCALAR_N(halve, DIFFERENCES, POINT(1.1, 0.8, 0.5))

static double inner_counted(double *x, int n) {
  double s = 0.1;
  while (s < 30) {
    double t = 0;
    for (int j = 0; j < n; j++) t += sin(x[j] * s * 0.3) * x[j];
    s = s * 1.7 + 0.1 * t * t;
  }
  return s;
}
CHECK_SCALAR_N(inner_counted, DIFFERENCES, POINT(0.6, 0.3, 0.9, 0.4))

static double integer_chain(double *x, int n) {
  double s = 1;
  for (int k = 27; k != 1; k = k % 2 ? 3 * k + 1 : k / 2) s = s * 0.9 + x[k % n] * sin(s);
  return s;
}
CHECK_SCALAR_N(integer_chain, DIFFERENCES, RANGE(5))

static double do_while(double *x) {
  double y = x[0];
  do {
    y = y * x[1] + 0.1;
  } while (y < 5);
  return y * y;
}
CHECK_SCALAR(do_while, DIFFERENCES, POINT(0.5, 1.3))
