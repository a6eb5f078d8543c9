// RUN: %numeric %s
// Functions of math.h with several results or of old: sincos, significand, scalb, drem, Bessel functions.
#define _GNU_SOURCE
#include "check.h"

static double both(double *x, int n) {
  double s, c, r = 0;
  for (int i = 0; i < n; i++) {
    sincos(x[i] * x[0], &s, &c);
    r += s * c * x[i] + s;
  }
  return r;
}
CHECK_SCALAR_N(both, DIFFERENCES, RANGE(5))

static double into_array(double *x) {
  double a[4];
  sincos(x[0], a, a + 1), sincos(a[0], a + 2, a + 3);
  return a[0] * a[1] + a[2] * a[3];
}
CHECK_SCALAR(into_array, DIFFERENCES, RANGE(1))

static float single_both(float *x, int n) {
  float s, c;
  sincosf(x[0], &s, &c);
  return s * x[1] + c * x[2] * n;
}
CHECK_FLOAT_N(single_both, DIFFERENCES, RANGE(3))

static double parts(double *x) {
  return significand(x[0] * 20) * x[1] + scalb(x[1], 3.0) * x[0] + scalb(x[0] * x[1], ilogb(x[0] * 1000)) * 1e-3;
}
CHECK_SCALAR(parts, DIFFERENCES, POINT(0.7, 1.1))

static double waves(double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += j0(3 * x[i]) * j1(x[i]) + jn(i, 2 * x[0]) + y0(x[i]) * y1(x[0]) - yn(i, x[i] + 1);
  return s;
}
CHECK_SCALAR_N(waves, DIFFERENCES, RANGE(5))

static double remainders(double *x) { return drem(7 * x[0], x[1]) * x[1] + lgamma(x[0] + 1) * x[0]; }
CHECK_SCALAR(remainders, DIFFERENCES, POINT(0.73, 1.1))

static double others(double *x) {
  return fdim(x[0], x[1]) * x[0] + nextafter(x[0], 2) * x[1] + logb(x[1] * 9) * x[0] + (double)lround(x[0] * 7.3) * x[1] +
         (double)llrint(x[1] * 3.2) * x[0] + exp10(x[0] * 0.3) + (isnan(nan("")) ? x[1] : 0) + (double)ilogb(x[0] * 33) * x[0];
}
CHECK_SCALAR(others, DIFFERENCES, POINT(1.23, 0.87))
