// RUN: %numeric %s
// FLAGS: -Wno-conditional-uninitialized -Wno-sometimes-uninitialized
// Variables that one side of a branch leaves undefined and nobody reads then.
#include "check.h"

static double set_when_used(double *x, int n) {
  double s = 0, t;
  for (int i = 0; i < n; i++) {
    int use = x[i] > 1;
    if (use) t = x[i] * x[i];
    s += x[i];
    if (use) s += t * s;
  }
  return s;
}
CHECK_SCALAR_N(set_when_used, DIFFERENCES, RANGE(8))

static double array_set_when_used(double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    double t[2];
    if (x[i] > 1)
      t[0] = x[i] * s;
    else
      t[1] = x[i];
    s += x[i] > 1 ? t[0] : t[1];
  }
  return s;
}
CHECK_SCALAR_N(array_set_when_used, DIFFERENCES, RANGE(8))

static double carried(double *x, int n) {
  double before;
  double s = 0;
  for (int i = 0; i < n; i++) {
    if (i > 0) s += before * x[i];
    before = x[i] * x[i];
  }
  return s;
}
CHECK_SCALAR_N(carried, DIFFERENCES, RANGE(8))
