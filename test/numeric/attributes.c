// RUN: %numeric %s
// Promises about the function (pure, const, restrict, assumptions) do not carry over to its gradient.
#include "check.h"

#define NOINLINE __attribute__((noinline))

NOINLINE __attribute__((pure)) static double is_pure(double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += x[i] * x[i] * s + x[i];
  return s;
}
CHECK_SCALAR_N(is_pure, DIFFERENCES, RANGE(5))

NOINLINE __attribute__((const)) static double cube(double v) { return v * v * v; }
static double calls_const(double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += cube(x[i]) * cube(s * 0.1);
  return s + cube(x[0]);
}
CHECK_SCALAR_N(calls_const, DIFFERENCES, RANGE(5))

static void restricted(const double *restrict x, double *restrict y, int n) {
  for (int i = 0; i < n; i++) y[i] = x[i] * x[n - 1 - i];
}
CHECK_VECTOR_N(restricted, 6, DIFFERENCES, RANGE(6))

__attribute__((nonnull, returns_nonnull, noinline)) static double *second(double *x) { return x + 1; }
static double assumes(double *x, int n) {
  __builtin_assume(n > 2);
  if (n < 0) __builtin_unreachable();
  double s = 0, *p = second(x);
  for (int i = 0; i < n - 1; i++)
    if (__builtin_expect(p[i] > 1, 0)) s += p[i] * p[i] * x[0];
  return s;
}
CHECK_SCALAR_N(assumes, DIFFERENCES, RANGE(7))

NOINLINE __attribute__((optnone)) static double not_optimised(double *x, int n) {
  double s = 1;
  for (int i = 0; i < n; i++) s *= sin(x[i]) + 1;
  return s;
}
CHECK_SCALAR_N(not_optimised, DIFFERENCES, RANGE(5))

inline __attribute__((always_inline)) static double inlined(double v) { return v / (1 + v); }
static double calls_inlined(double *x, int n) { return inlined(x[0]) * inlined(x[1]); }
CHECK_SCALAR_N(calls_inlined, DIFFERENCES, RANGE(2))
