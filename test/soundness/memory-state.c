// Rule: a load is repeated in the reverse sweep only where the memory's state at the end of the forward sweep is the state
// that it read. One place is read before, between and after two writes: three values, of which one is still there.
// Without the rule all three reads get the last value.
// RUN: %numeric %s
#include "check.h"

static double three_states(double *x) {
  double s = sin(x[0]) * x[1];
  x[0] = x[0] * x[1];
  s += sin(x[0]) * x[1];
  x[0] = x[0] * x[0];
  return s + sin(x[0]) * x[1];
}
CHECK_SCALAR(three_states, DIFFERENCES, POINT(0.7, 1.3))

static double through_another_pointer(double *x, int n) {
  double s = 0, *same = x + opaque(0);
  for (int i = 0; i < n; i++) {
    s += x[i] * x[i];
    same[n - 1 - i] *= 0.5;
  }
  return s;
}
CHECK_SCALAR_N(through_another_pointer, DIFFERENCES, RANGE(6))
