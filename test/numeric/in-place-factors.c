// RUN: %numeric %s
// Matrices that are factored and solved with in place: what is read in the inner loops is final, or is overwritten later.
#include "check.h"

static void dominant(double *A, int n) {
  for (int i = 0; i < n; i++) A[i * n + i] += 2 * n;
}

static void lu(double *A, int count) {
  int n = count / 5;
  dominant(A, n);
  for (int k = 0; k < n; k++)
    for (int i = k + 1; i < n; i++) {
      A[i * n + k] /= A[k * n + k];
      for (int j = k + 1; j < n; j++) A[i * n + j] -= A[i * n + k] * A[k * n + j];
    }
}
CHECK_INPLACE_N(lu, DIFFERENCES, RANGE(25))

// Crout's order: by columns and rows, sums in registers.
static void crout(double *A, int count) {
  int n = count / 5;
  dominant(A, n);
  for (int k = 0; k < n; k++) {
    for (int i = k; i < n; i++) {
      double sum = A[i * n + k];
      for (int p = 0; p < k; p++) sum -= A[i * n + p] * A[p * n + k];
      A[i * n + k] = sum;
    }
    for (int j = k + 1; j < n; j++) {
      double sum = A[k * n + j];
      for (int p = 0; p < k; p++) sum -= A[k * n + p] * A[p * n + j];
      A[k * n + j] = sum / A[k * n + k];
    }
  }
}
CHECK_INPLACE_N(crout, DIFFERENCES, RANGE(25))

static void cholesky(double *A, int count) {
  int n = count / 5;
  dominant(A, n);
  for (int j = 0; j < n; j++) {
    for (int k = 0; k < j; k++) A[j * n + j] -= A[j * n + k] * A[j * n + k];
    A[j * n + j] = sqrt(A[j * n + j]);
    for (int i = j + 1; i < n; i++) {
      for (int k = 0; k < j; k++) A[i * n + j] -= A[i * n + k] * A[j * n + k];
      A[i * n + j] /= A[j * n + j];
    }
  }
}
CHECK_INPLACE_N(cholesky, DIFFERENCES, RANGE(25))

// The same with 64-bit indices, and with rows by pointers.
static void cholesky_long(double *A, int count) {
  long n = count / 5;
  dominant(A, (int)n);
  for (long j = 0; j < n; j++) {
    double *row = A + j * n;
    for (long k = 0; k < j; k++) row[j] -= row[k] * row[k];
    row[j] = sqrt(row[j]);
    for (long i = j + 1; i < n; i++) {
      for (long k = 0; k < j; k++) A[i * n + j] -= A[i * n + k] * row[k];
      A[i * n + j] /= row[j];
    }
  }
}
CHECK_INPLACE_N(cholesky_long, DIFFERENCES, RANGE(25))

// By columns, in unsigned indices, 64 bits.
static void lu_columns(double *A, int count) {
  size_t n = (size_t)count / 5;
  for (size_t i = 0; i < n; i++) A[i + i * n] += 2.0 * (double)n;
  for (size_t k = 0; k < n; k++) {
    for (size_t i = k + 1; i < n; i++) A[i + k * n] /= A[k + k * n];
    for (size_t j = k + 1; j < n; j++)
      for (size_t i = k + 1; i < n; i++) A[i + j * n] -= A[i + k * n] * A[k + j * n];
  }
}
CHECK_INPLACE_N(lu_columns, DIFFERENCES, RANGE(25))

// A matrix of fixed size.
static void lu_fixed(double *x, int count) {
  double(*A)[5] = (double(*)[5])x;
  for (int i = 0; i < 5; i++) A[i][i] += 10;
  for (int k = 0; k < 5; k++)
    for (int i = k + 1; i < 5; i++) {
      A[i][k] /= A[k][k];
      for (int j = k + 1; j < 5; j++) A[i][j] -= A[i][k] * A[k][j];
    }
}
CHECK_INPLACE_N(lu_fixed, DIFFERENCES, RANGE(25))

// A triangle and a right-hand side, in one array: x = L^-1 x, then x = L^-T x, backward.
static void solve(double *x, int count) {
  int n = count / 5;
  double *L = x, *b = x + n * n;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++) b[i] -= L[i * n + j] * b[j];
    b[i] /= L[i * n + i];
  }
  for (int i = n - 1; i >= 0; i--) {
    for (int j = i + 1; j < n; j++) b[i] -= L[j * n + i] * b[j];
    b[i] /= L[i * n + i];
  }
}
CHECK_INPLACE_N(solve, DIFFERENCES, RANGE(20))

// The inverse of a triangle in its place, from the last column on.
static void inverse(double *A, int count) {
  int n = count / 4;
  for (int j = n - 1; j >= 0; j--) {
    A[j * n + j] = 1 / A[j * n + j];
    for (int i = j + 1; i < n; i++) {
      double sum = 0;
      for (int k = j; k < i; k++) sum += A[i * n + k] * A[k * n + j];
      A[i * n + j] = -sum * A[i * n + i];
    }
  }
}
CHECK_INPLACE_N(inverse, DIFFERENCES, RANGE(16))

// All rows lose a multiple of each pivot row, those above too.
static void jordan(double *A, int count) {
  int n = count / 4;
  dominant(A, n);
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++)
      if (i != k) {
        double f = A[i * n + k] / A[k * n + k];
        for (int j = k + 1; j < n; j++) A[i * n + j] -= f * A[k * n + j];
        A[i * n + k] = f;
      }
}
CHECK_INPLACE_N(jordan, DIFFERENCES, RANGE(16))

