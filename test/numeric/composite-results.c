// RUN: %numeric %s
// Functions that return structs, complex numbers and vectors, in registers and through memory.
#include <complex.h>
#include "check.h"
#undef I
#define I __builtin_complex(0.0, 1.0)

struct two { double a, b; };
struct three { double a, b, c; };
struct floats { float a, b, c; };
struct mixed { double a; int n; };
struct both2 { struct two value, tangent; };
struct both3 { struct three value, tangent; };
typedef double pair __attribute__((vector_size(16)));

extern int enzyme_primal_return, enzyme_const_return;
struct two __pardiff_fwddiff_two(void *, ...);
struct three __pardiff_fwddiff_three(void *, ...);
struct floats __pardiff_fwddiff_floats(void *, ...);
struct mixed __pardiff_fwddiff_mixed(void *, ...);
struct both2 __pardiff_fwddiff_both2(void *, ...);
struct both3 __pardiff_fwddiff_both3(void *, ...);
double _Complex __pardiff_fwddiff_complex(void *, ...);
float _Complex __pardiff_fwddiff_complexf(void *, ...);
long double _Complex __pardiff_fwddiff_complexl(void *, ...);
pair __pardiff_fwddiff_pair(void *, ...);
double __pardiff_autodiff_number(void *, ...);
struct two __pardiff_autodiff_two(void *, ...);
struct both2 __pardiff_autodiff_both2(void *, ...);
struct three __pardiff_autodiff_three(void *, ...);

static struct two turn(double r, double t) { return (struct two){r * cos(t), r * sin(t)}; }
static struct three space(const double *x, int n) {
  struct three s = {0, 1, 0};
  for (int i = 0; i < n; i++) {
    s.a += x[i];
    s.b *= x[i];
    s.c += x[i] * x[i];
  }
  return s;
}
static struct floats small(float x) { return (struct floats){x * x, 2 * x, 1 / x}; }
static struct mixed several(double x) { return (struct mixed){x * x, 7}; }
static struct two inner(struct two z, struct three w) { return (struct two){z.a * w.b, z.b * w.c * w.a}; }
static pair lanes(double x, double y) { return (pair){x * y, x / y}; }

CHECK_BY_HAND(forward) {
  double c = cos(0.5), s = sin(0.5), r = 2, dr = 3, dt = -1;
  struct two t = __pardiff_fwddiff_two((void *)turn, r, dr, 0.5, dt);
  near("two.a", t.a, dr * c - r * s * dt), near("two.b", t.b, dr * s + r * c * dt);
  struct both2 b = __pardiff_fwddiff_both2((void *)turn, enzyme_primal_return, r, dr, 0.5, dt);
  near("value.a", b.value.a, r * c), near("value.b", b.value.b, r * s);
  near("tangent.a", b.tangent.a, t.a), near("tangent.b", b.tangent.b, t.b);

  double x[3] = {2, 3, 4}, dx[3] = {1, 0, 2};
  struct three h = __pardiff_fwddiff_three((void *)space, pardiff_dup, x, dx, pardiff_const, 3);
  near("three.a", h.a, 3), near("three.b", h.b, 12 + 2 * 6), near("three.c", h.c, 4 + 16);
  struct both3 k = __pardiff_fwddiff_both3((void *)space, enzyme_primal_return, x, dx, 3);
  near("value.b", k.value.b, 24), near("value.c", k.value.c, 29), near("tangent.b", k.tangent.b, 24);

  struct floats f = __pardiff_fwddiff_floats((void *)small, 2.0f, 1.0f);
  near("floats.a", f.a, 4), near("floats.b", f.b, 2), near("floats.c", f.c, -0.25);
  struct mixed m = __pardiff_fwddiff_mixed((void *)several, 2.0, 1.0);
  near("mixed.a", m.a, 4);
  struct two z = {2, 3}, dz = {1, 0};
  struct three w = {4, 5, 6}, dw = {0, 1, 1};
  struct two i = __pardiff_fwddiff_two((void *)inner, pardiff_dup, z, dz, pardiff_dup, w, dw);
  near("inner.a", i.a, 5 + 2), near("inner.b", i.b, 3 * 4);
  pair p = __pardiff_fwddiff_pair((void *)lanes, 3.0, 1.0, 2.0, 0.0);
  near("lane 0", p[0], 2), near("lane 1", p[1], 0.5);
}

