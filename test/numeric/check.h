// check.h: a numeric test is one function and one CHECK_ line.
//
// Every check compares, at one point and with fixed weights w of the results and a fixed direction v of the inputs:
//   - the reverse-mode gradient with the hand-derived one, where the test gives it, and with central differences;
//   - reverse with forward mode, by the identity  <gradient, v> = <w, tangent>;
//   - a second call into the same shadow with twice the gradient (shadows are added to);
//   - results that the gradient call computes with those of a plain call, and their used seeds with 0.
//
//   CHECK_SCALAR(f, want, point)      double f(double *x)
//   CHECK_SCALAR_N(f, want, point)    double f(double *x, int n)              n is the number of inputs
//   CHECK_FLOAT_N(f, want, point)     float f(float *x, int n)
//   CHECK_VECTOR(f, m, want, point)   void f(double *x, double *y)            assigns all m results y
//   CHECK_VECTOR_N(f, m, want, point) void f(double *x, double *y, int n)
//   CHECK_INPLACE_N(f, want, point)   void f(double *x, int n)                x is input and result
//   CHECK_BY_HAND(name) { ... }       anything else: near(what, got, expected), near_to(..., tolerance), expect(what, truth)
//
// point is POINT(1.0, 2.0, ...) or RANGE(n), n numbers between 0.4 and 1.6 in no order.
// want is a function  void want(const double *x, const double *w, double *g)  or DIFFERENCES for differences alone.
// A program may hold several checks. It prints OK last and exits 0 if all hold; with --values it prints each gradient.
// -DSELFTEST checks the hand-derived gradients against differences without the plugin.
#ifndef CHECK_H
#define CHECK_H

#include "pardiff.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef TOLERANCE // relative to the hand-derived gradient and in the identity
#define TOLERANCE 1e-12
#endif
#ifndef DIFFERENCE_TOLERANCE // relative to central differences of fourth order
#define DIFFERENCE_TOLERANCE 1e-8
#endif
#ifndef STEP
#define STEP 1e-3
#endif
#define FLOAT_TOLERANCE 2e-5
#define FLOAT_DIFFERENCE_TOLERANCE 5e-3
#define FLOAT_STEP 2e-2

enum { MOST = 256 };
typedef void want_function(const double *x, const double *w, double *g);
#define DIFFERENCES ((want_function *)0)

struct point {
  int n, range;
  double x[MOST];
};
#define POINT(...)                                                                                                    \
  { sizeof((const double[]){__VA_ARGS__}) / sizeof(double), 0, { __VA_ARGS__ } }
#define RANGE(n)                                                                                                      \
  { n, 1, { 0 } }

struct check {
  const char *name;
  struct point at;
  int m; // number of results; 0: as many as inputs
  int is_float;
  int inputs_survive; // the function leaves its inputs as they were, so shadows can be added to twice
  void (*eval)(const double *x, double *y, int n);
  void (*reverse)(struct check *self, const double *x, const double *w, double *g, double *y, double *w_left, int n);
  void (*forward)(const double *x, const double *v, double *t, int n);
  want_function *want;
  void (*by_hand)(void);
  struct check *next;
};
static struct check *check_first, **check_last = &check_first;
static int check_wrong, check_print_values;

static inline void check_add(struct check *c) {
  if (c->m == 0) c->m = c->at.n;
  *check_last = c;
  check_last = &c->next;
}

// A number the optimiser knows nothing about.
static inline int opaque(int n) {
  volatile int v = n;
  return v;
}

static inline void expect(const char *what, int truth) {
  if (!truth) {
    printf("WRONG %s\n", what);
    check_wrong++;
  }
}

static inline void near_to(const char *what, double got, double expected, double tolerance) {
  if (check_print_values) printf("value %.17g\n", got);
  if (got == expected || (isnan(got) && isnan(expected))) return;
  if (fabs(got - expected) <= tolerance * fabs(expected)) return;
  printf("WRONG %s: got %.17g expected %.17g\n", what, got, expected);
  check_wrong++;
}

