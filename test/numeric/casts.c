// RUN: %numeric %s
// Conversions: double to float and back, integers to numbers, a number to an integer (derivative 0), bit tests.
#include "check.h"

static double through_float(double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    float f = (float)(x[i] * x[i]);
    s += (double)f * 3;
  }
  return s;
}
CHECK_BY_HAND(rounding) {
  double x[3] = {0.5, 1.25, -2}, g[3] = {0};
  __pardiff_autodiff((void *)through_float, pardiff_dup, x, g, opaque(3));
  for (int i = 0; i < 3; i++) near("6 x", g[i], 6 * x[i]);
}

static double fraction(double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    double v = x[i] * 5;
    int whole = (int)v;
    double part = v - whole;
    s += part * part * (whole + 1);
  }
  return s;
}
static void want(const double *x, const double *w, double *g) {
  for (int i = 0; i < 6; i++) {
    double v = x[i] * 5;
    g[i] = 10 * (v - (int)v) * ((int)v + 1);
  }
}
CHECK_SCALAR_N(fraction, want, RANGE(6))

static double scaled(double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += x[i] * (unsigned)(i * 7) + x[i] * (float)i - x[i] * (signed char)(200 + i);
  return s;
}
static void want_scaled(const double *x, const double *w, double *g) {
  for (int i = 0; i < 6; i++) g[i] = i * 7 + i - (signed char)(200 + i);
}
CHECK_SCALAR_N(scaled, want_scaled, RANGE(6))

static double table(double *x, int n) { // linear interpolation in a constant table
  static const double values[12] = {0, 1, 4, 9, 16, 25, 36, 49, 64, 81, 100, 121};
  double s = 0;
  for (int i = 0; i < n; i++) {
    double v = x[i] * 6.1;
    int k = (int)v;
    double t = v - k;
    s += (1 - t) * values[k] + t * values[k + 1];
  }
  return s;
}
static void want_table(const double *x, const double *w, double *g) {
  for (int i = 0; i < 6; i++) g[i] = 6.1 * (2 * (int)(x[i] * 6.1) + 1);
}
CHECK_SCALAR_N(table, want_table, RANGE(6))
