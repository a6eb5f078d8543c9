// RUN: %numeric %s
// Calls through pointers: tables, callbacks, structs of functions, library functions, pointers that depend on data.
#include "check.h"

#define NOINLINE __attribute__((noinline))
typedef double (*binary)(double, double);
typedef double (*unary)(double);

NOINLINE static double product(double a, double b) { return a * b; }
NOINLINE static double mixed(double a, double b) { return sin(a) + b * b; }
NOINLINE static double quotient(double a, double b) { return a / (1 + b * b); }
static const binary constant_table[3] = {product, mixed, quotient};
static binary table[3] = {quotient, product, mixed};
static int which[] = {0, 1, 2, 1, 0, 2, 2, 1};

static double from_table(double *x, int n) {
  double r = x[0];
  for (int i = 0; i < n; i++) r = 0.5 * r + constant_table[which[i]](r, x[i]);
  return r;
}
CHECK_SCALAR_N(from_table, DIFFERENCES, RANGE(6))

static double from_variables(double *x, int n) {
  double r = x[0];
  for (int i = 0; i < n; i++) r += table[which[i]](x[i], 0.3 * r);
  return r;
}
CHECK_SCALAR_N(from_variables, DIFFERENCES, RANGE(6))

static double by_constant_index(double *x) { return constant_table[1](x[0], x[1]) * constant_table[2](x[2], x[0]); }
static void by_constant_index_want(const double *x, const double *w, double *g) {
  double u = sin(x[0]) + x[1] * x[1], v = x[2] / (1 + x[0] * x[0]), q = 1 + x[0] * x[0];
  g[0] = w[0] * (cos(x[0]) * v - u * v * 2 * x[0] / q);
  g[1] = w[0] * 2 * x[1] * v;
  g[2] = w[0] * u / q;
}
CHECK_SCALAR(by_constant_index, by_constant_index_want, RANGE(3))

static const unary of_the_library[] = {sin, exp, tanh};
static double library_functions(double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += of_the_library[which[i]](x[i] * 0.5) * x[0];
  return s;
}
CHECK_SCALAR_N(library_functions, DIFFERENCES, RANGE(5))

typedef double (*with_state)(double, const void *);
NOINLINE static double line(double t, const void *state) {
  const double *c = state;
  return c[0] + c[1] * t;
}
NOINLINE static double parabola(double t, const void *state) {
  const double *c = state;
  return c[0] + c[1] * t * t;
}
NOINLINE static double simpson(with_state f, const void *state, double a, double b, int n) {
  double h = (b - a) / n, s = 0;
  for (int i = 0; i < n; i++) s += f(a + i * h, state) + 4 * f(a + (i + 0.5) * h, state) + f(a + (i + 1) * h, state);
  return s * h / 6;
}
static double callback(double *x, int n) {
  return simpson(n > 3 ? line : parabola, x, x[2], x[3], n) * simpson(parabola, x + 1, x[0], x[2], 2);
}
CHECK_SCALAR_N(callback, DIFFERENCES, RANGE(4))

struct law {
  binary value;
  double weight;
  int shift;
};
static const struct law laws[] = {{product, 0.5, 0}, {mixed, -1.5, 1}, {quotient, 2, 2}};
static double in_a_struct(double *x, int n) {
  double s = 0;
  for (int i = 0; i + 2 < n; i++) {
    const struct law *law = &laws[which[i]];
    s += law->weight * law->value(x[i], x[i + law->shift]);
  }
  return s;
}
CHECK_SCALAR_N(in_a_struct, DIFFERENCES, RANGE(7))

static binary by_sign(double v) { return v > 1 ? product : v > 0.5 ? mixed : quotient; }
static double by_data(double *x, int n) {
  double s = 1;
  for (int i = 0; i + 1 < n; i++) s = by_sign(x[i])(s, x[i + 1]);
  return s;
}
CHECK_SCALAR_N(by_data, DIFFERENCES, POINT(0.3, 0.7, 1.4, 0.6, 1.1, 0.2))

// A function through a pointer that itself calls through a pointer.
NOINLINE static double twice(double a, double b) { return constant_table[b > 1](a, constant_table[2](b, a)); }
static binary outer[] = {twice, product};
static double nested_pointers(double *x, int n) { return outer[n & 1](x[0], x[1]) * outer[(n + 1) & 1](x[1], x[2]); }
CHECK_SCALAR_N(nested_pointers, DIFFERENCES, RANGE(3))

// A null pointer is never called.
static double optional(double *x, int n, unary f) { return f ? f(x[0]) * n : x[0] * x[0]; }
static double maybe_null(double *x, int n) { return optional(x, n, n > 2 ? cos : 0) + optional(x + 1, n, 0); }
CHECK_SCALAR_N(maybe_null, DIFFERENCES, RANGE(4))

// A function that writes through its argument.
typedef void (*step)(double *, double);
NOINLINE static void scale(double *v, double by) { v[0] *= by, v[1] += by; }
NOINLINE static void turn(double *v, double by) {
  double t = v[0];
  v[0] = cos(by) * t - sin(by) * v[1], v[1] = sin(by) * t + cos(by) * v[1];
}
static step steps[2] = {scale, turn};
static double in_place(double *x, int n) {
  double v[2] = {x[0], x[1]};
  for (int i = 0; i < n; i++) steps[which[i] & 1](v, x[i]);
  return v[0] * v[1];
}
CHECK_SCALAR_N(in_place, DIFFERENCES, RANGE(5))
