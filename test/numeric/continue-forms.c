// RUN: %numeric %s
// Loops that go back to their start by several edges: `continue` in while loops, goto.
#include "check.h"

static double skipping(double *x, int n) {
  double s = 0.1;
  int j = n;
  while (j-- > 0) {
    if (x[j] > 1.2 + 0.01 * s) continue;
    s = s * s + x[j] * s;
  }
  return s;
}
CHECK_SCALAR_N(skipping, DIFFERENCES, RANGE(6))

static double skipping_with_a_loop_inside(double *x, int n) {
  double s = 0.1;
  int j = 0;
  while (s < 3 && j < 8) {
    j++;
    if (x[j % n] < 0.8) continue;
    for (int k = 0; k < n; k++) s += 0.1 * sin(s) * x[k] * x[j % n];
  }
  return s;
}
CHECK_SCALAR_N(skipping_with_a_loop_inside, DIFFERENCES, RANGE(5))

static double retried(double *x, int n) {
  double s = 0.1;
  int j = 0;
retry:
  if (j < n) {
    j++;
    if (x[j - 1] < 0.9) goto retry;
    s = sin(s) + x[j - 1] * s;
    goto retry;
  }
  return s;
}
CHECK_SCALAR_N(retried, DIFFERENCES, RANGE(6))

static double inner(double *x, int n) {
  double s = 0.1;
  for (int i = 0; i < n; i++)
    for (long j = n; j-- > 0;) {
      if (x[j] > 1.3) {
        x[j] = 0.5 * s * s;
        continue;
      }
      s = sin(s) + 0.1 * x[j] * s;
    }
  return s;
}
CHECK_SCALAR_N(inner, DIFFERENCES, RANGE(4))