static double _Complex square(double _Complex z) { return z * z; }
static float _Complex squaref(float _Complex z) { return z * z; }
static long double _Complex squarel(long double _Complex z) { return z * z; }
static double _Complex on_circle(double t) { return cexp(I * t); }
CHECK_BY_HAND(complex_tangents) {
  double _Complex z = 2 + 3 * I, dz = 1 - 1 * I, t = __pardiff_fwddiff_complex((void *)square, z, dz);
  near("re", creal(t), creal(2 * z * dz)), near("im", cimag(t), cimag(2 * z * dz));
  float _Complex u = __pardiff_fwddiff_complexf((void *)squaref, (float _Complex)z, (float _Complex)dz);
  near("re f", crealf(u), creal(2 * z * dz)), near("im f", cimagf(u), cimag(2 * z * dz));
  long double _Complex v =
      __pardiff_fwddiff_complexl((void *)squarel, (long double _Complex)z, (long double _Complex)dz);
  near("re l", (double)creall(v), creal(2 * z * dz)), near("im l", (double)cimagl(v), cimag(2 * z * dz));
  t = __pardiff_fwddiff_complex((void *)on_circle, 0.3, 2.0);
  near("re", creal(t), -2 * sin(0.3)), near("im", cimag(t), 2 * cos(0.3));
}

// Reverse mode: each number of the result is seeded with 1.
CHECK_BY_HAND(reverse) {
  double c = cos(0.5), s = sin(0.5), r = 2;
  struct two g = __pardiff_autodiff_two((void *)turn, r, 0.5);
  near("dr", g.a, c + s), near("dt", g.b, r * (c - s));
  struct both2 b = __pardiff_autodiff_both2((void *)turn, enzyme_primal_return, r, 0.5);
  near("value.a", b.value.a, r * c), near("value.b", b.value.b, r * s);
  near("dr", b.tangent.a, c + s), near("dt", b.tangent.b, r * (c - s));
  double x[3] = {2, 3, 4}, dx[3] = {10, 0, 0};
  __pardiff_autodiff_number((void *)space, pardiff_dup, x, dx, pardiff_const, 3);
  near("dx 0", dx[0], 10 + 1 + 12 + 4), near("dx 1", dx[1], 1 + 8 + 6), near("dx 2", dx[2], 1 + 6 + 8);
  struct three v = __pardiff_autodiff_three((void *)space, enzyme_const_return, enzyme_primal_return, pardiff_const, x, 3);
  near("no derivative, a", v.a, 9), near("no derivative, b", v.b, 24);
}

