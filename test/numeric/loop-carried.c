// RUN: %numeric %s
// Values carried around a loop: recurrences, swaps, a delay line, a value needed by its own update.
#include "check.h"

static double logistic(double *x, int n) {
  double y = x[0];
  for (int i = 1; i < n; i++) y = x[i] * y * (1 - y);
  return y;
}
CHECK_SCALAR_N(logistic, DIFFERENCES, POINT(0.3, 1.1, 2.1, 1.7, 1.9, 2.2))

static double fibonacci(double *x, int n) {
  double a = x[0], b = x[1];
  for (int i = 0; i < n; i++) {
    double next = a * b * 0.5 + x[i];
    a = b;
    b = next * 0.5;
  }
  return a + b * b;
}
CHECK_SCALAR_N(fibonacci, DIFFERENCES, RANGE(7))

static double delay(double *x, int n) {
  double a = 1, b = 2, c = 3, s = 0;
  for (int i = 0; i < n; i++) {
    s += a * x[i];
    a = b, b = c, c = x[i] * s;
  }
  return s;
}
CHECK_SCALAR_N(delay, DIFFERENCES, RANGE(6))

static double product(double *x, int n) {
  double p = 1;
  for (int i = 0; i < n; i++) p *= x[i];
  return p;
}
static void want(const double *x, const double *w, double *g) {
  for (int k = 0; k < 8; k++) {
    g[k] = 1;
    for (int i = 0; i < 8; i++)
      if (i != k) g[k] *= x[i];
  }
}
CHECK_SCALAR_N(product, want, RANGE(8))
