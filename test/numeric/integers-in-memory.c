// RUN: %numeric %s
// Integers beside reals: counters and index tables from memory, and reals overwritten byte by byte.
#include "check.h"

static double counted(double *x, int n) {
  int index[4] = {2, 0, 1, 2}, count = 0;
  double s = 0;
  for (int i = 0; i < n; i++) {
    count += index[i % 4];
    s += x[index[i % 4]] * count * x[i];
  }
  return s;
}
CHECK_SCALAR_N(counted, DIFFERENCES, RANGE(4))

// The bytes of a real are set to zero one by one: what it was worth is gone.
static double wiped(double *x, int n) {
  double q = x[n % 3];
  for (int i = 0; i < 8 * (n % 3); i++) ((char *)x)[i] = 0;
  double s = q * q;
  for (int i = 0; i < n; i++) s += x[i] * x[i] * (i + 1);
  return s;
}
CHECK_SCALAR_N(wiped, DIFFERENCES, RANGE(4))
