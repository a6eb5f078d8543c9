// RUN: %numeric %s
// Results whose value is not wanted: the derivative is the same.
#include "check.h"

static void f(const double *x, double *y) {
  y[0] = x[0] * x[1];
  y[1] = exp(x[0]) + y[0];
  y[2] = y[1] * x[1];
}
static void squares(const double *x, double *y, int n) {
  for (int i = 0; i < n; i++) y[i] = x[i] * x[i];
  for (int i = 0; i < n; i++) y[i] *= y[i];
}
CHECK_BY_HAND(three_results) {
  double x[2] = {0.5, 1.5}, g[2] = {0}, y[3] = {0}, seed[3] = {1, -2, 3};
  __pardiff_autodiff((void *)f, pardiff_dup, x, g, pardiff_dupnoneed, y, seed);
  double a = x[0], b = x[1], e = exp(a);
  near("d/da", g[0], b - 2 * (e + b) + 3 * b * (e + b));
  near("d/db", g[1], a - 2 * a + 3 * (e + a * b + a * b));
  for (int i = 0; i < 3; i++) near("seed", seed[i], 0);
}
CHECK_BY_HAND(loop) {
  double x[5] = {1, 2, 3, 4, 5}, g[5] = {0}, y[5] = {0}, seed[5] = {1, 1, 1, 1, 2};
  __pardiff_autodiff((void *)squares, pardiff_dup, x, g, pardiff_dupnoneed, y, seed, opaque(5));
  for (int i = 0; i < 5; i++) near("4 x^3", g[i], 4 * x[i] * x[i] * x[i] * (i == 4 ? 2 : 1));
}
CHECK_BY_HAND(forward) {
  double x[2] = {0.5, 1.5}, d[2] = {1, 0}, y[3] = {0}, t[3] = {0};
  __pardiff_fwddiff((void *)f, pardiff_dup, x, d, pardiff_dupnoneed, y, t);
  near("t0", t[0], 1.5), near("t1", t[1], exp(0.5) + 1.5), near("t2", t[2], 1.5 * (exp(0.5) + 1.5));
}