// Split mode: the seed is a struct like the result.
struct taped2 { void *tape; struct two value; };
struct taped3 { void *tape; struct three value; };
struct taped2 __pardiff_augmentfwd_two(void *, ...);
struct taped3 __pardiff_augmentfwd_three(void *, ...);
void *__pardiff_augmentfwd_complex(void *, ...);
struct two __pardiff_reverse_two(void *, ...);
void __pardiff_reverse_nothing(void *, ...);
double _Complex __pardiff_reverse_complex(void *, ...);
CHECK_BY_HAND(split) {
  double c = cos(0.5), s = sin(0.5), r = 2;
  struct taped2 f = __pardiff_augmentfwd_two((void *)turn, r, 0.5);
  near("value.a", f.value.a, r * c), near("value.b", f.value.b, r * s);
  struct two seed = {3, -1}, g = __pardiff_reverse_two((void *)turn, r, 0.5, seed, f.tape);
  near("dr", g.a, 3 * c - s), near("dt", g.b, r * (-3 * s - c));

  double x[3] = {2, 3, 4}, dx[3] = {0, 0, 0};
  struct taped3 h = __pardiff_augmentfwd_three((void *)space, pardiff_dup, x, dx, 3);
  near("value.a", h.value.a, 9), near("value.b", h.value.b, 24), near("value.c", h.value.c, 29);
  struct three weights = {1, 10, 100};
  __pardiff_reverse_nothing((void *)space, pardiff_dup, x, dx, 3, weights, h.tape);
  near("dx 0", dx[0], 1 + 120 + 400), near("dx 1", dx[1], 1 + 80 + 600), near("dx 2", dx[2], 1 + 60 + 800);

  double _Complex z = 2 + 3 * I;
  void *tape = __pardiff_augmentfwd_complex((void *)square, z);
  double _Complex dz = __pardiff_reverse_complex((void *)square, z, 1.0 + 0 * I, tape);
  near("d re / d re", creal(dz), 4), near("d re / d im", cimag(dz), -6);
}

// Derivatives of derivatives, and results in memory of functions that stay calls.
static struct two slope(double r, double t) { return __pardiff_fwddiff_two((void *)turn, r, 0.0, t, 1.0); }
static struct three powers(double x, int n) {
  if (n == 0) return (struct three){1, x, 0};
  struct three p = powers(x, n - 1);
  return (struct three){p.a * x, p.b + x, p.c + p.a};
}
CHECK_BY_HAND(nested) {
  struct two t = __pardiff_fwddiff_two((void *)slope, 2.0, 0.0, 0.5, 1.0);
  near("two.a", t.a, -2 * cos(0.5)), near("two.b", t.b, -2 * sin(0.5));
  struct three p = __pardiff_fwddiff_three((void *)powers, 2.0, 1.0, 3);
  near("powers.a", p.a, 12), near("powers.b", p.b, 4), near("powers.c", p.c, 1 + 4);
  near("sum", __pardiff_autodiff_number((void *)powers, 2.0, 3), 12 + 4 + 5);
}

// A function that calls itself and returns its result in registers; a call without derivative; a vector.
static struct two fold(struct two z, int n) {
  if (n == 0) return z;
  struct two w = fold((struct two){z.a * z.b, z.b}, n - 1);
  return (struct two){w.a + z.a, w.b * z.a};
}
static double folded(const double *x, int n) {
  struct two w = fold((struct two){x[0], x[1]}, n), fixed = fold((struct two){2, 3}, 2);
  return w.a * fixed.a + w.b;
}
CHECK_SCALAR_N(folded, DIFFERENCES, {2, 0, {0.9, 1.1}})
struct few { float a, b; };
static struct few halve(struct few z, int n) {
  if (n == 0) return z;
  struct few w = halve((struct few){z.b, z.a * 0.5f}, n - 1);
  return (struct few){w.a + z.b * z.b, w.b};
}
static float halved(float *x, int n) {
  struct few w = halve((struct few){x[0], x[1]}, n + 1);
  return w.a * w.b;
}
CHECK_FLOAT_N(halved, DIFFERENCES, {2, 0, {0.9, 1.1}})
CHECK_BY_HAND(recursive) {
  struct two z = {2, 3}, dz = {1, 0}, t = __pardiff_fwddiff_two((void *)fold, z, dz, pardiff_const, 2);
  near("forward, a", t.a, 1 + 3 + 9), near("forward, b", t.b, 3 * 2 * 2 * 3);
  struct two g = __pardiff_autodiff_two((void *)fold, z, 2);
  near("reverse, a", g.a, 13 + 36), near("reverse, b", g.b, 2 + 2 * 2 * 3 + 2 * 2 * 3 * 2);
}
