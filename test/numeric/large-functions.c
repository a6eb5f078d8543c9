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
