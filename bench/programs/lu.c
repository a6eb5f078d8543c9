// lu: factors a matrix in place, without pivoting: L below the diagonal, U on it and above.
#include "../harness.h"
#include "../lanes.h"

static double *A, *dA;
static int n;

static void lu(double *A, int n) {
  for (int k = 0; k < n; k++)
    for (int i = k + 1; i < n; i++) {
      A[i * n + k] /= A[k * n + k];
      for (int j = k + 1; j < n; j++) A[i * n + j] -= A[i * n + k] * A[k * n + j];
    }
}

enum { BLOCK = 32 };

// A block of columns, all rows from its first on: m x w, m >= w.
static void panel(double *A, int m, int w, int n) {
  for (int k = 0; k < w; k++)
    for (int i = k + 1; i < m; i++) {
      double l = A[i * n + k] /= A[k * n + k];
      for (int j = k + 1; j < w; j++) A[i * n + j] -= l * A[k * n + j];
    }
}

static void panel_back(const double *A, double *dA, int m, int w, int n) {
  FREE_SUMS
  for (int k = w - 1; k >= 0; k--) {
    double inverse = 1 / A[k * n + k], dpivot = 0;
    for (int i = k + 1; i < m; i++) {
      double l = A[i * n + k], dl = dA[i * n + k];
      for (int j = k + 1; j < w; j++) {
        dl -= dA[i * n + j] * A[k * n + j];
        dA[k * n + j] -= dA[i * n + j] * l;
      }
      dA[i * n + k] = dl * inverse;
      dpivot -= dl * l * inverse;
    }
    dA[k * n + k] += dpivot;
  }
}

// Rows of U beside a block of columns: X = L^-1 X, w x m.
static void solve(const double *L, double *X, int w, int m, int n) {
  for (int i = 1; i < w; i++)
    for (int k = 0; k < i; k++)
      for (int j = 0; j < m; j++) X[i * n + j] -= L[i * n + k] * X[k * n + j];
}

static void solve_back(const double *L, double *dL, const double *X, double *restrict dX, int w, int m, int n) {
  FREE_SUMS
  for (int i = w - 1; i > 0; i--)
    for (int k = i - 1; k >= 0; k--) {
      double l = L[i * n + k], dl = 0;
      for (int j = 0; j < m; j++) {
        dl += dX[i * n + j] * X[k * n + j];
        dX[k * n + j] -= l * dX[i * n + j];
      }
      dL[i * n + k] -= dl;
    }
}

static void factor(double *A, int n) {
  for (int k = 0; k < n; k += BLOCK) {
    int w = n - k < BLOCK ? n - k : BLOCK, rest = n - k - w;
    double *corner = A + (long)k * n + k, *right = corner + w, *below = corner + (long)w * n;
    panel(corner, n - k, w, n);
    solve(corner, right, w, rest, n);
    add_product(rest, rest, w, below, n, 1, right, n, below + w, n, -1);
  }
}

// The steps by blocks, backward.
static void by_hand(double *A, double *dA, int n) {
  double *transposed = malloc((long)n * BLOCK * sizeof(double));
  factor(A, n);
  for (int k = (n - 1) / BLOCK * BLOCK; k >= 0; k -= BLOCK) {
    int w = n - k < BLOCK ? n - k : BLOCK, rest = n - k - w;
    long corner = (long)k * n + k, right = corner + w, below = corner + (long)w * n;
    for (int i = 0; i < w; i++)
      for (int j = 0; j < rest; j++) transposed[j * w + i] = A[right + i * n + j];
    add_product(rest, w, rest, dA + below + w, n, 1, transposed, w, dA + below, n, -1);
    add_product(w, rest, rest, A + below, 1, n, dA + below + w, n, dA + right, n, -1);
    solve_back(A + corner, dA + corner, A + right, dA + right, w, rest, n);
    panel_back(A + corner, dA + corner, n - k, w, n);
  }
  free(transposed);
}

void set_up(void) {
  n = size(400, 45);
  INOUT(A, n * n, -1, 1);
}

static void lu_of_dominant(double *A, int n) {
  for (int i = 0; i < n; i++) A[i * n + i] += 2 * n; // no pivot is small
  lu(A, n);
}

static void hand_of_dominant(double *A, double *dA, int n) {
  for (int i = 0; i < n; i++) A[i * n + i] += 2 * n;
  by_hand(A, dA, n);
}

PROGRAM(lu_of_dominant(A, n), __enzyme_autodiff((void *)lu_of_dominant, enzyme_dup, A, dA, n),
        hand_of_dominant(A, dA, n))
