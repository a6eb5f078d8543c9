// Rule: restores of the stack are stripped: the reverse sweep still reads what the forward sweep had on it, so that arrays
// of variable length live until the derivative is done. Without the rule the rows that the reverse
// sweep indexes by have been overwritten by other iterations' rows.
// RUN: %numeric %s
#include "check.h"

static double through_indices(double *x, int n) {
  double s = 1;
  for (int i = 0; i < n; i++) {
    int index[n + i];
    for (int k = 0; k < n; k++) index[k] = (i + 2 * k) % n;
    for (int k = 0; k < n; k++) s += s * 0.1 * x[index[k]] * x[i];
  }
  return s;
}
CHECK_SCALAR_N(through_indices, DIFFERENCES, RANGE(5))
