// RUN: %numeric %s
// Memory that is read and then overwritten in the same loop, one element on.
#include "check.h"

static double wipe(double *x, int n) {
  double s = 0;
  for (int i = 0; i + 1 < n; i++) {
    x[i] *= 3;
    s += x[i] * x[i + 1];
    x[i] = 0;
  }
  return s;
}
static void want(const double *x, const double *w, double *g) {
  int n = 8;
  for (int i = 0; i < n; i++) g[i] = 0;
  for (int i = 0; i + 1 < n; i++) g[i] += 3 * x[i + 1], g[i + 1] += 3 * x[i];
}
CHECK_SCALAR_N(wipe, want, RANGE(8))

static double next_squared(double *x, int n) {
  double s = 0;
  for (int i = 0; i + 1 < n; i++) {
    s += x[i + 1] * x[i + 1];
    x[i] = 0;
  }
  return s;
}
static void want_next(const double *x, const double *w, double *g) {
  g[0] = 0;
  for (int i = 1; i < 8; i++) g[i] = 2 * x[i];
}
CHECK_SCALAR_N(next_squared, want_next, RANGE(8))

static void scale_all(double *x, int n) {
  for (int i = 0; i < n; i++) x[i] *= x[i];
  for (int i = 0; i < n; i++) x[i] = sin(x[i]) * x[0];
}
CHECK_INPLACE_N(scale_all, DIFFERENCES, RANGE(6))

static void reverse_order(double *x, int n) {
  for (int i = 0, j = n - 1; i < j; i++, j--) {
    double t = x[i];
    x[i] = x[j] * 2;
    x[j] = t * t;
  }
}
CHECK_INPLACE_N(reverse_order, DIFFERENCES, RANGE(7))

static void prefix_product(double *x, int n) {
  for (int i = 1; i < n; i++) x[i] *= x[i - 1];
}
CHECK_INPLACE_N(prefix_product, DIFFERENCES, RANGE(7))

static void set_constant(double *x, int n) {
  for (int i = 0; i < n; i += 2) x[i] = 5;
}
static void want_constant(const double *x, const double *w, double *g) {
  for (int i = 0; i < 7; i++) g[i] = i % 2 ? w[i] : 0;
}
CHECK_INPLACE_N(set_constant, want_constant, RANGE(7))
