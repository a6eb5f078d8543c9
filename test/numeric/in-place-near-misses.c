// RUN: %numeric %s
// Stores that do hit what was loaded before, where a wrong bound, order or wrap would say that they do not.
#include "check.h"

static int side(int n) { return (int)(sqrt((double)n) + 0.5); }

// Rows of n with n + 1 columns: the last one is the first of the next row.
static void one_too_many(double *A, int count) {
  int n = side(count);
  for (int i = 0; i + 1 < n; i++)
    for (int j = 0; j <= n; j++) A[i * n + j] *= sin(A[i * n + (n - j)]);
}
CHECK_INPLACE_N(one_too_many, DIFFERENCES, RANGE(16))

// What is read of column n is column 0 of the next row, which is written later.
static void next_row(double *A, int count) {
  int n = side(count);
  for (int i = 0; i + 1 < n; i++)
    for (int j = 0; j < n; j++) A[i * n + j] *= sin(A[i * n + j + 1]);
}
CHECK_INPLACE_N(next_row, DIFFERENCES, RANGE(16))

// Column -1 is the last of the row before.
static void row_before(double *A, int count) {
  int n = side(count);
  for (int i = n - 1; i > 0; i--)
    for (int j = 0; j < n; j++) A[i * n + j] *= sin(A[i * n + j - 1]);
}
CHECK_INPLACE_N(row_before, DIFFERENCES, RANGE(16))

// The mirror image is written, which was read as a factor before.
static void symmetric(double *A, int count) {
  int n = side(count);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) A[j * n + i] = sin(A[i * n + j]) * A[j * n + i];
}
CHECK_INPLACE_N(symmetric, DIFFERENCES, RANGE(16))

// The same triangle is written by the second loop after it was read by the first, which only the order of loops says.
static void twice(double *A, int count) {
  int n = side(count);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++) A[i * n + i] *= sin(A[i * n + j]);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++) A[i * n + j] *= A[i * n + i];
}
CHECK_INPLACE_N(twice, DIFFERENCES, RANGE(16))

// In one sweep all is final, in the next one it is not.
static void sweeps(double *A, int count) {
  int n = side(count);
  for (int t = 0; t < 3; t++)
    for (int i = 1; i < n; i++)
      for (int j = 0; j < n; j++) A[i * n + j] *= sin(A[(i - 1) * n + j]);
}
CHECK_INPLACE_N(sweeps, DIFFERENCES, RANGE(16))

// The same without a trip count that is known.
static void until(double *A, int count) {
  int n = side(count);
  while (A[count - 1] > 0.3)
    for (int i = 1; i < n; i++)
      for (int j = 0; j < n; j++) A[i * n + j] *= 0.7 * sin(A[(i - 1) * n + j]);
}
CHECK_INPLACE_N(until, DIFFERENCES, RANGE(16))

// Upward what is read is final, downward it is overwritten.
static void upward(double *x, int n) {
  for (int i = 1; i < n; i++) x[i] *= sin(x[i - 1]);
}
CHECK_INPLACE_N(upward, DIFFERENCES, RANGE(9))
static void downward(double *x, int n) {
  for (int i = n - 1; i > 0; i--) x[i] *= sin(x[i - 1]);
}
CHECK_INPLACE_N(downward, DIFFERENCES, RANGE(9))

// The distance is not known to be positive.
static void apart(double *x, int n, int by) {
  for (int i = 0; i < n; i++)
    if (i + by >= 0 && i + by < n) x[i] *= sin(x[i + by]);
}
static void ahead(double *x, int n) { apart(x, n, 2); }
static void behind(double *x, int n) { apart(x, n, -2); }
static void by_length(double *x, int n) { apart(x, n, (int)(n * 0.3)); }
CHECK_INPLACE_N(ahead, DIFFERENCES, RANGE(9))
CHECK_INPLACE_N(behind, DIFFERENCES, RANGE(9))
CHECK_INPLACE_N(by_length, DIFFERENCES, RANGE(9))

// The row length is zero: all rows are one. It is -1: rows go backward.
static void rows(double *A, int n, int m, int length) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) A[i * length + j] *= sin(A[(i + 1) * length + j]);
}
static void no_length(double *x, int n) { rows(x, 3, n, n - 6); }
static void less_length(double *x, int n) { rows(x + 4, 3, n - 4, (int)(n * -0.2)); }
static void short_length(double *x, int n) { rows(x, 2, 4, 2); }
CHECK_INPLACE_N(no_length, DIFFERENCES, RANGE(6))
CHECK_INPLACE_N(less_length, DIFFERENCES, RANGE(8))
CHECK_INPLACE_N(short_length, DIFFERENCES, RANGE(10))

