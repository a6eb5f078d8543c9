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

// a sum over iterations whose place is read and overwritten in the loop, by the same name and by another
static void running(double *x, int n) {
  for (int i = 0; i < n; i++) {
    x[0] += x[i] * 0.5;
    x[i] += x[0] * 0.1;
  }
}
CHECK_INPLACE_N(running, DIFFERENCES, RANGE(7))

struct both {
  double *a, *b;
};
static double by_two_names(double *x, int n) {
  struct both p = {x + 2, x};
  double sum = 0;
  for (int i = 0; i < n; i++) {
    sum += p.a[0] * p.b[i];
    p.b[i] = sum * 0.5;
    sum += *p.a;
  }
  return sum;
}
CHECK_BY_HAND(two_names) {
  double x[5] = {0.3, 0.4, 0.5, 0.6, 0.7}, dx[5] = {0}, c[5];
  memcpy(c, x, sizeof x);
  __pardiff_autodiff((void *)by_two_names, pardiff_dup, c, dx, 5);
  for (int i = 0; i < 5; i++) {
    double value[2];
    for (int k = 0; k < 2; k++) {
      memcpy(c, x, sizeof x);
      c[i] += k ? -1e-4 : 1e-4;
      value[k] = by_two_names(c, 5);
    }
    near_to("difference", dx[i], (value[0] - value[1]) / 2e-4, 1e-6);
  }
}
