// RUN: %numeric %s
// long double: locals, arrays, structs, library functions, conversions, arguments by value, copies, values on the tape.
#include "check.h"

static double roots(double *x) {
  long double s = 0;
  for (int i = 1; i <= 3; i++) s += sqrtl((long double)x[0] + i) * (long double)x[1];
  return (double)(s * s);
}
static void roots_want(const double *x, const double *w, double *g) {
  double a = 0, b = 0;
  for (int i = 1; i <= 3; i++) a += sqrt(x[0] + i), b += 0.5 / sqrt(x[0] + i);
  g[0] = w[0] * 2 * a * x[1] * b * x[1];
  g[1] = w[0] * 2 * a * a * x[1];
}
CHECK_SCALAR(roots, roots_want, RANGE(2))

static double kept(double *x, int n) {
  long double s = 0.25L, t = x[0];
  for (int i = 0; i < n; i++) {
    s = 0.5L * s * sinl(s + x[i]) + t;
    t = expl(-t) + 0.1L * i * x[i] * s;
  }
  return (double)(s + t);
}
CHECK_SCALAR_N(kept, DIFFERENCES, RANGE(7))

static double until(double *x, int n) {
  long double s = x[0];
  int i = 0;
  while (s < 50) s = s * 1.5L + 0.01L * s * s * x[i++ % n];
  return (double)s;
}
CHECK_SCALAR_N(until, DIFFERENCES, RANGE(4))

struct body {
  long double mass;
  int kind;
  long double at[2];
};
static long double energy(struct body b) { return b.kind * b.mass * (b.at[0] * b.at[0] + b.at[1] * b.at[1]); }
static double in_structs(double *x) {
  struct body b = {x[0], 3, {x[1], x[2]}}, c = b;
  c.at[1] *= b.at[0];
  return (double)(energy(b) + powl(c.at[1], 1.5L) * energy(c));
}
CHECK_SCALAR(in_structs, DIFFERENCES, RANGE(3))

static double arrays(double *x, int n) {
  long double a[8], b[8], r = 0;
  for (int i = 0; i < n; i++) a[i] = hypotl(x[i], i), b[i] = 0;
  memcpy(b, a, sizeof a[0] * n);
  for (int i = 1; i < n; i++) b[i] = b[i] * b[i - 1];
  for (int i = 0; i < n; i++) r += b[i] * a[n - 1 - i];
  return (double)r;
}
CHECK_SCALAR_N(arrays, DIFFERENCES, RANGE(6))

static double minima(double *x, int n) {
  long double m = INFINITY, d = 0;
  for (int i = 0; i < n; i++) m = fminl(m, (x[i] - 1) * (x[i] - 1)), d += fabsl(x[i] - 0.9L) + fdiml(x[i], 0.8L);
  return (double)(m * d);
}
CHECK_SCALAR_N(minima, DIFFERENCES, RANGE(6))

static long double product(long double a, const long double *b, int n) {
  long double p = a;
  for (int i = 0; i < n; i++) p *= 1 + b[i] * a;
  return p;
}
PARDIFF_AUTODIFF(long double, extended);
PARDIFF_FWDDIFF(long double, extended);
CHECK_BY_HAND(arguments) {
  long double b[2] = {0.5L, -0.25L}, db[2] = {0, 0}, tb[2] = {0.5L, 2};
  long double a = 1.25L, da = __pardiff_autodiff_extended((void *)product, pardiff_out, a, pardiff_dup, b, db, 2);
  long double u = 1 + b[0] * a, v = 1 + b[1] * a;
  near_to("by value", (double)(da / (u * v + a * b[0] * v + a * u * b[1])), 1, 1e-15);
  near_to("first", (double)(db[0] / (a * a * v)), 1, 1e-15);
  near_to("second", (double)(db[1] / (a * a * u)), 1, 1e-15);
  long double t = __pardiff_fwddiff_extended((void *)product, pardiff_dup, a, 3.0L, pardiff_dup, b, tb, 2);
  near_to("tangent", (double)(t / (3 * da + tb[0] * db[0] + tb[1] * db[1])), 1, 1e-15);
}

// The derivative is computed in long double: nothing of it is lost in double.
static long double cubed(const long double *x) { return *x * *x * *x; }
CHECK_BY_HAND(precise) {
  long double x = 1 / 3.0L, dx = 0;
  __pardiff_autodiff_extended((void *)cubed, pardiff_dup, &x, &dx);
  expect("to the last place of long double", fabsl(dx - 1 / 3.0L) <= 1e-19L);
}
