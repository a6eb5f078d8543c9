// RUN: %numeric %s
// Functions called from the function: static, noinline, with pointers to locals, called in loops, nested.
#include "check.h"

#define NOINLINE __attribute__((noinline))

NOINLINE static double square(double x) { return x * x; }
static double weigh(const double *x, int n, double (*unused)[4]) {
  double s = 0;
  for (int i = 0; i < n; i++) s += x[i] * (i + 1);
  return s;
}
NOINLINE static void update(double *target, const double *x, int i) { *target = *target * 0.5 + square(x[i]) * *target; }
NOINLINE static void fill(double *row, double v) {
  for (int k = 0; k < 4; k++) row[k] = v * k + sin(v);
}
static double deep3(double x) { return square(x) + sin(x); }
static double deep2(double x) { return deep3(x) * deep3(x + 1); }
static double deep1(double x) { return deep2(x) - deep2(2 * x); }

static double f(double *x, int n) {
  double row[4], total = 1;
  for (int i = 0; i < n; i++) {
    fill(row, x[i]);
    total += weigh(row, 4, 0) * 0.1;
    update(&total, x, i);
  }
  return total + deep1(x[0]);
}
CHECK_SCALAR_N(f, DIFFERENCES, RANGE(5))

NOINLINE static double dot(const double *a, const double *b, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += a[i] * b[i];
  return s;
}
static double gram(double *x, int n) { return dot(x, x, n) * dot(x, x + 1, n - 1) + dot(x + 2, x, n - 2); }
CHECK_SCALAR_N(gram, DIFFERENCES, RANGE(6))

static int pick(int i, int n) { return (i * 5 + 1) % n; }
static double integer_callee(double *x, int n) {
  double s = 1;
  for (int i = 0; i < n; i++) s *= 1 + 0.2 * x[pick(i, n)];
  return s;
}
CHECK_SCALAR_N(integer_callee, DIFFERENCES, RANGE(6))

NOINLINE static double first_above(const double *x, int n, double bound) {
  for (int i = 0; i < n; i++)
    if (x[i] > bound) return x[i] * x[i];
  return 0;
}
static double early_callee(double *x, int n) { return first_above(x, n, 1.2) * first_above(x, n, 0.9); }
CHECK_SCALAR_N(early_callee, DIFFERENCES, RANGE(8))
