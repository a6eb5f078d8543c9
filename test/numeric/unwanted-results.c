// RUN: %numeric %s
// What of the primal nobody wants is not run: results whose value is not wanted, local memory that nothing reads, and the loops
// around both. What something else reads, or may read under another name, is run.
#include "check.h"

extern int enzyme_primal_return;
PARDIFF_AUTODIFF(double, value);

enum { N = 6 };
typedef void function(double *x, double *y, int n);
typedef struct {
  double x[N], g[N], y[N], seed[N];
} state;

static state start(void) {
  state s = {{0.6, 1.3, 0.8, 1.1, 0.5, 0.9}, {0}, {7, 7, 7, 7, 7, 7}, {1, -2, 0.5, 3, -1, 2}};
  return s;
}

static double weighted(function *f, const double *x) {
  state s = start();
  memcpy(s.x, x, sizeof s.x);
  f(s.x, s.y, N);
  double sum = 0;
  for (int i = 0; i < N; i++) sum += s.seed[i] * s.y[i];
  return sum;
}

// The gradient with and without the results, and differences; all N results are assigned.
static void compare(function *f, state with, state without) {
  for (int i = 0; i < N; i++) {
    double h = 1e-3, d[4];
    for (int k = 0; k < 4; k++) {
      state s = start();
      s.x[i] += (k < 2 ? k - 2 : k - 1) * h;
      d[k] = weighted(f, s.x);
    }
    near_to("differences", with.g[i], (d[0] - 8 * d[1] + 8 * d[2] - d[3]) / (12 * h), 1e-8);
    near("gradient", without.g[i], with.g[i]);
    near("seed", without.seed[i], 0);
  }
}
#define WITH_AND_WITHOUT(f)                                                                                           \
  CHECK_BY_HAND(f##_is_the_same) {                                                                                    \
    state a = start(), b = start();                                                                                   \
    __pardiff_autodiff((void *)f, pardiff_dup, a.x, a.g, pardiff_dup, a.y, a.seed, opaque(N));                        \
    __pardiff_autodiff((void *)f, pardiff_dup, b.x, b.g, pardiff_dupnoneed, b.y, b.seed, opaque(N));                  \
    compare(f, a, b);                                                                                                 \
  }

// The one result that is read again, at a later place.
static void read_back(double *restrict x, double *restrict y, int n) {
  for (int i = 0; i < n; i++) y[i] = x[i] * x[i];
  for (int i = 1; i < n; i++) y[i] = sin(y[i - 1]) * x[i];
}
WITH_AND_WITHOUT(read_back)

// The condition reads a result.
static void decides(double *restrict x, double *restrict y, int n) {
  for (int i = 0; i < n; i++) y[i] = sin(x[i]) * x[i];
  for (int i = 0; i < n; i++)
    if (y[n - 1 - i] > 0.7) y[i] = x[i] * x[i] * x[i];
}
WITH_AND_WITHOUT(decides)

static void powers(double *restrict x, double *restrict y, int n) {
  double p[N], unused[N];
  for (int i = 0; i < n; i++) {
    p[0] = x[i];
    for (int k = 1; k < n; k++) p[k] = p[k - 1] * x[(i + k) % n];
    for (int k = 0; k < n; k++) unused[k] = exp(p[k]);
    y[i] = p[n - 1] + p[n / 2] * p[1];
    if (x[i] > 100) y[0] = unused[1];
  }
}
WITH_AND_WITHOUT(powers)

static void moved(double *restrict x, double *restrict y, int n) {
  double a[N], *b = malloc(n * sizeof *b), *c = calloc(n, sizeof *c);
  memcpy(a, x, sizeof a);
  memcpy(b, a, n * sizeof *b);
  for (int i = 0; i < n; i++) c[i] += b[i] * b[(i + 1) % n], a[i] = 0;
  for (int i = 0; i < n; i++) y[i] = c[i] * c[i] + a[i];
  free(b), free(c);
}
WITH_AND_WITHOUT(moved)

// Local memory behind pointers in local memory.
struct pair {
  double *a, *b;
};
static void behind_pointers(double *restrict x, double *restrict y, int n) {
  double even[N], odd[N];
  struct pair of[2] = {{even, odd}, {odd, even}};
  for (int i = 0; i < n; i++) of[i % 2].a[i] = x[i] * x[i], of[i % 2].b[i] = sin(x[i]);
  for (int i = 0; i < n; i++) y[i] = even[i] * even[i] * odd[i];
}
WITH_AND_WITHOUT(behind_pointers)