// Nothing is done with n < 1, whatever n * n is.
static void negative(double *x, int n) {
  int m = 4 - n;
  for (int i = 0; i < m; i++)
    for (int j = 0; j < m; j++) x[i * m + j] *= x[j * m + i];
  x[0] *= x[1];
}
CHECK_INPLACE_N(negative, DIFFERENCES, RANGE(6))

// Unsigned arithmetic of 32 bits that wraps: all rows that are visited are one.
static void wraps(double *x, int n) {
  unsigned length = 2147483648u;
  for (unsigned i = 0; i < 4; i += 2)
    for (unsigned j = 0; j < 3; j++) x[i * length + j] *= sin(x[i * length + j + 2]);
}
CHECK_INPLACE_N(wraps, DIFFERENCES, RANGE(6))
static void wraps_by(double *x, unsigned n, unsigned length) {
  for (unsigned i = 0; i < n; i += 2)
    for (unsigned j = 0; j < 3 && j < length; j++) x[i * length + j] *= sin(x[i * length + j + 2]);
}
static void wraps_at_run_time(double *x, int n) { wraps_by(x, 4, (unsigned)n + 2147483642u); }
CHECK_INPLACE_N(wraps_at_run_time, DIFFERENCES, RANGE(6))

// The same with 64 bits.
static void wraps_long_by(double *x, size_t n, size_t length) {
  for (size_t i = 0; i < n; i += 2)
    for (size_t j = 0; j < 3 && j < length; j++) x[i * length + j] *= sin(x[i * length + j + 2]);
}
static void wraps_long(double *x, int n) { wraps_long_by(x, 12, (size_t)(n - 5) << 63); }
CHECK_INPLACE_N(wraps_long, DIFFERENCES, RANGE(6))

// Counters of eight bits that wrap.
static void narrow(double *x, int n) {
  unsigned char at = 250;
  for (int i = 0; i < 12; i++, at++) x[at % 8] *= sin(x[(unsigned char)(at + 3) % 8]);
}
CHECK_INPLACE_N(narrow, DIFFERENCES, RANGE(8))
static void narrow_counter(double *x, int n) {
  for (int i = 0; i < 600; i += 100) {
    unsigned char at = (unsigned char)i;
    x[at] *= sin(x[(unsigned char)(at + 100)]);
  }
}
CHECK_INPLACE_N(narrow_counter, DIFFERENCES, RANGE(256))

// Numbers of different sizes at overlapping places.
static void halves_of(double *x, int n) {
  for (int i = 0; i + 1 < n; i++) {
    double a = x[i], b;
    memcpy(&b, (char *)x + 8 * i + 8, 8);
    x[i] = a * b;
  }
}
CHECK_INPLACE_N(halves_of, DIFFERENCES, RANGE(8))

// A condition decides which way round.
static void either(double *A, int count) {
  int n = side(count);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      if (A[i * n + j] > 1) A[i * n + j] *= A[j * n + i];
      else A[j * n + i] *= sin(A[i * n + j]);
    }
}
CHECK_INPLACE_N(either, DIFFERENCES, RANGE(16))

// The index comes from memory.
static void permuted(double *x, int n) {
  int at[8] = {3, 1, 7, 0, 2, 6, 5, 4};
  for (int i = 0; i < 8; i++) x[at[i]] *= sin(x[i]);
}
CHECK_INPLACE_N(permuted, DIFFERENCES, RANGE(8))

// A loop that is left early; what follows overwrites what it read.
static void early(double *x, int n) {
  int i = 0;
  for (; i < n - 1; i++) {
    if (x[i] > 1.4) break;
    x[i] *= x[i + 1];
  }
  for (int j = 0; j <= i && j < n; j++) x[j] *= sin(x[n - 1 - j]);
}
CHECK_INPLACE_N(early, DIFFERENCES, RANGE(12))

// A row pointer that goes up and down.
static void zigzag(double *A, int count) {
  int n = side(count);
  double *row = A;
  for (int i = 0; i < 2 * n - 2; i++) {
    double *next = i < n - 1 ? row + n : row - n;
    for (int j = 0; j < n; j++) next[j] *= sin(row[j]);
    row = next;
  }
}
CHECK_INPLACE_N(zigzag, DIFFERENCES, RANGE(16))

