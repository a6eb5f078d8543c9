// RUN: %numeric %s
// Stencils: between two arrays in time steps, in place (Gauss-Seidel), in two dimensions.
#include "check.h"

static double heat(double *x, int n) {
  double u[16], v[16];
  for (int i = 0; i < n; i++) u[i] = x[i], v[i] = x[i];
  for (int t = 0; t < 4; t++) {
    for (int i = 1; i < n - 1; i++) v[i] = u[i] + 0.2 * u[i] * (u[i - 1] - 2 * u[i] + u[i + 1]);
    for (int i = 1; i < n - 1; i++) u[i] = v[i];
  }
  double s = 0;
  for (int i = 0; i < n; i++) s += u[i] * u[i] * (i + 1);
  return s;
}
CHECK_SCALAR_N(heat, DIFFERENCES, RANGE(10))

static void gauss_seidel(double *x, int n) {
  for (int t = 0; t < 3; t++)
    for (int i = 1; i < n - 1; i++) x[i] = 0.5 * (x[i - 1] * x[i + 1]) + 0.1 * x[i] * x[i];
}
CHECK_INPLACE_N(gauss_seidel, DIFFERENCES, RANGE(8))

static void five_points(double *x, double *y, int n) {
  int m = n / 5;
  for (int i = 0; i < n; i++) y[i] = x[i];
  for (int i = 1; i < m - 1; i++)
    for (int j = 1; j < 4; j++) {
      double c = x[i * 5 + j];
      y[i * 5 + j] = c * (x[(i - 1) * 5 + j] + x[(i + 1) * 5 + j] + x[i * 5 + j - 1] + x[i * 5 + j + 1] - 4 * c);
    }
}
CHECK_VECTOR_N(five_points, 20, DIFFERENCES, RANGE(20))

static double wave(double *x, int n) {
  double before[16], now[16], next[16];
  for (int i = 0; i < n; i++) before[i] = x[i], now[i] = x[i], next[i] = 0;
  for (int t = 0; t < 5; t++) {
    for (int i = 0; i < n; i++) {
      double left = now[(i + n - 1) % n], right = now[(i + 1) % n];
      next[i] = 2 * now[i] - before[i] + 0.1 * (left - 2 * now[i] + right) - 0.05 * now[i] * now[i] * now[i];
    }
    for (int i = 0; i < n; i++) before[i] = now[i], now[i] = next[i];
  }
  double s = 0;
  for (int i = 0; i < n; i++) s += now[i] * before[i];
  return s;
}
CHECK_SCALAR_N(wave, DIFFERENCES, RANGE(9))
