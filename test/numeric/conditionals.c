// RUN: %numeric %s
// if/else, nested, with values that only one side computes; ternaries and their chains.
#include "check.h"

static double branches(double *x, int n) {
  double r = x[0];
  if (x[1] > 1) {
    double t = exp(x[2]);
    r = r * t;
    if (n > 2)
      r += t * t;
    else
      r -= t;
  } else {
    r = sin(r) * x[2];
  }
  return r * x[1];
}
CHECK_SCALAR_N(branches, DIFFERENCES, POINT(0.7, 1.5, 0.4))

static double other_branches(double *x, int n) { return branches(x, n); }
CHECK_SCALAR_N(other_branches, DIFFERENCES, POINT(0.7, 0.5, 0.4))

static double ternary(double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += x[i] < 0.6 ? x[i] * x[i] : x[i] < 1.2 ? sin(x[i]) : x[i] < 1.5 ? 2 * x[i] : exp(-x[i]);
  return s;
}
static void want(const double *x, const double *w, double *g) {
  for (int i = 0; i < 12; i++) g[i] = x[i] < 0.6 ? 2 * x[i] : x[i] < 1.2 ? cos(x[i]) : x[i] < 1.5 ? 2 : -exp(-x[i]);
}
CHECK_SCALAR_N(ternary, want, RANGE(12))

static double largest(double *x, int n) {
  double m = x[0];
  for (int i = 1; i < n; i++)
    if (x[i] > m) m = x[i];
  return m * m;
}
CHECK_SCALAR_N(largest, DIFFERENCES, RANGE(9))
