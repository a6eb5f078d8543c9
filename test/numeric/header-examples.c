// RUN: %numeric %s
// The examples in pardiff.h give what it says.
#include "check.h"

static double square(double x) { return x * x; }
static double norm2(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += x[i] * x[i];
  return s;
}
static double dot(const double *w, const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += w[i] * x[i];
  return s;
}
static double ratio(double a, int k, double b) { return k * a / b; }
static void polar(const double *p, double *xy) {
  xy[0] = p[0] * cos(p[1]);
  xy[1] = p[0] * sin(p[1]);
}
static double product(double x, double y) { return x * y; }
struct pair { double da, db; };
PARDIFF_AUTODIFF(struct pair, pair);
static void norm2_gradient(const double *x, double *dx, int n) {
  __pardiff_autodiff((void *)norm2, pardiff_dup, x, dx, pardiff_const, n);
}

CHECK_BY_HAND(examples) {
  near("1", __pardiff_autodiff((void *)square, 3.0), 6);

  double x[3] = {1, 2, 3}, dx[3] = {0, 0, 0};
  __pardiff_autodiff((void *)norm2, pardiff_dup, x, dx, pardiff_const, 3);
  near("2", dx[0], 2), near("2", dx[1], 4), near("2", dx[2], 6);

  double w[3] = {4, 5, 6}, dw[3] = {0, 0, 0};
  __pardiff_autodiff((void *)dot, pardiff_dup, w, dw, pardiff_const, x, pardiff_const, 3);
  near("3", dw[0], 1), near("3", dw[1], 2), near("3", dw[2], 3);

  struct pair d = __pardiff_autodiff_pair((void *)ratio, pardiff_out, 1.0, pardiff_const, 2, pardiff_out, 4.0);
  near("4", d.da, 0.5), near("4", d.db, -0.125);

  double p[2] = {2, 0}, dp[2] = {0, 0}, xy[2], seed[2] = {1, 10};
  __pardiff_autodiff((void *)polar, pardiff_dup, p, dp, pardiff_dup, xy, seed);
  near("5", xy[0], 2), near("5", xy[1], 0), near("5", dp[0], 1), near("5", dp[1], 20);
  near("5", seed[0], 0), near("5", seed[1], 0);

  double again[2] = {1, 10};
  __pardiff_autodiff((void *)polar, pardiff_dup, p, dp, pardiff_dupnoneed, xy, again);
  near("6", dp[0], 2), near("6", dp[1], 40);

  near("7", __pardiff_fwddiff((void *)product, 3.0, 1.0, 5.0, 0.0), 5);
  double direction[2] = {0, 1}, txy[2];
  __pardiff_fwddiff((void *)polar, pardiff_dup, p, direction, pardiff_dup, xy, txy);
  near("7", txy[0], 0), near("7", txy[1], 2);

  norm2_gradient(x, dx, 3);
  near("8", dx[0], 4), near("8", dx[1], 8), near("8", dx[2], 12);
}
