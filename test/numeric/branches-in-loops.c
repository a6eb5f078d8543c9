// RUN: %numeric %s
// Branches inside nested loops: which side ran is known again on the way back.
#include "check.h"

static double clipped(double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double d = x[i] * x[j] - s * 0.03;
      if (d > 1)
        s += d * d;
      else if (d > 0.4)
        s -= sin(d) * s;
      else
        s += x[j];
    }
  return s;
}
CHECK_SCALAR_N(clipped, DIFFERENCES, RANGE(6))

static double loop_in_branch(double *x, int n) {
  double s = 1;
  for (int i = 0; i < n; i++) {
    if (x[i] > 0.9) {
      double t = s;
      for (int j = 0; j < n; j++) t = t * 0.5 + x[j] * sin(t) * 0.5;
      s += t * x[i];
    } else {
      for (int j = 0; j < 3; j++) s *= 1 + 0.1 * x[j];
    }
  }
  return s;
}
CHECK_SCALAR_N(loop_in_branch, DIFFERENCES, RANGE(6))

static double overwritten_condition(double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    if (x[i] > 1) {
      x[i] = x[i] * 0.3;
      s += x[i] * x[i];
    } else {
      x[i] = x[i] + 5;
      s -= sin(x[i]);
    }
    if (x[i] > 1) s *= 1.1;
  }
  return s;
}
CHECK_SCALAR_N(overwritten_condition, DIFFERENCES, RANGE(9))

static double flag(double *x, int n) { // an integer carried around the loop decides
  int seen = 0;
  double s = 0;
  for (int i = 0; i < n; i++) {
    if (seen)
      s += x[i] * x[i] * seen;
    else
      s += x[i];
    if (x[i] > 1.3) seen++;
  }
  return s;
}
CHECK_SCALAR_N(flag, DIFFERENCES, RANGE(9))

static double conditional_store(double *x, int n) {
  double a[16];
  for (int i = 0; i < n; i++) a[i] = 1;
  for (int i = 0; i < n; i++) {
    if (i % 3 == 0) a[i] = x[i] * x[i];
    if (x[i] < 1.2) a[(i + 1) % n] *= x[i];
  }
  double p = 1;
  for (int i = 0; i < n; i++) p += a[i] * a[n - 1 - i];
  return p;
}
CHECK_SCALAR_N(conditional_store, DIFFERENCES, RANGE(9))
