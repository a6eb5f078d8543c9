// matvec: the squared length of A x, with respect to both.
#include "../harness.h"

static double *A, *dA, *x, *dx;
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

// A row is read once from memory for its product and for both gradients.
static void by_hand(const double *restrict A, double *restrict dA, const double *restrict x, double *restrict dx, int n) {
  FREE_SUMS
  for (int i = 0; i < n; i++) {
    const double *a = A + (long)i * n;
    double *da = dA + (long)i * n, y = 0;
    for (int j = 0; j < n; j++) y += a[j] * x[j];
    for (int j = 0; j < n; j++) {
      da[j] += 2 * y * x[j];
      dx[j] += 2 * y * a[j];
    }
  }
}

void set_up(void) {
  n = size(2500, 37);
  ACTIVE(A, (long)n * n, -1, 1);
  ACTIVE(x, n, -1, 1);
}

PROGRAM(value = matvec(A, x, n), __enzyme_autodiff((void *)matvec, enzyme_dup, A, dA, enzyme_dup, x, dx, n),
        by_hand(A, dA, x, dx, n))
