// RUN: %numeric %s
// Local arrays: reused in each iteration, written before read, two-dimensional, integer arrays beside them.
#include "check.h"

static double scratch(double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    double t[3];
    t[0] = x[i];
    t[1] = t[0] * t[0];
    t[2] = t[1] * t[0] + sin(t[1]);
    for (int k = 0; k < 3; k++) s += t[k] * (k + 1);
  }
  return s;
}
static void want(const double *x, const double *w, double *g) {
  for (int i = 0; i < 6; i++) g[i] = 1 + 4 * x[i] + 9 * x[i] * x[i] + 6 * x[i] * cos(x[i] * x[i]);
}
CHECK_SCALAR_N(scratch, want, RANGE(6))

static double history(double *x, int n) {
  double h[32];
  h[0] = x[0];
  for (int i = 1; i < n; i++) h[i] = h[i - 1] * x[i] + 0.1;
  double s = 0;
  for (int i = 0; i < n; i++) s += h[i] * h[n - 1 - i];
  return s;
}
CHECK_SCALAR_N(history, DIFFERENCES, RANGE(8))

static double two_dimensions(double *x, int n) {
  double a[4][4];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) a[i][j] = x[i] * x[j] + (i == j);
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) a[i][j] += 0.1 * a[j][i] * a[i][k];
  double s = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) s += a[i][j] * (i + 2 * j);
  return s;
}
CHECK_SCALAR_N(two_dimensions, DIFFERENCES, RANGE(4))

static double integers_beside(double *x, int n) {
  int index[8];
  double s = 1;
  for (int i = 0; i < n; i++) index[i] = (i * 3) % n;
  for (int i = 0; i < n; i++) s += s * x[index[i]] * 0.3;
  return s;
}
CHECK_SCALAR_N(integers_beside, DIFFERENCES, RANGE(7))

static double scalar_by_address(double *x, int n) {
  double total = 0;
  double *p = &total;
  for (int i = 0; i < n; i++) *p += x[i] * *p + x[i];
  return total;
}
CHECK_SCALAR_N(scalar_by_address, DIFFERENCES, RANGE(5))
