// cholesky: factors a symmetric matrix in place; only the lower triangle is read and written.
#include "../harness.h"
#include "../lanes.h"

static double *A, *dA;
static int n;

static void cholesky(double *A, int n) {
  for (int i = 0; i < n; i++) A[i * n + i] += 2 * n; // positive definite
  for (int j = 0; j < n; j++) {
    for (int k = 0; k < j; k++) A[j * n + j] -= A[j * n + k] * A[j * n + k];
    A[j * n + j] = sqrt(A[j * n + j]);
    for (int i = j + 1; i < n; i++) {
      for (int k = 0; k < j; k++) A[i * n + j] -= A[i * n + k] * A[j * n + k];
      A[i * n + j] /= A[j * n + j];
    }
  }
}

enum { BLOCK = 32 };

// A block of columns from the diagonal down: m x w.
static void panel(double *A, int m, int w, int n) {
  FREE_SUMS
  for (int j = 0; j < w; j++) {
    double pivot = A[j * n + j];
    for (int k = 0; k < j; k++) pivot -= A[j * n + k] * A[j * n + k];
    A[j * n + j] = pivot = sqrt(pivot);
    for (int i = j + 1; i < m; i++) {
      double s = A[i * n + j];
      for (int k = 0; k < j; k++) s -= A[i * n + k] * A[j * n + k];
      A[i * n + j] = s / pivot;
    }
  }
}

static void panel_back(const double *A, double *restrict dA, int m, int w, int n) {
  for (int j = w - 1; j >= 0; j--) {
    double inverse = 1 / A[j * n + j], dpivot = dA[j * n + j];
    for (int i = m - 1; i > j; i--) {
      double d = dA[i * n + j] *= inverse;
      dpivot -= d * A[i * n + j];
      for (int k = 0; k < j; k++) {
        dA[i * n + k] -= d * A[j * n + k];
        dA[j * n + k] -= d * A[i * n + k];
      }
    }
    double d = dA[j * n + j] = 0.5 * dpivot * inverse;
    for (int k = 0; k < j; k++) dA[j * n + k] -= 2 * d * A[j * n + k];
  }
}

// What is right of a block of columns loses the product of the columns with themselves, below the diagonal.
static void factor(double *A, int n) {
  double *transposed = malloc((long)n * BLOCK * sizeof(double));
  for (int k = 0; k < n; k += BLOCK) {
    int w = n - k < BLOCK ? n - k : BLOCK, rest = n - k - w;
    double *corner = A + (long)k * n + k, *below = corner + (long)w * n;
    panel(corner, n - k, w, n);
    for (int j = 0; j < w; j++)
      for (int i = 0; i < rest; i++) transposed[j * rest + i] = below[i * n + j];
    for (int i = 0; i < rest; i += BLOCK) { // rows up to the diagonal
      int rows = rest - i < BLOCK ? rest - i : BLOCK;
      double *row = below + (long)i * n;
      add_product(rows, i, w, row, n, 1, transposed, rest, row + w, n, -1);
      for (int r = 0; r < rows; r++)
        for (int p = 0; p < w; p++)
          for (int c = 0; c <= r; c++) row[r * n + w + i + c] -= row[r * n + p] * transposed[p * rest + i + c];
    }
  }
  free(transposed);
}

// By blocks, backward. S is the adjoint of what is right of the block, plus its transpose: both factors of the product
// are the same columns.
static void by_hand(double *A, double *dA, int n) {
  for (int i = 0; i < n; i++) A[i * n + i] += 2 * n;
  factor(A, n);
  double *S = malloc((long)n * n * sizeof(double)), *columns = malloc((long)n * BLOCK * sizeof(double));
  for (int k = (n - 1) / BLOCK * BLOCK; k >= 0; k -= BLOCK) {
    int w = n - k < BLOCK ? n - k : BLOCK, rest = n - k - w;
    long corner = (long)k * n + k, below = corner + (long)w * n;
    for (int i = 0; i < rest; i++) memcpy(columns + i * w, A + below + (long)i * n, w * sizeof(double));
    add_product(rest, w, rest, S + below + w, n, 1, columns, w, dA + below, n, -1);
    panel_back(A + corner, dA + corner, n - k, w, n);
    for (int i = k; i < n; i++)
      for (int j = k; j < k + w && j <= i; j++) {
        double d = dA[(long)i * n + j];
        S[(long)i * n + j] = i == j ? 2 * d : d;
        S[(long)j * n + i] = S[(long)i * n + j];
      }
  }
  free(S), free(columns);
}

void set_up(void) {
  n = size(400, 45);
  INOUT(A, n * n, -1, 1);
}

PROGRAM(cholesky(A, n), __enzyme_autodiff((void *)cholesky, enzyme_dup, A, dA, n), by_hand(A, dA, n))
