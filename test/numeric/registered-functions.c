// RUN: %numeric %s
// What the program says about functions: that they have no derivative, or that of a known function.
#include "check.h"

#define NOINLINE __attribute__((noinline))

double __pardiff_autodiff_number(void *, ...);
double __pardiff_fwddiff_number(void *, ...);

// The body computes something else than the rule, so that the two can be told apart.
static double slow_log1p(double x) { return 2 * x; }
void *__enzyme_function_like_log1p[2] = {(void *)slow_log1p, (void *)"log1p"};
static double logarithm(double x) { return 3 * slow_log1p(x * x); }
CHECK_BY_HAND(like_log1p) {
  near("slope", __pardiff_autodiff_number((void *)logarithm, 1.5), 3 * 2 * 1.5 / (1 + 1.5 * 1.5));
  near("tangent", __pardiff_fwddiff_number((void *)logarithm, 1.5, 2.0), 2 * 3 * 2 * 1.5 / (1 + 1.5 * 1.5));
}

// A rule that uses the function's value takes the value of the function of the program.
static double own_exp(double x) { return exp(x); }
void *__pardiff_function_like_exp[2] = {(void *)own_exp, (void *)"exp"};
static double growth(double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += own_exp(-x[i] * s) * x[i];
  return s;
}
CHECK_SCALAR_N(growth, DIFFERENCES, RANGE(5))

__attribute__((annotate("pardiff_function_like=hypot"))) static float own_hypot(float x, float y) {
  return sqrtf(x * x + y * y);
}
static double distance(double x) { return own_hypot(x, 4); }
CHECK_BY_HAND(annotated) {
  double slope = __pardiff_autodiff_number((void *)distance, 3.0);
  near_to("slope", slope, 0.6, 1e-6);
}

static double rounded(double x) { return x * x; }
void *__enzyme_inactivefn[1] = {(void *)rounded};
static double around(double x) { return x * rounded(x); }
CHECK_BY_HAND(inactive) {
  near("slope", __pardiff_autodiff_number((void *)around, 3.0), 9);
  near("tangent", __pardiff_fwddiff_number((void *)around, 3.0, 2.0), 18);
}

// Reads active memory, writes to its own and to the caller's.
static int seen;
__attribute__((annotate("enzyme_inactive"))) NOINLINE static int watch(const double *x, int n, int *count) {
  seen += n;
  *count += 1;
  return x[0] > 1 ? 2 : 3;
}
static double watched(double *x, int n) {
  double s = 0;
  int count = 0;
  for (int i = 0; i < n; i++) s += watch(x, n, &count) * x[i] * x[i] + count;
  return s;
}
CHECK_SCALAR_N(watched, DIFFERENCES, RANGE(4))
CHECK_BY_HAND(effects) {
  double x[2] = {2, 3}, dx[2] = {0};
  seen = 0;
  __pardiff_autodiff_number((void *)watched, x, dx, 2);
  near("element", dx[1], 12);
  expect("called as in the function", seen == 4);
}
