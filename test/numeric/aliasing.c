// RUN: %numeric %s
// Arguments that overlap: input and result are one array, two views of it, shifted.
#include "check.h"

static void step(const double *in, double *out, int n) {
  for (int i = 0; i < n; i++) out[i] = in[i] * in[(i + 1) % n];
}
static double in_place_twice(double *x, int n) {
  step(x, x, n);
  step(x, x, n);
  return x[0] + 2 * x[1] + 3 * x[2];
}
CHECK_SCALAR_N(in_place_twice, DIFFERENCES, POINT(1.2, 0.7, 2.0))

static double shifted(double *x, int n) {
  step(x + 1, x, n - 2);
  return x[0] * x[1] * x[2] + x[n - 1];
}
CHECK_SCALAR_N(shifted, DIFFERENCES, RANGE(6))

static void both_ways(double *x, int n) {
  double *a = x, *b = x + n / 2;
  for (int i = 0; i < n / 2; i++) {
    a[i] = a[i] * b[i];
    b[i] = a[i] + b[i] * b[i];
  }
}
CHECK_INPLACE_N(both_ways, DIFFERENCES, RANGE(8))

CHECK_BY_HAND(one_array_for_two_arguments) {
  double x[3] = {1.2, 0.7, 2.0}, g[3] = {1, 2, 3};
  __pardiff_autodiff((void *)step, pardiff_dup, x, g, pardiff_dup, x, g, opaque(3));
  // y0 = x0 x1, y1 = x1 x2, y2 = x2 y0
  near("x0", g[0], 1 * 0.7 + 3 * 2.0 * 0.7), near("x1", g[1], 1 * 1.2 + 2 * 2.0 + 3 * 2.0 * 1.2);
  near("x2", g[2], 2 * 0.7 + 3 * 1.2 * 0.7);
}
