// RUN: %numeric %s
// float arithmetic throughout, and float arrays summed in double.
#include "check.h"

static float norm(float *x, int n) {
  float s = 0;
  for (int i = 0; i < n; i++) s += x[i] * x[i];
  return sqrtf(s);
}
static void want(const double *x, const double *w, double *g) {
  double s = 0;
  for (int i = 0; i < 7; i++) s += x[i] * x[i];
  for (int i = 0; i < 7; i++) g[i] = x[i] / sqrt(s);
}
CHECK_FLOAT_N(norm, want, RANGE(7))

static float mixed(float *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += (double)x[i] * x[i] * x[i];
  return (float)(s * 0.5);
}
static void want_mixed(const double *x, const double *w, double *g) {
  for (int i = 0; i < 7; i++) g[i] = 1.5 * x[i] * x[i];
}
CHECK_FLOAT_N(mixed, want_mixed, RANGE(7))

static float functions(float *x, int n) {
  float s = 1;
  for (int i = 0; i < n; i++) s += sinf(x[i]) * expf(-x[i]) + powf(x[i], 1.5f) / (1 + tanhf(x[i])) + fabsf(x[i] - 0.85f);
  return s;
}
static void want_functions(const double *x, const double *w, double *g) {
  for (int i = 0; i < 7; i++) {
    double v = x[i], q = 1 + tanh(v);
    g[i] = exp(-v) * (cos(v) - sin(v)) + 1.5 * sqrt(v) / q - pow(v, 1.5) * (1 - tanh(v) * tanh(v)) / (q * q) + (v > 0.85 ? 1 : -1);
  }
}
CHECK_FLOAT_N(functions, want_functions, RANGE(7))

static float recurrence(float *x, int n) {
  float y = x[0];
  for (int i = 1; i < n; i++) y = y * x[i] + 0.5f * y * y;
  return y;
}
CHECK_FLOAT_N(recurrence, DIFFERENCES, POINT(0.5, 0.7, 0.4, 0.9))
