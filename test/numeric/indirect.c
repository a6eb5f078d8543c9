// RUN: %numeric %s
// Gather and scatter through index arrays, with repeated indices.
#include "check.h"

static const int order[10] = {3, 1, 3, 0, 2, 3, 1, 0, 4, 4};

static double gather(double *x, int n) {
  double s = 1;
  for (int i = 0; i < 10; i++) s += x[order[i]] * x[order[i]] * s * 0.1;
  return s;
}
CHECK_SCALAR_N(gather, DIFFERENCES, RANGE(5))

static void scatter(double *x, double *y, int n) {
  for (int i = 0; i < 5; i++) y[i] = 0;
  for (int i = 0; i < n; i++) y[order[i]] += x[i] * x[i];
}
static void want(const double *x, const double *w, double *g) {
  for (int i = 0; i < 10; i++) g[i] = 2 * x[i] * w[order[i]];
}
CHECK_VECTOR_N(scatter, 5, want, RANGE(10))

static void scatter_product(double *x, int n) {
  for (int i = 0; i < 10; i++) x[order[i]] *= x[order[9 - i]];
}
CHECK_INPLACE_N(scatter_product, DIFFERENCES, RANGE(5))

static double indices(const double *x, const int *index, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += x[index[i]] * x[i];
  return s;
}
CHECK_BY_HAND(index_argument) {
  double x[4] = {1, 2, 3, 4}, g[4] = {0};
  int index[4] = {2, 2, 0, 1};
  __pardiff_autodiff((void *)indices, pardiff_dup, x, g, pardiff_const, index, opaque(4));
  near("g0", g[0], 3 + 3), near("g1", g[1], 3 + 4), near("g2", g[2], 1 + 2 + 1), near("g3", g[3], 2);
}
