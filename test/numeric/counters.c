// RUN: %numeric %s
// Counters of all widths, with strides, in both directions, and pointers that count.
#include "check.h"

#define BODY(i) s = s * 0.6 + sin(s * x[(i) % 5]) * 0.9

static double unsigned_stride(double *x, int n) {
  double s = 1;
  for (unsigned i = 0; i < (unsigned)n; i += 2)
    for (unsigned j = 1; j < i; j += 3) BODY(j);
  return s;
}
CHECK_SCALAR_N(unsigned_stride, DIFFERENCES, RANGE(9))

static double shorts(double *x, int n) {
  double s = 1;
  short m = (short)n;
  for (short i = 0; i < m; i += 2)
    for (short j = i; j < m; j = (short)(j + 1)) BODY(j);
  return s;
}
CHECK_SCALAR_N(shorts, DIFFERENCES, RANGE(7))

static double bytes(double *x, int n) {
  double s = 1;
  unsigned char m = (unsigned char)n;
  for (unsigned char i = 0; i < m; i++)
    for (unsigned char j = i; j != (unsigned char)(i + 3); j++) BODY(j);
  return s;
}
CHECK_SCALAR_N(bytes, DIFFERENCES, RANGE(5))

static double wrapping_byte(double *x, int n) { // 256 iterations from 250 on, and again
  double s = 1;
  for (int i = 0; i < n; i++) {
    unsigned char j = 250;
    do BODY(j);
    while (++j != 249);
  }
  return s;
}
CHECK_SCALAR_N(wrapping_byte, DIFFERENCES, POINT(0.5, 0.7, 1.1, 0.4, 0.9))

static double pointers(double *x, int n) {
  double s = 1;
  for (double *p = x; p < x + n; p++) {
    double *q = p + 1;
    while (q-- > x) s = s * 0.6 + sin(s * *q) * 0.9;
    for (q = x + n; --q != p;) s = s * 0.7 + sin(s * *q) * *p;
  }
  return s;
}
CHECK_SCALAR_N(pointers, DIFFERENCES, RANGE(6))

static double countdown(double *x, int n) {
  double s = 1;
  for (int i = 0; i < n; i++) {
    unsigned k = (unsigned)i;
    while (k--) BODY(k);
    for (long l = n; l > i; l -= 2) BODY(l);
  }
  return s;
}
CHECK_SCALAR_N(countdown, DIFFERENCES, RANGE(6))

static double halved(double *x, int n) {
  double s = 1;
  for (int i = 1; i <= n; i *= 2)
    for (int j = i; j > 0; j /= 2) BODY(j);
  return s;
}
CHECK_SCALAR_N(halved, DIFFERENCES, RANGE(9))

static double variable_stride(const double *x, unsigned n, unsigned step) {
  double s = 1;
  for (unsigned i = 0; i < n; i++)
    for (unsigned j = i; j < n; j += step) BODY(j);
  return s;
}
static double strides(double *x, int n) { return variable_stride(x, (unsigned)n, 2) + variable_stride(x, 5, (unsigned)n); }
CHECK_SCALAR_N(strides, DIFFERENCES, RANGE(6))
