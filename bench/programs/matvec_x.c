// matvec_x: the squared length of A x, with respect to x.
#include "../harness.h"

static double *A, *x, *dx;
static int n;

static double matvec(const double *A, const double *x, int n) {
  double loss = 0;
  for (int i = 0; i < n; i++) {
    double y = 0;
    for (int j = 0; j < n; j++) y += A[i * n + j] * x[j];
    loss += y * y;
  }
  return loss;
}

// A row is read once from memory for its product and for the gradient.
static void by_hand(const double *restrict A, const double *restrict x, double *restrict dx, int n) {
  FREE_SUMS
  for (int i = 0; i < n; i++) {
    const double *a = A + (long)i * n;
    double y = 0;
    for (int j = 0; j < n; j++) y += a[j] * x[j];
    for (int j = 0; j < n; j++) dx[j] += 2 * y * a[j];
  }
}

void set_up(void) {
  n = size(2500, 37);
  DATA(A, (long)n * n, -1, 1);
  ACTIVE(x, n, -1, 1);
}

PROGRAM(value = matvec(A, x, n), __enzyme_autodiff((void *)matvec, enzyme_const, A, enzyme_dup, x, dx, n),
        by_hand(A, x, dx, n))
