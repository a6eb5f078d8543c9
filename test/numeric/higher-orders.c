// RUN: %numeric %s
// Derivatives of derivatives, to the third order, of functions whose gradients keep a tape and memory for later.
#include "check.h"

double __pardiff_autodiff_number(void *, ...);
double __pardiff_fwddiff_number(void *, ...);

// e^x, by a series: the number of terms is known while running only.
static double series(double x, int n) {
  double s = 1, t = 1;
  for (int i = 1; i <= n; i++) {
    t *= x / i;
    s += t;
  }
  return s;
}

// x^3, through memory that is given back, and a local array.
static double heap(double x, int n) {
  double *a = malloc(n * sizeof *a), b[n], s = 0;
  for (int i = 0; i < n; i++) a[i] = x * x, b[i] = a[i] / n;
  free(a);
  a = malloc(sizeof *a);
  for (int i = 0; i < n; i++) *a = b[i] * x, s += *a;
  free(a);
  return s;
}

// Each order in both modes.
#define ORDERS(f)                                                                                                     \
  static double f##_r(double x, int n) { return __pardiff_autodiff_number((void *)f, x, n); }                         \
  static double f##_f(double x, int n) { return __pardiff_fwddiff_number((void *)f, x, 1.0, n); }                     \
  static double f##_rr(double x, int n) { return __pardiff_autodiff_number((void *)f##_r, x, n); }                    \
  static double f##_rf(double x, int n) { return __pardiff_autodiff_number((void *)f##_f, x, n); }                    \
  static double f##_fr(double x, int n) { return __pardiff_fwddiff_number((void *)f##_r, x, 1.0, n); }                \
  static double f##_rrr(double x, int n) { return __pardiff_autodiff_number((void *)f##_rr, x, n); }                  \
  static double f##_rfr(double x, int n) { return __pardiff_autodiff_number((void *)f##_fr, x, n); }                  \
  static double f##_frr(double x, int n) { return __pardiff_fwddiff_number((void *)f##_rr, x, 1.0, n); }              \
  static double f##_frf(double x, int n) { return __pardiff_fwddiff_number((void *)f##_rf, x, 1.0, n); }              \
  static void f##_orders(double x, int n, double first, double second, double third) {                                \
    near(#f " r", f##_r(x, n), first), near(#f " f", f##_f(x, n), first);                                             \
    near(#f " rr", f##_rr(x, n), second), near(#f " rf", f##_rf(x, n), second), near(#f " fr", f##_fr(x, n), second); \
    near(#f " rrr", f##_rrr(x, n), third), near(#f " rfr", f##_rfr(x, n), third);                                     \
    near(#f " frr", f##_frr(x, n), third), near(#f " frf", f##_frf(x, n), third);                                     \
  }
ORDERS(series)
ORDERS(heap)
CHECK_BY_HAND(orders) {
  series_orders(0.5, 25, exp(0.5), exp(0.5), exp(0.5));
  heap_orders(2, 3, 12, 12, 6);
}
