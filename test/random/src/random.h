// random.h: checks generated functions. Each has the form
//
//     double f(double *x, double *y, float *z, double a, int n)
//
// with 8 numbers in x, 8 in y, 4 in z, all of them inputs and results, and n from 0 to 5. x and y lie apart, are the
// same or overlap. With fixed weights w of the results and a fixed direction v of the inputs, for several n:
//   - reverse against forward mode, by the identity <gradient, v> = <w, tangent>;
//   - the results that gradient calls compute with those of a plain call;
//   - the derivative along v with differences, where these say that the function is smooth.
// One line per function: "right NAME smooth S of T" or "wrong NAME ...". -DPRIMAL only runs the functions, -DBARE
// leaves out everything but them and their requests.
#ifndef RANDOM_H
#define RANDOM_H

#include "pardiff.h"
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct leaf {
  double p;
  float q;
  int k;
};
struct node {
  double u;
  int k;
  double v[3];
  struct leaf in[2];
};
struct box { // what y may be seen as: 8 numbers
  double u;
  double v[3];
  struct {
    double p, q;
  } in[2];
};
struct view {
  double *at;
  int length;
};
static const int permutation[8] = {3, 1, 0, 5, 7, 2, 6, 4};

enum { APART = 1, SAME = 2, OVERLAPPING = 4 };
#ifndef BARE
enum { NUMBERS = 16, SINGLES = 4, ALL = NUMBERS + SINGLES + 1 };
typedef double function(double *x, double *y, float *z, double a, int n);

// Inputs or results: x and y, z, and a or what the function returns.
struct state {
  double xy[NUMBERS];
  float z[SINGLES];
  double scalar;
};

struct check {
  const char *name;
  int layouts, single;
  function *primal;
  double (*reverse)(double *x, double *dx, double *y, double *dy, float *z, float *dz, double a, int n);
  double (*forward)(double *x, double *dx, double *y, double *dy, float *z, float *dz, double a, double da, int n);
  struct check *next;
};
static struct check *check_first, **check_last = &check_first;

static inline double *second(double *xy, int layout) {
  return layout == SAME ? xy : layout == OVERLAPPING ? xy + 3 : xy + 8;
}

static inline double number(const struct state *s, int i) {
  return i < NUMBERS ? s->xy[i] : i < NUMBERS + SINGLES ? s->z[i - NUMBERS] : s->scalar;
}

static inline struct state point(double from, double step, double size) {
  struct state s;
  for (int i = 0; i < NUMBERS; i++) s.xy[i] = size * sin(from + step * i);
  for (int i = 0; i < SINGLES; i++) s.z[i] = (float)(size * cos(from + step * i));
  s.scalar = size * cos(3 * from);
  return s;
}

static inline double product(const struct state *a, const struct state *b, double *size) {
  double sum = 0;
  for (int i = 0; i < ALL; i++) {
    double term = number(a, i) * number(b, i);
    sum += term;
    *size += fabs(term);
  }
  return sum;
}

static inline double run(const struct check *c, struct state *s, int layout, int n) {
  return s->scalar = c->primal(s->xy, second(s->xy, layout), s->z, s->scalar, n);
}

// The weighted sum of the results at x + h * v.
static inline double along(const struct check *c, const struct state *x, const struct state *v,
                           const struct state *w, double h, int layout, int n) {
  struct state s = *x;
  for (int i = 0; i < NUMBERS; i++) s.xy[i] += h * v->xy[i];
  for (int i = 0; i < SINGLES; i++) s.z[i] += (float)(h * v->z[i]);
  s.scalar += h * v->scalar;
  run(c, &s, layout, n);
  double size = 0;
  return product(&s, w, &size);
}

struct slope {
  double value, error; // the error is a guess, infinite where the function has a kink or a jump nearby
};

// Derivative along v from both sides. Differences of one side that disagree with those of the other speak of a kink.
static inline struct slope differences(const struct check *c, const struct state *x, const struct state *v,
                                       const struct state *w, int layout, int n) {
  double h = c->single ? 2e-3 : 2e-5, f[9];
  for (int i = -4; i <= 4; i++) f[i + 4] = along(c, x, v, w, i * h, layout, n);
  double right = (-3 * f[4] + 4 * f[5] - f[6]) / (2 * h), left = (3 * f[4] - 4 * f[3] + f[2]) / (2 * h);
  double narrow = (f[2] - 8 * f[3] + 8 * f[5] - f[6]) / (12 * h), wide = (f[0] - 8 * f[2] + 8 * f[6] - f[8]) / (24 * h);
  double noise = (fabs(f[4]) + 1) * (c->single ? 1e-6 : 1e-14) / h;
  double size = fabs(narrow) + fabs(wide) + 1e-3;
  struct slope slope = {narrow, noise + fabs(narrow - wide)};
  double allowed = (c->single ? 1e-2 : 1e-4) * size + 10 * noise;
  if (!(fabs(right - left) <= allowed) || !(fabs(narrow - wide) <= allowed)) slope.error = INFINITY;
  return slope;
}

