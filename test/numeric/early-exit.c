// RUN: %numeric %s
// Outermost loops left early: break, return from inside, several exits, continue.
#include "check.h"

static double stop_at(double *x, int n) {
  double s = 1;
  for (int i = 0; i < n; i++) {
    if (s > 3) break;
    s += x[i] * s;
  }
  return s;
}
CHECK_SCALAR_N(stop_at, DIFFERENCES, RANGE(9))

static double returns(double *x, int n) {
  double s = 1;
  for (int i = 0; i < n; i++) {
    s *= 1 + x[i];
    if (s > 9) return s * x[i];
  }
  return -s;
}
CHECK_SCALAR_N(returns, DIFFERENCES, RANGE(9))
static double runs_through(double *x, int n) { return returns(x, n); }
CHECK_SCALAR_N(runs_through, DIFFERENCES, RANGE(2))

static double two_exits(double *x, int n) {
  double s = 0, t = 1;
  for (int i = 0; i < n; i++) {
    s += x[i];
    if (s > 4) break;
    t *= x[i];
    if (t > 1.5) {
      s *= t;
      break;
    }
  }
  return s * t;
}
CHECK_SCALAR_N(two_exits, DIFFERENCES, RANGE(9))
static double other_exit(double *x, int n) { return two_exits(x, n); }
CHECK_SCALAR_N(other_exit, DIFFERENCES, POINT(0.9, 0.8, 2.9, 0.5))

static double skips(double *x, int n) {
  double s = 1;
  for (int i = 0; i < n; i++) {
    s += x[i];
    if (x[i] < 0.9) continue;
    s *= x[i];
  }
  return s;
}
CHECK_SCALAR_N(skips, DIFFERENCES, RANGE(9))

static double early_return(double *x, int n) {
  if (n < 1) return 0;
  if (x[0] > 1) return x[0] * x[1];
  double y = x[0] * x[0];
  if (y > 0.2) return y * x[1];
  return y;
}
CHECK_SCALAR_N(early_return, DIFFERENCES, POINT(1.3, 2.0))
static double early_return_2(double *x, int n) { return early_return(x, n); }
CHECK_SCALAR_N(early_return_2, DIFFERENCES, POINT(0.7, 2.0))
static double early_return_3(double *x, int n) { return early_return(x, n); }
CHECK_SCALAR_N(early_return_3, DIFFERENCES, POINT(0.3, 2.0))

static double searches(double *x, int n) {
  int i = 0;
  while (i < n && x[i] < 1.4) i++;
  return i < n ? x[i] * x[i] : 0;
}
CHECK_SCALAR_N(searches, DIFFERENCES, RANGE(9))