static inline void near(const char *what, double got, double expected) {
  near_to(what, got, expected, TOLERANCE);
}

// Relative to the largest expected number, which counts as at least `least`.
static inline void check_close(const struct check *c, const char *what, int n, const double *got,
                               const double *expected, double tolerance, double least) {
  double most = least;
  for (int i = 0; i < n; i++)
    if (fabs(expected[i]) > most) most = fabs(expected[i]);
  for (int i = 0; i < n; i++) {
    if (fabs(got[i] - expected[i]) <= tolerance * (most + fabs(expected[i]))) continue;
    printf("WRONG %s: %s [%d]: got %.17g expected %.17g\n", c->name, what, i, got[i], expected[i]);
    check_wrong++;
  }
}

static inline double check_weighted(const struct check *c, const double *x, const double *w) {
  static double y[MOST];
  c->eval(x, y, c->at.n);
  double s = 0;
  for (int j = 0; j < c->m; j++) s += w[j] * y[j];
  return s;
}

static inline void check_differences(const struct check *c, const double *w, double *g) {
  static const double shift[4] = {-2, -1, 1, 2}, factor[4] = {1, -8, 8, -1};
  static double x[MOST];
  memcpy(x, c->at.x, sizeof x);
  for (int i = 0; i < c->at.n; i++) {
    double h = (c->is_float ? FLOAT_STEP : STEP) * fmax(1, fabs(c->at.x[i]));
    g[i] = 0;
    for (int k = 0; k < 4; k++) {
      x[i] = c->at.x[i] + shift[k] * h;
      g[i] += factor[k] * check_weighted(c, x, w) / (12 * h);
    }
    x[i] = c->at.x[i];
  }
}

// Reverse against forward mode along v, summed so that the tolerance is relative to what was added up.
static inline void check_identity(const struct check *c, const double *w, const double *g, double tolerance) {
  static double v[MOST], t[MOST];
  for (int i = 0; i < c->at.n; i++) v[i] = cos(2.1 * i + 0.4);
  memset(t, 0, sizeof t);
  c->forward(c->at.x, v, t, c->at.n);
  double by_reverse = 0, by_forward = 0, size = 0;
  for (int i = 0; i < c->at.n; i++) {
    by_reverse += g[i] * v[i];
    size += fabs(g[i] * v[i]);
  }
  for (int j = 0; j < c->m; j++) {
    by_forward += w[j] * t[j];
    size += fabs(w[j] * t[j]);
  }
  if (fabs(by_reverse - by_forward) <= tolerance * size) return;
  printf("WRONG %s: reverse against forward: %.17g and %.17g\n", c->name, by_reverse, by_forward);
  check_wrong++;
}

static inline void check_run(struct check *c) {
  static double w[MOST], left[MOST], zero[MOST], g[MOST], twice[MOST], y[MOST], plain[MOST], expected[MOST];
  double tolerance = c->is_float ? FLOAT_TOLERANCE : TOLERANCE;
  int n = c->at.n;
  if (c->at.range)
    for (int i = 0; i < n; i++) c->at.x[i] = 1 + 0.6 * sin(1.3 * i + 0.5);
  for (int j = 0; j < c->m; j++) w[j] = j % 3 == 1 ? -0.7 - 0.01 * j : 1 + 0.1 * j;

  double least = 1e-3 * fabs(check_weighted(c, c->at.x, w)); // differences of a constant are not quite 0
  memset(g, 0, sizeof g);
#ifdef SELFTEST
  (void)left, (void)zero, (void)twice, (void)y, (void)plain;
  check_differences(c, w, g);
  tolerance = c->is_float ? FLOAT_DIFFERENCE_TOLERANCE : DIFFERENCE_TOLERANCE;
#else
  c->reverse(c, c->at.x, w, g, y, left, n);
  c->eval(c->at.x, plain, n);
  check_close(c, "result of the gradient call", c->m, y, plain, tolerance, 0);
  check_close(c, "seed after the call", c->m, left, zero, 0, 0);
  check_differences(c, w, expected);
  check_close(c, "gradient against differences", n, g, expected,
              c->is_float ? FLOAT_DIFFERENCE_TOLERANCE : DIFFERENCE_TOLERANCE, least);
  least = 0;
  check_identity(c, w, g, tolerance);
  if (c->inputs_survive) {
    memcpy(twice, g, sizeof g);
    c->reverse(c, c->at.x, w, twice, y, left, n);
    for (int i = 0; i < n; i++) expected[i] = 2 * g[i];
    check_close(c, "second call into the same shadow", n, twice, expected, tolerance, 0);
  }
#endif
  if (c->want) {
    c->want(c->at.x, w, expected);
    check_close(c, "gradient against the hand-derived one", n, g, expected, tolerance, least);
  }
  if (check_print_values)
    for (int i = 0; i < n; i++) printf("value %.17g\n", g[i]);
}

