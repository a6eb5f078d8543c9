// RUN: %numeric %s
// Matrix times vector, matrix times matrix, a bilinear form, an in-place solve of fixed size.
#include "check.h"

static void matvec(double *x, double *y, int n) { // x: a 4 by 4 matrix, then a vector
  double *a = x, *v = x + 16;
  for (int i = 0; i < 4; i++) {
    double s = 0;
    for (int j = 0; j < 4; j++) s += a[4 * i + j] * v[j];
    y[i] = s;
  }
}
static void want_matvec(const double *x, const double *w, double *g) {
  for (int j = 0; j < 4; j++) g[16 + j] = 0;
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) g[4 * i + j] = w[i] * x[16 + j], g[16 + j] += w[i] * x[4 * i + j];
}
CHECK_VECTOR_N(matvec, 4, want_matvec, RANGE(20))

static void matmul(double *x, double *y, int n) { // y += is on memory the function itself clears
  const double *a = x, *b = x + 9;
  for (int i = 0; i < 9; i++) y[i] = 0;
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++)
      for (int j = 0; j < 3; j++) y[3 * i + j] += a[3 * i + k] * b[3 * k + j];
}
static void want_matmul(const double *x, const double *w, double *g) {
  for (int i = 0; i < 18; i++) g[i] = 0;
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++)
      for (int j = 0; j < 3; j++) {
        g[3 * i + k] += w[3 * i + j] * x[9 + 3 * k + j];
        g[9 + 3 * k + j] += w[3 * i + j] * x[3 * i + k];
      }
}
CHECK_VECTOR_N(matmul, 9, want_matmul, RANGE(18))

static double quadratic_form(double *x, int n) {
  double s = 0;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) s += x[i] * x[3 + 3 * i + j] * x[j];
  return log(1 + s * s);
}
CHECK_SCALAR_N(quadratic_form, DIFFERENCES, RANGE(12))

static double jacobi_sweeps(double *x, int n) { // solves (4 I + x x') u = x by sweeps
  double u[6], v[6];
  for (int i = 0; i < n; i++) u[i] = 0;
  for (int t = 0; t < 5; t++) {
    for (int i = 0; i < n; i++) {
      double r = x[i];
      for (int j = 0; j < n; j++) r -= 0.3 * x[i] * x[j] * u[j];
      v[i] = r / 4;
    }
    for (int i = 0; i < n; i++) u[i] = v[i];
  }
  double s = 0;
  for (int i = 0; i < n; i++) s += u[i] * u[i];
  return s;
}
CHECK_SCALAR_N(jacobi_sweeps, DIFFERENCES, RANGE(6))
