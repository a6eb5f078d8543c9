// RUN: %numeric %s
// Inner extents that are affine in outer iterations.
#define STEP 2e-4
#include "check.h"

static double lower(double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    double p = 1;
    for (int j = 0; j <= i; j++) {
      p *= x[j];
      for (int k = j; k < i; k++) s += p * x[k] * 0.01 + sin(s) * 0.1;
    }
    s += p;
  }
  return s;
}
CHECK_SCALAR_N(lower, DIFFERENCES, RANGE(8))

static double strict(double *x, int n) { // the first row is empty
  double s = 1;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++) s = s * 0.7 + sin(s * x[j]) * x[i];
  return s;
}
CHECK_SCALAR_N(strict, DIFFERENCES, RANGE(7))

static double upper(double *x, int n) { // the last row is empty
  double s = 1;
  for (int i = 0; i < n; i++)
    for (int j = i + 1; j < n; j++) s = s * 0.7 + sin(s * x[j]) * x[i];
  return s;
}
CHECK_SCALAR_N(upper, DIFFERENCES, RANGE(7))

static double downwards(double *x, int n) {
  double s = 1;
  for (int i = n - 1; i >= 0; i--)
    for (int j = i; j >= 0; j--) s = s * 0.7 + sin(s * x[j]) * x[i];
  return s;
}
CHECK_SCALAR_N(downwards, DIFFERENCES, RANGE(6))

static double tetrahedron(double *x, int n) {
  double s = 1;
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++)
      for (int k = 0; k <= j; k++)
        for (int l = k; l <= j; l++) s = s * 0.9 + 0.1 * sin(s * x[l] + x[k]);
  return s;
}
CHECK_SCALAR_N(tetrahedron, DIFFERENCES, RANGE(6))

static double cholesky(double *x, int n) { // of a matrix made from x, in place; the sum of its diagonal
  double a[6][6], s = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) a[i][j] = x[i] * x[j] * 0.1 + (i == j ? 3 + x[i] : 0);
  for (int j = 0; j < n; j++) {
    for (int k = 0; k < j; k++) a[j][j] -= a[j][k] * a[j][k];
    a[j][j] = sqrt(a[j][j]);
    for (int i = j + 1; i < n; i++) {
      for (int k = 0; k < j; k++) a[i][j] -= a[i][k] * a[j][k];
      a[i][j] /= a[j][j];
    }
    s += a[j][j];
  }
  return s;
}
CHECK_SCALAR_N(cholesky, DIFFERENCES, RANGE(6))

static double long_counters(double *x, int n) { // size_t, and a bound that is the larger of two
  double s = 1;
  size_t m = (size_t)n;
  for (size_t i = 0; i < m; i++)
    for (size_t j = i; j < m; j++) s = s * 0.7 + sin(s * x[j]) * x[i];
  return s;
}
CHECK_SCALAR_N(long_counters, DIFFERENCES, RANGE(5))

static double trapezium(double *x, int n) { // rows may have fewer than no elements
  double s = 1;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i - 3; j++) s = s * 0.5 + 0.3 * sin(s * x[j]) * x[i];
    for (int j = 2 * i; j < n; j++) s = s * 0.5 + 0.3 * sin(s * x[j]) * x[i];
    for (int j = 0; j < n - 2 * i; j++) s = s * 0.5 + 0.3 * sin(s * x[j]) * x[i];
    for (int j = 0; j < n + 2 * i; j++) s = s * 0.5 + 0.3 * sin(s * x[j % n]) * x[i];
  }
  return s;
}
CHECK_SCALAR_N(trapezium, DIFFERENCES, RANGE(7))

static double wedge(double *x, int n) { // a rectangle in a triangle in a rectangle
  double s = 1;
  for (int h = 0; h < 2; h++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        for (int k = 0; k < n - i; k++)
          for (int l = 0; l < 2; l++) s = s * 0.9 + 0.05 * sin(s * x[k] + x[j] * l);
  return s;
}
CHECK_SCALAR_N(wedge, DIFFERENCES, RANGE(5))

static double chained(double *x, int n) { // each extent depends on all iterations outside
  double s = 1;
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++)
      for (int k = 0; k <= i + j; k++)
        for (int l = 0; l < i + 2 * j + k + 1; l++) s = s * 0.9 + 0.05 * sin(s * x[(k + l) % n]);
  return s;
}
CHECK_SCALAR_N(chained, DIFFERENCES, RANGE(4))

static double rows(const double *x, int n, int m) { // rows of m, that may be 0 or less, under a triangle
  double s = 1;
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) {
      for (int k = 0; k < m; k++) s = s * 0.5 + sin(s * x[k]);
      s *= x[i];
    }
  return s;
}
CHECK_BY_HAND(rows_of_nothing) {
  for (int m = -2; m <= 0; m++) {
    double x[2] = {2, 3}, g[2] = {0};
    __pardiff_autodiff((void *)rows, pardiff_dup, x, g, opaque(2), opaque(m));
    near("0", g[0], 9), near("1", g[1], 12);
  }
}
static double some_rows(double *x, int n) { return rows(x, n, 3) + rows(x, 2, n); }
CHECK_SCALAR_N(some_rows, DIFFERENCES, RANGE(4))
