// RUN: %numeric %s
// Void functions with results in memory: seeds as weights, results read again, several results.
#include "check.h"

static void polar(double *p, double *xy) {
  xy[0] = p[0] * cos(p[1]);
  xy[1] = p[0] * sin(p[1]);
}
static void want(const double *p, const double *w, double *g) {
  g[0] = w[0] * cos(p[1]) + w[1] * sin(p[1]);
  g[1] = p[0] * (w[1] * cos(p[1]) - w[0] * sin(p[1]));
}
CHECK_VECTOR(polar, 2, want, POINT(2.0, 0.3))

static void reads_results(double *x, double *y) {
  y[0] = x[0] * x[1];
  y[1] = exp(x[0]) + y[0];
  y[2] = y[1] * x[1];
  y[0] = y[0] * y[2];
}
CHECK_VECTOR(reads_results, 3, DIFFERENCES, POINT(0.5, 1.5))

static void softmax(double *x, double *y, int n) {
  double most = x[0], sum = 0;
  for (int i = 1; i < n; i++) most = x[i] > most ? x[i] : most;
  for (int i = 0; i < n; i++) {
    y[i] = exp(x[i] - most);
    sum += y[i];
  }
  for (int i = 0; i < n; i++) y[i] /= sum;
}
static void want_softmax(const double *x, const double *w, double *g) {
  double sum = 0, mean = 0;
  for (int i = 0; i < 6; i++) sum += exp(x[i]);
  for (int i = 0; i < 6; i++) mean += w[i] * exp(x[i]) / sum;
  for (int i = 0; i < 6; i++) g[i] = exp(x[i]) / sum * (w[i] - mean);
}
CHECK_VECTOR_N(softmax, 6, want_softmax, RANGE(6))

static void into_single_result(const double *x, double *y, int n) {
  *y = 0;
  for (int i = 0; i < n; i++) *y += x[i] * x[i] * *y + x[i];
}
CHECK_VECTOR_N(into_single_result, 1, DIFFERENCES, RANGE(5))

static void accumulates(const double *x, double *y) { *y += x[0] * x[0]; }
CHECK_BY_HAND(result_is_also_input) {
  double x = 3, g = 0, y = 10, seed = 2;
  __pardiff_autodiff((void *)accumulates, pardiff_dup, &x, &g, pardiff_dup, &y, &seed);
  near("gradient", g, 12), near("result", y, 19), near("what was added to keeps its derivative", seed, 2);
}
