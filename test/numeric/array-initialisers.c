// RUN: %numeric %s
// Local arrays with initialisers, which compilers write as block copies and block clears.
#include "check.h"

static double initialised(double *x, int n) {
  double weights[4] = {1, 2, 3, 4}, sums[4] = {0};
  for (int i = 0; i < n; i++) sums[i % 4] += x[i] * x[i] * weights[i % 4];
  return sums[0] * sums[1] - sums[2] / sums[3];
}
CHECK_SCALAR_N(initialised, DIFFERENCES, RANGE(9))

static double cleared_each_time(double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    double a[8] = {0}, b[3] = {1, 0.5, 0.25};
    for (int k = 0; k < 3; k++) a[2 * k] = x[i] * b[k];
    for (int k = 0; k < 7; k++) s += a[k] * a[k] + a[k + 1] * s;
  }
  return s;
}
CHECK_SCALAR_N(cleared_each_time, DIFFERENCES, RANGE(5))
