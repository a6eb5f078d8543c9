// RUN: %numeric %s
// Arguments without `restrict`: a gradient for those that lead to different memory and one for any, chosen at run time.
#include "check.h"

// y = f(x) element by element, with neighbours
static void smooth(double *x, double *y, int n) {
  for (int i = 0; i < n; i++) {
    double sum = 0;
    for (int j = 0; j < 3; j++) sum += x[i + j] * x[i + j] * (j + 1);
    y[i] = exp(-sum);
  }
}
static void apart(double *x, double *y, int n) { smooth(x, y, n - 2); }
CHECK_VECTOR_N(apart, 5, DIFFERENCES, RANGE(7))

// the same array, shifted in both directions, and side by side
static void in_place(double *x, int n) { smooth(x, x, n - 2); }
CHECK_INPLACE_N(in_place, DIFFERENCES, RANGE(7))
static void ahead(double *x, int n) { smooth(x, x + 1, n - 3); }
CHECK_INPLACE_N(ahead, DIFFERENCES, RANGE(7))
static void behind(double *x, int n) { smooth(x + 2, x, n - 4); }
CHECK_INPLACE_N(behind, DIFFERENCES, RANGE(8))
static void beside(double *x, int n) { smooth(x, x + n / 2 + 1, n / 2 - 1); }
CHECK_INPLACE_N(beside, DIFFERENCES, RANGE(8))

// rows of symbolic length, from the last to the first, and a triangle
static void product(const double *a, const double *b, double *c, int n) {
  for (int i = n - 1; i >= 0; i--)
    for (int j = 0; j <= i; j++) {
      double sum = 0;
      for (int k = j; k < n; k++) sum += a[i * n + k] * b[k * n + j];
      c[i * n + j] = sum * c[i * n + j];
    }
}

static void gradients(double *x, double *g, int shift, int n) {
  double *a = x, *b = x + n * n, *c = x + shift;
  __pardiff_autodiff((void *)product, pardiff_dup, a, g, pardiff_dup, b, g + n * n, pardiff_dup, c, g + shift, n);
}

// The gradient at each overlap, against differences of a plain call.
CHECK_BY_HAND(every_overlap) {
  enum { n = 3, all = 3 * n * n };
  for (int shift = 0; shift <= 2 * n * n; shift++) {
    double start[all], x[all], g[all];
    for (int i = 0; i < all; i++) start[i] = x[i] = 0.5 + 0.3 * sin(3 * i), g[i] = 1 + 0.1 * i;
    gradients(x, g, shift, n);
    for (int i = 0; i < all; i++) {
      double ends[2] = {0, 0};
      for (int side = 0; side < 2; side++) {
        double y[all];
        memcpy(y, start, sizeof y);
        y[i] += side ? 1e-5 : -1e-5;
        product(y, y + n * n, y + shift, n);
        for (int k = 0; k < all; k++) ends[side] += (1 + 0.1 * k) * y[k];
      }
      near_to("gradient", g[i], (ends[1] - ends[0]) / 2e-5, 1e-7);
    }
  }
}

// One shadow for two inputs that are only read.
static double dot(const double *a, const double *b, double *out, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) out[i] = sum += a[i] * b[i] * sin(a[i]);
  return sum;
}
CHECK_BY_HAND(one_shadow_for_two) {
  double a[4] = {1, 2, 3, 4}, b[4] = {0.5, 0.25, 2, 1}, out[4], g[4] = {0}, one[4] = {0}, two[4] = {0}, seed[4] = {0};
  __pardiff_autodiff((void *)dot, pardiff_dup, a, g, pardiff_dup, b, g, pardiff_dup, out, seed, 4);
  __pardiff_autodiff((void *)dot, pardiff_dup, a, one, pardiff_dup, b, two, pardiff_dup, out, seed, 4);
  for (int i = 0; i < 4; i++) near("sum of both", g[i], one[i] + two[i]);
}

// A loop that ends by what it finds, with a bound that says nothing.
static void until_found(const double *x, double *y, long n) {
  for (long i = 0; i < n; i++) {
    double v = x[i];
    if (v > 1e3) break;
    y[i] = v * v;
  }
}
CHECK_BY_HAND(bounds_that_do_not_fit) {
  long most[] = {7, 1L << 61, 0x7fffffffffffffff};
  double want[8];
  for (int k = 0; k < 3; k++) {
    double b[9] = {1.1, 1.2, 1.3, 1.05, 1.15, 1.25, 1.02, 1e4}, d[9] = {0};
    for (int i = 0; i < 8; i++) d[i] = 1 + 0.1 * i;
    __pardiff_autodiff((void *)until_found, pardiff_dup, b + 3, d + 3, pardiff_dup, b, d, most[k]);
    for (int i = 0; i < 8; i++) {
      if (k == 0) want[i] = d[i];
      near("gradient", d[i], want[i]);
    }
  }
}

// Memory of an argument that a call changes in another way.
static double state[4] = {1, 2, 3, 4};
static __attribute__((noinline)) void grow(void) {
  for (int i = 0; i < 4; i++) state[i] *= 2;
}
void *__pardiff_inactivefn_grow = (void *)grow;
static double around_call(const double *x, double *y, double t, int n) {
  double s = x[0] * t;
  grow();
  s += x[0] * t;
  for (int i = 0; i < n; i++) {
    y[i] *= x[i];
    s += y[i];
  }
  return s;
}
CHECK_BY_HAND(changed_by_a_call) {
  double y[4] = {1, 1, 1, 1}, dy[4] = {0};
  state[0] = 1;
  double dt = __pardiff_autodiff((void *)around_call, pardiff_const, state, pardiff_dup, y, dy, pardiff_out, 1.0, 4);
  near("dt", dt, 3);
}

// Memory of an argument that a function of the library changes.
static double whole = 3;
static double around_modf(const double *x, double *y, double t, int n) {
  double s = x[0] * t;
  s += modf(2.75, &whole);
  s += x[0] * t;
  for (int i = 0; i < n; i++) {
    y[i] *= x[0];
    s += y[i];
  }
  return s;
}
CHECK_BY_HAND(changed_by_the_library) {
  double y[4] = {1, 1, 1, 1}, dy[4] = {0};
  whole = 3;
  double dt = __pardiff_autodiff((void *)around_modf, pardiff_const, &whole, pardiff_dup, y, dy, pardiff_out, 1.0, 4);
  near("dt", dt, 5);
}
