// RUN: %numeric %s
// Conditions of several parts: && and ||, integer conditions, a switch-like chain.
#include "check.h"

static double f(double *x, int n) {
  double s = 1;
  for (int i = 0; i < n; i++) {
    if (x[i] > 0.5 && (i % 2 == 0 || x[i] < 1.3))
      s *= x[i];
    else if (!(x[i] > 1.4) || i == 3)
      s += x[i] * x[i];
  }
  return s;
}
CHECK_SCALAR_N(f, DIFFERENCES, RANGE(11))

static double by_kind(double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    int kind = i & 3;
    if (kind == 0)
      s += x[i];
    else if (kind == 1)
      s *= x[i];
    else if (kind == 2)
      s -= sin(x[i]) * s;
  }
  return s;
}
CHECK_SCALAR_N(by_kind, DIFFERENCES, RANGE(11))
