// RUN: %numeric %s
// Several requests in one program: both modes of one function, different activities, from inside functions.
#include "check.h"

static double f(const double *x, const double *y, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += x[i] * sin(y[i]) * (s + 1);
  return s;
}
static void gradient(const double *x, double *gx, const double *y, double *gy, int n) {
  __pardiff_autodiff((void *)f, pardiff_dup, x, gx, pardiff_dup, y, gy, pardiff_const, n);
}
__attribute__((noinline)) static void gradient_x(const double *x, double *gx, const double *y, int n) {
  __pardiff_autodiff((void *)f, pardiff_dup, x, gx, pardiff_const, y, pardiff_const, n);
}
__attribute__((noinline)) static void gradient_y(const double *x, const double *y, double *gy, int n) {
  __pardiff_autodiff((void *)f, pardiff_const, x, pardiff_dup, y, gy, pardiff_const, n);
}
CHECK_BY_HAND(agree) {
  double x[4] = {0.3, 0.8, 0.5, 0.9}, y[4] = {1.1, 0.2, 0.7, 0.4};
  double gx[4] = {0}, gy[4] = {0}, hx[4] = {0}, hy[4] = {0};
  gradient(x, gx, y, gy, 4);
  gradient_x(x, hx, y, 4);
  gradient_y(x, y, hy, 4);
  for (int i = 0; i < 4; i++) {
    near("x alone", hx[i], gx[i]), near("y alone", hy[i], gy[i]);
    double dx[4] = {0}, dy[4] = {0};
    dx[i] = 1;
    near("forward x", __pardiff_fwddiff((void *)f, pardiff_dup, x, dx, pardiff_const, y, opaque(4)), gx[i]);
    dy[i] = 1;
    near("forward y", __pardiff_fwddiff((void *)f, pardiff_const, x, pardiff_dup, y, dy, opaque(4)), gy[i]);
  }
}
