// sum_squares: the sum of x[i]^2.
#include "../harness.h"

static double *x, *dx;
static int n;

static double sum_squares(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += x[i] * x[i];
  return s;
}

static void by_hand(const double *restrict x, double *restrict dx, int n) {
  for (int i = 0; i < n; i++) dx[i] += 2 * x[i];
}

void set_up(void) {
  n = size(8000000, 1000);
  ACTIVE(x, n, -1, 1);
}

PROGRAM(value = sum_squares(x, n), __enzyme_autodiff((void *)sum_squares, enzyme_dup, x, dx, n), by_hand(x, dx, n))