// Planes of a cube: two lengths that are not constant.
static void planes(double *A, int count) {
  int n = 3, m = count / 6, r = 2;
  for (int i = 1; i < n; i++)
    for (int j = 0; j < m; j++)
      for (int k = 0; k < r; k++) A[(i * m + j) * r + k] *= sin(A[((i - 1) * m + j) * r + k]);
}
CHECK_INPLACE_N(planes, DIFFERENCES, RANGE(24))

static void cube(double *A, int n, int m, int r) {
  for (int i = 1; i < n; i++)
    for (int j = 0; j < m; j++)
      for (int k = 0; k < r; k++) A[(i * m + j) * r + k] *= sin(A[((i - 1) * m + j) * r + (r - 1 - k)]);
}
static void any_cube(double *A, int count) { cube(A, 3, count / 12, count / 3 / (count / 12)); }
CHECK_INPLACE_N(any_cube, DIFFERENCES, RANGE(24))

// Every second element, from those between.
static void halves(double *x, int n) {
  for (int i = 0; i + 1 < n; i += 2) x[i] *= x[i + 1];
  for (int i = 0; i + 2 < n; i += 2) x[i + 1] *= x[i + 2] * x[i];
}
CHECK_INPLACE_N(halves, DIFFERENCES, RANGE(11))

// The halves of an array.
static void butterfly(double *x, int n) {
  for (int half = n / 2; half > 0; half /= 2)
    for (int start = 0; start < n; start += 2 * half)
      for (int i = 0; i < half; i++) {
        double a = x[start + i], b = x[start + half + i];
        x[start + i] = a + b;
        x[start + half + i] = a * b;
      }
}
CHECK_INPLACE_N(butterfly, DIFFERENCES, RANGE(8))

// Backward through the array, by a pointer.
static void downward(double *x, int n) {
  double *p = x + n - 1;
  for (int i = 0; i + 1 < n; i++, p--) p[-1] *= sin(p[0]);
}
CHECK_INPLACE_N(downward, DIFFERENCES, RANGE(9))


// Rows of an array of the function's own are filled twice: what is read first is private to the iteration, what is read then is final.
static double filled_twice(double *x, int count) {
  enum { m = 5 };
  double rows[3 * m], s = 0;
  for (int i = 0; i < count / m; i++) {
    for (int j = 0; j < m; j++) rows[i * m + j] = sin(x[i * m + j]);
    for (int j = 0; j < m; j++) s += rows[i * m + j] * rows[i * m + (m - 1 - j)] * rows[i * m + j];
    for (int j = 0; j < m; j++) rows[i * m + j] = exp(x[i * m + j]);
    for (int j = 0; j < m; j++) s += rows[i * m + j] * rows[i * m + (m - 1 - j)] * rows[i * m + j];
  }
  return s;
}
CHECK_SCALAR_N(filled_twice, DIFFERENCES, RANGE(15))

// Sizes of 64 bits as arguments: tested to be small on entry.
static double of_size(double *A, size_t n) {
  for (size_t k = 0; k < n; k++)
    for (size_t i = k + 1; i < n; i++) {
      A[i * n + k] /= A[k * n + k];
      for (size_t j = k + 1; j < n; j++) A[i * n + j] -= A[i * n + k] * A[k * n + j];
    }
  return A[n * n - 1];
}
static double of_int(double *A, int n) {
  for (int k = 0; k < n; k++)
    for (int i = k + 1; i < n; i++) {
      A[i * n + k] /= A[k * n + k];
      for (int j = k + 1; j < n; j++) A[i * n + j] -= A[i * n + k] * A[k * n + j];
    }
  return A[n * n - 1];
}
static double steps(double *x, long n, long length) {
  for (long i = 1; i < n; i++)
    for (long j = 0; j < 4; j++) x[i * length + j] *= x[(i - 1) * length + j];
  return x[0] + x[1];
}
CHECK_BY_HAND(sizes) {
  double A[36], B[36], dA[36] = {0}, dB[36] = {0};
  for (int i = 0; i < 36; i++) A[i] = B[i] = sin(i * i) + (i % 7 ? 0 : 9);
  __pardiff_autodiff((void *)of_size, pardiff_dup, A, dA, pardiff_const, (size_t)6);
  __pardiff_autodiff((void *)of_int, pardiff_dup, B, dB, pardiff_const, 6);
  for (int i = 0; i < 36; i++) near("size_t", dA[i], dB[i]), near("value", A[i], B[i]);
  // Rows that are one, and rows backward: the test on entry fails for a negative length.
  double x[8] = {1.5, 1.25, 0.5, 2}, dx[8] = {0}, y[8] = {1, 1, 1, 1, 1.5, 1.25, 0.5, 2}, dy[8] = {0};
  __pardiff_autodiff((void *)steps, pardiff_dup, x, dx, pardiff_const, 3L, pardiff_const, 0L);
  near("no length", dx[0], 4 * 1.5 * 1.5 * 1.5), near("no length", dx[1], 4 * 1.25 * 1.25 * 1.25);
  __pardiff_autodiff((void *)steps, pardiff_dup, y + 4, dy + 4, pardiff_const, 2L, pardiff_const, -4L);
  near("backward", dy[4], 1), near("backward", dy[5], 1), near("backward", dy[0], 0);
}
