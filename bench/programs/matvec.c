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

// Rows are read once from memory for their products and for both gradients, four at a time for one pass over x.
static void by_hand(const double *restrict A, double *restrict dA, const double *restrict x, double *restrict dx,
                    int n) {
  FREE_SUMS
  int i = 0;
  for (; i + 4 <= n; i += 4) {
    const double *a = A + (long)i * n, *b = a + n, *c = b + n, *d = c + n;
    double *da = dA + (long)i * n, *db = da + n, *dc = db + n, *dd = dc + n, p = 0, q = 0, r = 0, s = 0;
    for (int j = 0; j < n; j++) {
      p += a[j] * x[j];
      q += b[j] * x[j];
      r += c[j] * x[j];
      s += d[j] * x[j];
    }
    p *= 2, q *= 2, r *= 2, s *= 2;
    for (int j = 0; j < n; j++) {
      dx[j] += (p * a[j] + q * b[j]) + (r * c[j] + s * d[j]);
      da[j] += p * x[j];
      db[j] += q * x[j];
      dc[j] += r * x[j];
      dd[j] += s * x[j];
    }
  }
  for (; i < n; i++) {
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
