// RUN: %numeric %s
// Results stored after the loops, perhaps on top of what the loops read: such stores are undone while the reverse sweep goes
// through the loops, and stand in the end.
#include "check.h"

static void energy(double *x, int n, double *e) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += exp(x[i]) * x[i];
  if (sum > 1) *e = sum;
  for (int i = 0; i < n; i++) sum += x[i] * x[i] * x[(i + 1) % n];
  e[1] = sum * sum;
}

static void energy_of(double *x, double *y, int n) { y[0] = 0, energy(x, n, y); }
CHECK_VECTOR_N(energy_of, 2, DIFFERENCES, RANGE(6))

// the results are among the inputs
static void onto_inputs(double *x, int n) { energy(x, n, x + 2); }
CHECK_INPLACE_N(onto_inputs, DIFFERENCES, RANGE(6))

CHECK_BY_HAND(results_stand) {
  double x[5] = {0.3, 0.9, 1.1, 0.5, 0.2}, dx[5] = {0}, plain[5];
  memcpy(plain, x, sizeof x);
  energy(plain, 5, plain + 1);
  dx[1] = dx[2] = 1;
  __pardiff_autodiff((void *)energy, pardiff_dup, x, dx, pardiff_const, 5, pardiff_dup, x + 1, dx + 1);
  for (int i = 0; i < 5; i++) near("result", x[i], plain[i]);
}

static void skipped(double *x, int n, double *e) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += x[i] * x[i] * x[i];
  if (sum < 0) *e = sum;
}
CHECK_BY_HAND(a_store_that_is_not_executed) {
  double x[2] = {1.5, 2}, dx[2] = {0, 0}, de = 1;
  __pardiff_autodiff((void *)skipped, pardiff_dup, x, dx, pardiff_const, 2, pardiff_dup, x, dx);
  near("x0", x[0], 1.5), near("dx0", dx[0], 0), near("dx1", dx[1], 0), expect("seed", de == 1);
}
