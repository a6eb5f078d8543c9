// lse: the logarithm of a sum of exponentials, computed without overflow.
#include "../harness.h"

static double *x, *dx;
static int n;

static double lse(const double *x, int n) {
  double most = x[0], sum = 0;
  for (int i = 1; i < n; i++)
    if (x[i] > most) most = x[i];
  for (int i = 0; i < n; i++) sum += exp(x[i] - most);
  return log(sum) + most;
}

// The shares of the sum. Exponentials are kept: computing them twice takes longer.
static void by_hand(const double *restrict x, double *restrict dx, int n) {
  double most = x[0], sum = 0, *e = malloc(n * sizeof(double));
  for (int i = 1; i < n; i++) most = x[i] > most ? x[i] : most;
  for (int i = 0; i < n; i++) sum += e[i] = exp(x[i] - most);
  double scale = 1 / sum;
  for (int i = 0; i < n; i++) dx[i] += e[i] * scale;
  free(e);
}

void set_up(void) {
  n = size(1280000, 100);
  ACTIVE(x, n, -5, 5);
}

PROGRAM(value = lse(x, n), __enzyme_autodiff((void *)lse, enzyme_dup, x, dx, n), by_hand(x, dx, n))