// Loops whose end is found while running, and exits.
static void until(double *restrict x, double *restrict y, int n) {
  for (int i = 0; i < n; i++) {
    double r = x[i], t = 1;
    int k = 0;
    while (fabs(r * r - x[i]) > 1e-3 * x[i]) r = 0.5 * (r + x[i] / r), k++;
    for (int j = 0; j < n; j++) {
      t *= x[j];
      if (t > 0.9 && j >= k) break;
      if (t < 0) abort();
    }
    y[i] = r * r * r + t * k;
  }
}
WITH_AND_WITHOUT(until)

static double recursive(const double *a, int n) { return n == 0 ? 1 : a[0] * a[0] + 0.5 * recursive(a + 1, n - 1); }

// A call reads local memory, and one result.
static void called(double *restrict x, double *restrict y, int n) {
  double a[N];
  for (int i = 0; i < n; i++) a[i] = sin(x[i]);
  for (int i = 0; i < n; i++) y[i] = a[i] * x[i];
  y[0] = recursive(a, n);
  y[1] = recursive(y + 2, n - 2);
}
WITH_AND_WITHOUT(called)

// Results on top of inputs: those are the values that the loops read later.
static void shift(double *x, double *y, int n) {
  for (int i = 0; i < n; i++) y[i] = x[i] * x[i];
}
CHECK_BY_HAND(under_another_name) {
  double x[5] = {0.5, 1.5, 2, 3, 4}, g[5] = {0, 0, 0, 0, 1};
  __pardiff_autodiff((void *)shift, pardiff_dup, x, g, pardiff_dupnoneed, x + 1, g + 1, opaque(4));
  double p = 0.5, d = 1;
  for (int i = 0; i < 4; i++) d *= 2 * p, p *= p;
  near("x0", g[0], d);
  for (int i = 1; i < 5; i++) near("overwritten", g[i], 0);
}

// The factors are the results under a name that is declared constant.
static double by_name(const double *x, double *y, const double *c, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) y[i] = 2 * x[i];
  for (int i = 0; i < n; i++) sum += c[i] * x[i];
  return sum;
}
CHECK_BY_HAND(a_constant_under_another_name) {
  double x[3] = {1, 2, 3}, g[3] = {0}, y[3] = {9, 9, 9}, seed[3] = {0};
  __pardiff_autodiff((void *)by_name, pardiff_dup, x, g, pardiff_dupnoneed, y, seed, pardiff_const, y, opaque(3));
  for (int i = 0; i < 3; i++) near("c", g[i], 2 * x[i]);
}

static double total;
static double effects(const double *restrict x, double *restrict y, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += x[i] * x[i], y[i] = sum;
  total += sum;
  return sum * sum;
}
CHECK_BY_HAND(effects_and_the_value_that_is_wanted) {
  state s = start();
  double sum = 0;
  for (int i = 0; i < N; i++) s.seed[i] = 0, sum += s.x[i] * s.x[i];
  total = 1;
  double value = __pardiff_autodiff_value((void *)effects, enzyme_primal_return, pardiff_dup, s.x, s.g,
                                          pardiff_dupnoneed, s.y, s.seed, opaque(N));
  near("value", value, sum * sum), near("effect", total, 1 + sum);
  for (int i = 0; i < N; i++) near("gradient", s.g[i], 4 * sum * s.x[i]);
  __pardiff_autodiff((void *)effects, pardiff_dup, s.x, s.g, pardiff_dupnoneed, s.y, s.seed, opaque(N));
  near("effect alone", total, 1 + 2 * sum);
}

// What is not wanted is not even written.
static void products(const double *restrict a, double *restrict c, int n) {
  for (int i = 0; i < n; i++) c[i] = 0;
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++) c[k] += a[i] * a[k];
}
CHECK_BY_HAND(left_unwritten) {
  state s = start();
  __pardiff_autodiff((void *)products, pardiff_dup, s.x, s.g, pardiff_dupnoneed, s.y, s.seed, opaque(N));
  for (int i = 0; i < N; i++) expect("as before", s.y[i] == 7);
}

// Stores after the loops, whose memory may be what the loops read.
static void at_the_end(const double *x, double *y, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += x[i] * x[i] * x[(i + 1) % n];
  *y = sum;
}
CHECK_BY_HAND(stored_at_the_end) {
  state s = start();
  double y = 7, seed = 2;
  __pardiff_autodiff((void *)at_the_end, pardiff_dup, s.x, s.g, pardiff_dupnoneed, &y, &seed, opaque(N));
  for (int i = 0; i < N; i++) {
    double before = s.x[(i + N - 1) % N], after = s.x[(i + 1) % N];
    near("gradient", s.g[i], 2 * (2 * s.x[i] * after + before * before));
  }
  expect("as before", y == 7), near("seed", seed, 0);
}
