// gemm: C = alpha A B + beta C in place, m x k by k x n.
#include "../harness.h"
#include "../lanes.h"

static double *A, *dA, *B, *dB, *C, *dC;
static int m, n, k;
static const double ALPHA = 1.5, BETA = 0.5;

static void gemm(int m, int n, int k, double alpha, const double *restrict A, const double *restrict B, double beta,
                 double *restrict C) {
  for (int i = 0; i < m; i++) {
    for (int j = 0; j < n; j++) C[i * n + j] *= beta;
    for (int p = 0; p < k; p++)
      for (int j = 0; j < n; j++) C[i * n + j] += alpha * A[i * k + p] * B[p * n + j];
  }
}

static void by_hand(int m, int n, int k, double alpha, const double *A, double *dA, const double *B, double *dB,
                    double beta, double *dC) {
  double *transposed = malloc((long)n * k * sizeof(double));
  for (int p = 0; p < k; p++)
    for (int j = 0; j < n; j++) transposed[j * k + p] = B[p * n + j];
  add_product(m, k, n, dC, n, 1, transposed, k, dA, k, alpha);
  add_product(k, n, m, A, 1, k, dC, n, dB, n, alpha);
  for (long i = 0; i < (long)m * n; i++) dC[i] *= beta;
  free(transposed);
}

void set_up(void) {
  m = size(400, 23);
  n = size(480, 35);
  k = size(432, 29);
  ACTIVE(A, m * k, -1, 1);
  ACTIVE(B, k * n, -1, 1);
  INOUT(C, m * n, -1, 1);
}

PROGRAM(gemm(m, n, k, ALPHA, A, B, BETA, C),
        __enzyme_autodiff((void *)gemm, m, n, k, enzyme_const, ALPHA, enzyme_dup, A, dA, enzyme_dup, B, dB, enzyme_const,
                          BETA, enzyme_dup, C, dC),
        by_hand(m, n, k, ALPHA, A, dA, B, dB, BETA, dC))