static inline int same(const struct check *c, const struct state *a, const struct state *b, int *at) {
  for (int i = 0; i < ALL; i++) {
    double p = number(a, i), q = number(b, i), tolerance = c->single || i >= NUMBERS ? 1e-5 : 1e-12;
    *at = i;
    if (!(fabs(p - q) <= tolerance * (1 + fabs(p))) && !(isnan(p) && isnan(q))) return 0;
  }
  return 1;
}

#ifndef PRIMAL
// Whether all is right at one point; adds to the number of points where differences could decide.
static inline int examine(const struct check *c, int layout, int n, int *smooth) {
  const struct state x = point(0.3 + n, 1.7, 0.9), v = point(1.1, 2.3, 1), w = point(0.7 * n, 0.9, 1);
  struct state seed = w, plain = x, after = x, gradient, tangent = v;
  run(c, &plain, layout, n);
  // The value returned has weight 1 in reverse mode.
  seed.scalar = 1;
  gradient = seed;
  double *y = second(after.xy, layout), *dy = second(gradient.xy, layout);
  gradient.scalar = c->reverse(after.xy, gradient.xy, y, dy, after.z, gradient.z, x.scalar, n);
  after.scalar = plain.scalar;
  int at, at_forward;
  int kept = same(c, &plain, &after, &at);
  after = x;
  dy = second(tangent.xy, layout);
  tangent.scalar = c->forward(after.xy, tangent.xy, y, dy, after.z, tangent.z, x.scalar, v.scalar, n);
  after.scalar = plain.scalar;
  int kept_forward = same(c, &plain, &after, &at_forward);

  double size = 0, reverse = product(&gradient, &v, &size), forward = product(&seed, &tangent, &size);
  double tolerance = c->single ? 2e-4 : 1e-9;
  struct slope slope = differences(c, &x, &v, &seed, layout, n);
  if (slope.error < (c->single ? 2e-2 : 1e-4) * (size + 1)) ++*smooth;
  const char *wrong = 0;
  if (!kept || !kept_forward)
    wrong = kept ? "results of the forward call" : "results of the gradient call";
  else if (!(fabs(reverse - forward) <= tolerance * size) && !(isinf(size) && isnan(slope.error)))
    wrong = "reverse against forward";
  else if (fabs(forward - slope.value) > 20 * slope.error + (c->single ? 2e-2 : 1e-5) * (size + 1))
    wrong = "both modes against differences";
  if (!wrong) return 1;
  printf("wrong %s %s: layout %d n %d: reverse %.15g forward %.15g differences %.9g +- %.1g", c->name, wrong, layout, n,
         reverse, forward, slope.value, slope.error);
  if (!kept || !kept_forward) printf(" result %d", kept ? at_forward : at);
  puts("");
  return 0;
}
#endif

int main(int argc, char **argv) {
  static const int sizes[] = {0, 1, 3, 5};
  int all = 1;
  for (struct check *c = check_first; c; c = c->next) {
    if (argc > 1 && strcmp(argv[1], c->name) != 0) continue;
    int smooth = 0, points = 0, right = 1;
    for (int layout = APART; layout <= OVERLAPPING; layout *= 2)
      for (int i = 0; right && i < (int)(sizeof sizes / sizeof *sizes); i++) {
        if (!(c->layouts & layout)) break;
        points++;
#ifdef PRIMAL
        struct state x = point(0.3 + sizes[i], 1.7, 0.9);
        run(c, &x, layout, sizes[i]);
        for (int j = 0; j < ALL; j++) right &= fabs(number(&x, j)) < 1e6;
#else
        right = examine(c, layout, sizes[i], &smooth);
#endif
      }
    if (right) printf("right %s smooth %d of %d\n", c->name, smooth, points);
    all &= right;
    fflush(stdout);
  }
  return !all;
}

#endif // BARE

#ifdef BARE
#define LINKAGE
#else
#define LINKAGE static
#endif

#ifdef PRIMAL
#define REQUESTS(f)
#define CHECK_CALLS(f) f, 0, 0
#else
#define REQUESTS(f)                                                                                                   \
  LINKAGE double f##_reverse(double *x, double *dx, double *y, double *dy, float *z, float *dz, double a, int n) {     \
    return __pardiff_autodiff((void *)f, pardiff_dup, x, dx, pardiff_dup, y, dy, pardiff_dup, z, dz, pardiff_out, a,  \
                              pardiff_const, n);                                                                      \
  }                                                                                                                   \
  LINKAGE double f##_forward(double *x, double *dx, double *y, double *dy, float *z, float *dz, double a, double da,   \
                            int n) {                                                                                  \
    return __pardiff_fwddiff((void *)f, pardiff_dup, x, dx, pardiff_dup, y, dy, pardiff_dup, z, dz, pardiff_dup, a,   \
                             da, pardiff_const, n);                                                                   \
  }
#define CHECK_CALLS(f) f, f##_reverse, f##_forward
#endif

#ifdef BARE
#define CHECK(f, layouts, single) REQUESTS(f)
#else
#define CHECK(f, layouts, single)                                                                                     \
  REQUESTS(f)                                                                                                         \
  __attribute__((constructor)) static void f##_register(void) {                                                       \
    static struct check c = {#f, layouts, single, CHECK_CALLS(f), 0};                                                 \
    *check_last = &c;                                                                                                 \
    check_last = &c.next;                                                                                             \
  }
#endif

#endif
