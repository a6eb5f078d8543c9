// RUN: %numeric %s
// A function so large that values outside loops are kept in a block of memory, and called ones that do not fit into one.
#include "check.h"

#define BRANCH(k)                                                                                                      \
  if ((n * 7 + (k)) % 3 == 1)                                                                                          \
    s = 0.5 * sin(s) + x[(k) % n] * 0.25 + t * 0.125, t = s * 0.5;                                                     \
  else                                                                                                                 \
    s = s * 1.0625 + 0.5 * x[((k) + 1) % n], t += 0.25 * x[(k) % n] * s;
#define TEN(k)                                                                                                         \
  BRANCH(k) BRANCH(k + 1) BRANCH(k + 2) BRANCH(k + 3) BRANCH(k + 4) BRANCH(k + 5) BRANCH(k + 6) BRANCH(k + 7) BRANCH(k + 8) BRANCH(k + 9)
#define HUNDRED(k)                                                                                                     \
  TEN(k) TEN(k + 10) TEN(k + 20) TEN(k + 30) TEN(k + 40) TEN(k + 50) TEN(k + 60) TEN(k + 70) TEN(k + 80) TEN(k + 90)

static double many_branches(double *x, int n) {
  double s = x[0], t = 0.5;
  HUNDRED(0)
  HUNDRED(100)
  return s + t;
}
CHECK_SCALAR_N(many_branches, DIFFERENCES, RANGE(5))

static double hundred(const double *x, int n, double s) {
  double t = s * 0.5;
  HUNDRED(7)
  return s * 0.5 + t * 0.25;
}
static double called_several_times(double *x, int n) {
  double s = 1;
  for (int i = 0; i < 2; i++) s = hundred(x, n, s) + hundred(x, n, s * 0.75);
  return s;
}
CHECK_SCALAR_N(called_several_times, DIFFERENCES, RANGE(4))

// Longer still: their gradients are functions that call their parts.
#define LINE(k)                                                                                                        \
  s = 0.5 * sin(s) + x[(k) % 5] * 0.25 + t * 0.125;                                                                    \
  t = s * 0.5 + t / (2 + s * s);                                                                                       \
  u[(k) % 7] = t * s + 0.25 * u[(k) % 3];
#define TEN_LINES(k)                                                                                                   \
  LINE(k) LINE(k + 1) LINE(k + 2) LINE(k + 3) LINE(k + 4) LINE(k + 5) LINE(k + 6) LINE(k + 7) LINE(k + 8) LINE(k + 9)
#define LINES(k)                                                                                                       \
  TEN_LINES(k) TEN_LINES(k + 10) TEN_LINES(k + 20) TEN_LINES(k + 30) TEN_LINES(k + 40) TEN_LINES(k + 50)               \
  TEN_LINES(k + 60) TEN_LINES(k + 70) TEN_LINES(k + 80) TEN_LINES(k + 90)

static double straight(double *x) {
  double s = x[0], t = 0.5, u[7] = {0};
  LINES(0) LINES(100) LINES(200)
  return s + t + u[2] + u[5];
}
CHECK_SCALAR(straight, DIFFERENCES, POINT(0.3, 0.7, 1.1, -0.4, 0.2))

// A long body, which some iterations leave early.
static double in_loop(double *x, int n) {
  double s = x[0], t = 0.5, u[7] = {0};
  for (int i = 0; i < n; i++) {
    LINES(0)
    if (s > 100) break;
    LINES(100)
    for (int k = 0; k < n; k++) { TEN_LINES(k) u[k] += x[k] * s; }
  }
  return s + t + u[2] + u[5];
}
CHECK_SCALAR_N(in_loop, DIFFERENCES, RANGE(5))
