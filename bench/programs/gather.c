// gather: a weighted sum of squares of numbers read through an index that is not known before.
#include "../harness.h"

static double *x, *dx, *c;
static int n, *at;

static double gather(const double *x, const double *c, const int *at, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += c[i] * x[at[i]] * x[at[i]];
  return s;
}

static void by_hand(const double *restrict x, double *restrict dx, const double *restrict c, const int *restrict at,
                    int n) {
  for (int i = 0; i < n; i++) dx[at[i]] += 2 * c[i] * x[at[i]];
}

void set_up(void) {
  n = size(3000000, 200);
  int m = size(1000000, 50);
  ACTIVE(x, m, -1, 1);
  DATA(c, n, -1, 1);
  at = malloc(n * sizeof *at);
  for (int i = 0; i < n; i++) at[i] = below(m);
}

PROGRAM(value = gather(x, c, at, n),
        __enzyme_autodiff((void *)gather, enzyme_dup, x, dx, enzyme_const, c, enzyme_const, at, n),
        by_hand(x, dx, c, at, n))
