// RUN: %numeric %s
// Tapes of some megabytes, rectangular and growing, and index arithmetic in int.
#include "check.h"

enum { N = 300 };

static double rectangular(const double *x, int n) { // keeps about n^2 numbers
  double s = 0.5;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) s = s * 0.9 + 0.05 * sin(s * x[i] + 1) * x[j];
  return s;
}
static double growing(const double *x, int n) { // some ten thousand rows of n, their number not known before
  double s = 0, t = 0;
  while (t < 1e4) {
    double r = 0;
    for (int j = 0; j < n; j++) r += sin(x[j] + s);
    s = 0.5 * s + 0.01 * r;
    t += 0.9 + 0.1 * x[0];
  }
  return s;
}
static double shifted_indices(const double *x, int n, int k) {
  double s = 0;
  for (int i = 1; i < n - 1; i++)
    for (int j = 0; j < 3; j++) s += x[i + j - 1] * x[i - j + k] * s * 0.001 + x[i * 2 - i];
  return s;
}

static double x[N + 2], g[N + 2], d[N + 2];

static void against_forward(const char *what, double tangent) {
  double sum = 0, size = 0;
  for (int i = 0; i < N + 2; i++) sum += g[i] * d[i], size += fabs(g[i] * d[i]);
  expect(what, fabs(sum - tangent) <= 1e-12 * (size + fabs(tangent)));
}
static void start(void) {
  for (int i = 0; i < N + 2; i++) x[i] = 0.5 + 0.3 * cos(i), d[i] = sin(2.0 * i), g[i] = 0;
}

CHECK_BY_HAND(two_loops) {
  start();
  __pardiff_autodiff((void *)rectangular, pardiff_dup, x, g, opaque(N));
  against_forward("rectangular", __pardiff_fwddiff((void *)rectangular, pardiff_dup, x, d, opaque(N)));
}
CHECK_BY_HAND(unknown_number_of_rows) {
  start();
  __pardiff_autodiff((void *)growing, pardiff_dup, x, g, opaque(20));
  against_forward("growing", __pardiff_fwddiff((void *)growing, pardiff_dup, x, d, opaque(20)));
}
CHECK_BY_HAND(int_indices) {
  start();
  __pardiff_autodiff((void *)shifted_indices, pardiff_dup, x, g, opaque(N), opaque(2));
  against_forward("shifted", __pardiff_fwddiff((void *)shifted_indices, pardiff_dup, x, d, opaque(N), opaque(2)));
}
