// Rule: a store is said to miss what a load read before only where rows and columns are shown to be in bounds for all that is executed, in exact
// integers. Below, the column after the last of a row is the first of the next one, which is written later; with a length that wraps, all
// rows are one. Without the rule what was read is loaded again in the reverse sweep, where it has its new value.
// RUN: %numeric %s
#include "check.h"

static int side(int n) { return (int)(sqrt((double)n) + 0.5); }

static void next_row(double *A, int count) {
  int n = side(count);
  for (int i = 0; i + 1 < n; i++)
    for (int j = 0; j < n; j++) A[i * n + j] *= sin(A[i * n + j + 1]);
}
CHECK_INPLACE_N(next_row, DIFFERENCES, RANGE(16))

static void one_too_many(double *A, int count) {
  int n = side(count);
  for (int i = 0; i + 1 < n; i++)
    for (int j = 0; j <= n; j++) A[i * n + j] *= sin(A[i * n + (n - j)]);
}
CHECK_INPLACE_N(one_too_many, DIFFERENCES, RANGE(16))

static void rows(double *x, unsigned n, unsigned length) {
  for (unsigned i = 0; i < n; i += 2)
    for (unsigned j = 0; j < 3 && j < length; j++) x[i * length + j] *= sin(x[i * length + j + 2]);
}
static void length_wraps(double *x, int n) { rows(x, 4, (unsigned)n + 2147483642u); }
CHECK_INPLACE_N(length_wraps, DIFFERENCES, RANGE(6))

static void long_rows(double *x, size_t n, size_t length) {
  for (size_t i = 0; i < n; i += 2)
    for (size_t j = 0; j < 3 && j < length; j++) x[i * length + j] *= sin(x[i * length + j + 2]);
}
static void long_length_wraps(double *x, int n) { long_rows(x, 12, (size_t)(n - 5) << 63); }
CHECK_INPLACE_N(long_length_wraps, DIFFERENCES, RANGE(6))

// In the next step all is written again.
static void steps(double *A, int count) {
  int n = side(count);
  for (int t = 0; t < 3; t++)
    for (int i = 1; i < n; i++)
      for (int j = 0; j < n; j++) A[i * n + j] *= sin(A[(i - 1) * n + j]);
}
CHECK_INPLACE_N(steps, DIFFERENCES, RANGE(16))
