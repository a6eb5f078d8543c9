// RUN: %numeric %s
// Steps other than one, downward loops, unsigned and 64-bit counters, do-while, bounds from arguments.
#include "check.h"

static double strided(double *x, int n) {
  double s = 1;
  for (int i = 1; i < n; i += 3) s = s * x[i] + x[i - 1];
  return s;
}
CHECK_SCALAR_N(strided, DIFFERENCES, RANGE(14))

static double downward(double *x, int n) {
  double s = 0;
  for (int i = n - 1; i >= 0; i--) s = s * x[0] + x[i];
  return s;
}
CHECK_SCALAR_N(downward, DIFFERENCES, RANGE(6))

static double counters(double *x, int n) {
  double s = 1;
  for (unsigned i = 0; i < (unsigned)n; i++) s *= x[i];
  for (long i = 2; i <= n - 1; i++) s += sin(x[i] * s);
  for (unsigned char c = 0; c != 5; c++) s *= 1 + 0.1 * x[c];
  for (short k = (short)n; k-- > 0;) s += x[k] * x[k];
  return s;
}
CHECK_SCALAR_N(counters, DIFFERENCES, RANGE(6))

static double do_while(double *x, int n) {
  double s = x[0];
  int i = 0;
  do {
    s = s * x[i] + 1;
    i++;
  } while (i < n);
  return s;
}
CHECK_SCALAR_N(do_while, DIFFERENCES, RANGE(5))

static double use_counter(double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += i * x[i] * x[i] / (i + 1.5);
  return s;
}
static void want(const double *x, const double *w, double *g) {
  for (int i = 0; i < 7; i++) g[i] = 2 * i * x[i] / (i + 1.5);
}
CHECK_SCALAR_N(use_counter, want, RANGE(7))

static double pointer_walk(double *x, int n) {
  double s = 1;
  for (double *p = x, *end = x + n; p < end; p++) s = s * *p + *p * *p;
  return s;
}
CHECK_SCALAR_N(pointer_walk, DIFFERENCES, RANGE(6))

// The extent of the inner loop is a remainder that is computed under the condition only.
static double remainder_extent(double *x, int n) {
  double s = 0.1;
  for (int i = 0; i < n; i++)
    if (x[i] > 0.8)
      for (int j = 0; j < n % 4; j++) s = sin(s) + x[j] * s * 0.3;
  return s;
}
CHECK_SCALAR_N(remainder_extent, DIFFERENCES, RANGE(6))

// A pointer that walks through a loop, and what was loaded last is used after it.
static double walk_to_the_end(double *x, int n) {
  double t = x[1], s = 0;
  for (double *p = x; p < x + n; p++) {
    t = sin(t * *p);
    s = sin(t);
    t = cos(1.25);
  }
  return s + t * x[2];
}
CHECK_SCALAR_N(walk_to_the_end, DIFFERENCES, RANGE(5))
