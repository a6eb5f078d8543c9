// RUN: %numeric %s
// Local arrays whose size is known only while running, also inside loops and in two dimensions.
#include "check.h"

static double one(double *x, int n) {
  double t[n];
  for (int i = 0; i < n; i++) t[i] = x[i] * x[i];
  for (int i = 1; i < n; i++) t[i] *= t[i - 1];
  return t[n - 1];
}
CHECK_SCALAR_N(one, DIFFERENCES, RANGE(5))

static double in_a_loop(double *x, int n) {
  double s = 1;
  for (int i = 0; i < n; i++) {
    double t[n];
    for (int k = 0; k < n; k++) t[k] = x[k] * s;
    for (int k = 1; k < n; k++) s += 0.1 * t[k] * t[k - 1] * x[i];
  }
  return s;
}
CHECK_SCALAR_N(in_a_loop, DIFFERENCES, RANGE(4))

static double product(int n, double a[n][n], const double *x) {
  double s = 0;
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++) s += a[i][k] * a[k][i] * x[i];
  return s;
}
static double matrix(double *x, int n) {
  double a[n][n];
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++) a[i][k] = x[i] * x[k] + i - k;
  return product(n, a, x);
}
CHECK_SCALAR_N(matrix, DIFFERENCES, RANGE(4))
