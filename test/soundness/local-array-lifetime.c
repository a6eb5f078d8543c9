// Rule: lifetime markers are stripped (the forward sweep's end would end a local array that the reverse sweep reads), and
// the shadow of a local array is 0 at the start of each lifetime. Without the first the values read again are undefined,
// without the second what the stack held before is added to the gradient.
// RUN: %numeric %s
#include "check.h"

static double per_iteration(double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    double t[3];
    for (int k = 0; k < 3; k++) t[k] = x[i] * (k + 1);
    double u[3];
    for (int k = 0; k < 3; k++) u[k] = t[k] * t[(k + 1) % 3];
    for (int k = 0; k < 3; k++) s += u[k] * t[k];
  }
  return s;
}
static void want(const double *x, const double *w, double *g) {
  // (1 * 2) 1 + (2 * 3) 2 + (3 * 1) 3 = 23
  for (int i = 0; i < 5; i++) g[i] = 69 * x[i] * x[i];
}
CHECK_SCALAR_N(per_iteration, want, RANGE(5))

static double partly_written(double *x, int n) {
  double t[4];
  for (int i = 0; i < 4; i++)
    if (i < n) t[i] = x[i] * x[i];
  double s = 0;
  for (int i = 0; i < n; i++) s += t[i] * x[0];
  return s;
}
CHECK_SCALAR_N(partly_written, DIFFERENCES, RANGE(3))

// Something on the stack where the next call has its locals.
__attribute__((noinline)) static double litter(int n) {
  volatile double junk[64];
  for (int i = 0; i < 64; i++) junk[i] = 1e3 + n;
  return junk[opaque(3)];
}
CHECK_BY_HAND(on_a_used_stack) {
  for (int round = 0; round < 3; round++) {
    double x[2] = {2, 3}, g[2] = {0, 0};
    expect("littered", litter(round) == 1e3 + round);
    __pardiff_autodiff((void *)per_iteration, pardiff_dup, x, g, opaque(2));
    near("0", g[0], 69 * 4), near("1", g[1], 69 * 9);
  }
}