int main(int argc, char **argv) {
  check_print_values = argc > 1 && strcmp(argv[1], "--values") == 0;
  for (struct check *c = check_first; c; c = c->next) {
    if (check_print_values) printf("%s %s\n", c->is_float ? "single" : "double", c->name);
    if (c->by_hand)
      c->by_hand();
    else
      check_run(c);
  }
  if (check_wrong) return 1;
  puts("OK");
  return 0;
}

#define CHECK_REGISTER(f, ...)                                                                                        \
  __attribute__((constructor)) static void f##_register(void) {                                                       \
    static struct check c = __VA_ARGS__;                                                                              \
    check_add(&c);                                                                                                    \
  }

#ifdef SELFTEST // nothing to compare with: left out
#define CHECK_BY_HAND(name) __attribute__((unused)) static void name(void)
#define CHECK_REQUEST(...) 0
#else
#define CHECK_BY_HAND(name)                                                                                           \
  static void name(void);                                                                                             \
  CHECK_REGISTER(name, {#name, {1, 0, {0}}, 0, 0, 0, 0, 0, 0, 0, name, 0})                                            \
  static void name(void)
#define CHECK_REQUEST(mode, ...) mode(__VA_ARGS__)
#endif
#define CHECK_WITH_N , n
#define CHECK_WITHOUT

// Whether f left its inputs alone decides at run time if it can be called twice into one shadow.
#define CHECK_SCALAR_AS(f, want_, type, single, autodiff, fwddiff, more, ...)                                         \
  static void f##_eval(const double *x, double *y, int n) {                                                           \
    type c[MOST];                                                                                                     \
    for (int i = 0; i < n; i++) c[i] = (type)x[i];                                                                    \
    y[0] = f(c more);                                                                                                 \
  }                                                                                                                   \
  static void f##_reverse(struct check *self, const double *x, const double *w, double *g, double *y, double *left,   \
                          int n) {                                                                                    \
    type c[MOST], d[MOST];                                                                                            \
    for (int i = 0; i < n; i++) c[i] = (type)x[i], d[i] = (type)g[i];                                                 \
    (void)w, (void)CHECK_REQUEST(autodiff, (void *)f, pardiff_dup, c, d more);                                        \
    self->inputs_survive = 1;                                                                                         \
    for (int i = 0; i < n; i++) g[i] = d[i], self->inputs_survive &= c[i] == (type)x[i];                              \
    f##_eval(x, y, n), left[0] = 0;                                                                                   \
  }                                                                                                                   \
  static void f##_forward(const double *x, const double *v, double *t, int n) {                                       \
    type c[MOST], d[MOST];                                                                                            \
    for (int i = 0; i < n; i++) c[i] = (type)x[i], d[i] = (type)v[i];                                                 \
    t[0] = CHECK_REQUEST(fwddiff, (void *)f, pardiff_dup, c, d more);                                                 \
  }                                                                                                                   \
  CHECK_REGISTER(f, {#f, __VA_ARGS__, 1, single, 0, f##_eval, f##_reverse, f##_forward, want_, 0, 0})

#define CHECK_SCALAR(f, want, ...)                                                                                    \
  CHECK_SCALAR_AS(f, want, double, 0, __pardiff_autodiff, __pardiff_fwddiff, CHECK_WITHOUT, __VA_ARGS__)
#define CHECK_SCALAR_N(f, want, ...)                                                                                  \
  CHECK_SCALAR_AS(f, want, double, 0, __pardiff_autodiff, __pardiff_fwddiff, CHECK_WITH_N, __VA_ARGS__)

#define CHECK_FLOAT_N(f, want, ...)                                                                                   \
  PARDIFF_AUTODIFF(float, float_##f);                                                                                 \
  PARDIFF_FWDDIFF(float, float_##f);                                                                                  \
  CHECK_SCALAR_AS(f, want, float, 1, __pardiff_autodiff_float_##f, __pardiff_fwddiff_float_##f, CHECK_WITH_N, __VA_ARGS__)

#define CHECK_VECTOR_AS(f, m, want_, more, ...)                                                                       \
  static void f##_eval(const double *x, double *y, int n) {                                                           \
    double c[MOST];                                                                                                   \
    for (int i = 0; i < n; i++) c[i] = x[i];                                                                          \
    f(c, y more);                                                                                                     \
  }                                                                                                                   \
  static void f##_reverse(struct check *self, const double *x, const double *w, double *g, double *y, double *left,   \
                          int n) {                                                                                    \
    (void)self;                                                                                                       \
    double c[MOST];                                                                                                   \
    for (int i = 0; i < n; i++) c[i] = x[i];                                                                          \
    for (int j = 0; j < m; j++) left[j] = w[j], y[j] = 0;                                                             \
    (void)CHECK_REQUEST(__pardiff_autodiff, (void *)f, pardiff_dup, c, g, pardiff_dup, y, left more);                 \
  }                                                                                                                   \
  static void f##_forward(const double *x, const double *v, double *t, int n) {                                       \
    double c[MOST], d[MOST], y[MOST];                                                                                 \
    for (int i = 0; i < n; i++) c[i] = x[i], d[i] = v[i];                                                             \
    (void)y, (void)t;                                                                                                 \
    (void)CHECK_REQUEST(__pardiff_fwddiff, (void *)f, pardiff_dup, c, d, pardiff_dup, y, t more);                     \
  }                                                                                                                   \
  CHECK_REGISTER(f, {#f, __VA_ARGS__, m, 0, 1, f##_eval, f##_reverse, f##_forward, want_, 0, 0})

#define CHECK_VECTOR(f, m, want, ...) CHECK_VECTOR_AS(f, m, want, CHECK_WITHOUT, __VA_ARGS__)
#define CHECK_VECTOR_N(f, m, want, ...) CHECK_VECTOR_AS(f, m, want, CHECK_WITH_N, __VA_ARGS__)

#define CHECK_INPLACE_N(f, want_, ...)                                                                                \
  static void f##_eval(const double *x, double *y, int n) {                                                           \
    for (int i = 0; i < n; i++) y[i] = x[i];                                                                          \
    f(y, n);                                                                                                          \
  }                                                                                                                   \
  static void f##_reverse(struct check *self, const double *x, const double *w, double *g, double *y, double *left,   \
                          int n) {                                                                                    \
    (void)self;                                                                                                       \
    for (int i = 0; i < n; i++) y[i] = x[i], g[i] = w[i], left[i] = 0;                                                \
    (void)CHECK_REQUEST(__pardiff_autodiff, (void *)f, pardiff_dup, y, g, n);                                         \
  }                                                                                                                   \
  static void f##_forward(const double *x, const double *v, double *t, int n) {                                       \
    double y[MOST];                                                                                                   \
    for (int i = 0; i < n; i++) y[i] = x[i], t[i] = v[i];                                                             \
    (void)y;                                                                                                          \
    (void)CHECK_REQUEST(__pardiff_fwddiff, (void *)f, pardiff_dup, y, t, n);                                          \
  }                                                                                                                   \
  CHECK_REGISTER(f, {#f, __VA_ARGS__, 0, 0, 0, f##_eval, f##_reverse, f##_forward, want_, 0, 0})

#endif
