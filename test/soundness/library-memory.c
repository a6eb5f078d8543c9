// Rule: memory of the C library that the program sees by pointers changes with every call that has effects: a read
// of it is not repeated in the reverse sweep, and not folded across calls of the mathematics library.
// Without the rule: the second gmtime's seconds scale both steps, and a logarithm's error goes unseen.
// RUN: %numeric %s
#include "check.h"
#include <errno.h>
#include <time.h>

static double two_times(double *x) {
  time_t first = 1, second = 2;
  double s = x[0] * gmtime(&first)->tm_sec;
  s = sin(s);
  s = s * s * gmtime(&second)->tm_sec;
  return s * s;
}
CHECK_SCALAR(two_times, DIFFERENCES, RANGE(1))

static double checked(double v) {
  errno = 0;
  double r = log(v);
  return errno ? v * v : r;
}
static double two_logs(double *x) { return checked(x[0]) * checked(-x[1]); }
static void two_logs_want(const double *x, const double *w, double *g) {
  g[0] = w[0] * x[1] * x[1] / x[0], g[1] = w[0] * log(x[0]) * 2 * x[1];
}
CHECK_SCALAR(two_logs, two_logs_want, RANGE(2))

// A number that a format stores is a number that the loop reads.
static double counted(double *x) {
  int length = 1;
  char text[16];
  double s = x[0];
  s *= s * length;
  snprintf(text, sizeof text, "%s%n", "four", &length);
  s *= s * length;
  snprintf(text, sizeof text, "%s%n", "sixsix", &length);
  return s * length;
}
CHECK_SCALAR(counted, DIFFERENCES, RANGE(1))
