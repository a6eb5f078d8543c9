// matmul: C = A B.
#include "../harness.h"
#include "../lanes.h"

static double *A, *dA, *B, *dB, *C, *dC;
static int n;

static void matmul(const double *restrict A, const double *restrict B, double *restrict C, int n) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) C[i * n + j] = 0;
    for (int k = 0; k < n; k++)
      for (int j = 0; j < n; j++) C[i * n + j] += A[i * n + k] * B[k * n + j];
  }
}

static void by_hand(const double *A, double *dA, const double *B, double *dB, const double *dC, int n) {
  double *transposed = malloc((long)n * n * sizeof(double));
  for (int k = 0; k < n; k++)
    for (int j = 0; j < n; j++) transposed[j * n + k] = B[k * n + j];
  add_product(n, n, n, dC, n, 1, transposed, n, dA, n, 1);
  add_product(n, n, n, A, 1, n, dC, n, dB, n, 1);
  free(transposed);
}

void set_up(void) {
  n = size(448, 37);
  ACTIVE(A, n * n, -1, 1);
  ACTIVE(B, n * n, -1, 1);
  RESULT(C, n * n);
}

PROGRAM(matmul(A, B, C, n),
        __enzyme_autodiff((void *)matmul, enzyme_dup, A, dA, enzyme_dup, B, dB, enzyme_dupnoneed, C, dC, n),
        by_hand(A, dA, B, dB, dC, n))
