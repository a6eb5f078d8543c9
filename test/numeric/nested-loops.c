// RUN: %numeric %s
// Counted loops to depth four with rectangular extents and values kept at every depth.
#include "check.h"

static double two(double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) s += sin(x[i] * x[j]) * s * 0.1 + x[j];
  return s;
}
CHECK_SCALAR_N(two, DIFFERENCES, RANGE(5))

static double three(double *x, int n) {
  double s = 1;
  for (int i = 0; i < n; i++) {
    double row = x[i];
    for (int j = 0; j < 3; j++) {
      double cell = row * x[j];
      for (int k = 0; k < n - 1; k++) cell = cell * 0.5 + 0.3 * sin(cell * x[k]);
      row += cell * cell;
    }
    s += row * s * 0.1;
  }
  return s;
}
CHECK_SCALAR_N(three, DIFFERENCES, RANGE(4))

static double four(double *x, int n) {
  double s = 0;
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < 3; k++)
        for (int l = 0; l < n; l++) {
          double p = x[i] * x[j] + x[k] * x[l];
          s = s * 0.7 + 0.02 * p * p * cos(s);
        }
  return s;
}
CHECK_SCALAR_N(four, DIFFERENCES, RANGE(4))

static double siblings(double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    double a = 0, b = 1;
    for (int j = 0; j < n; j++) a += x[i] * x[j] * x[j];
    for (int j = 0; j < n; j++) b *= 1 + 0.1 * a * x[j];
    s += a * b;
  }
  for (int i = 0; i < n; i++) s *= x[i];
  return s;
}
CHECK_SCALAR_N(siblings, DIFFERENCES, RANGE(5))
