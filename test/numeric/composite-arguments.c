// RUN: %numeric %s
// Differentiated functions that take structs and vectors by value: in memory, in registers, in pairs of floats.
#include "check.h"

struct body {
  double mass, at[2];
  int kind;
};
struct pair { float a, b; };
struct quad { float x, y, z, w; };
struct gradient { double mass, x, y, scale; };
typedef double d4 __attribute__((vector_size(32)));

static double energy(struct body b, double scale) {
  b.mass *= b.kind;
  return scale * b.mass * (b.at[0] * b.at[0] + b.at[1] * b.at[1]);
}
struct three { double d[3]; };
struct three __pardiff_autodiff_three(void *, ...);
struct gradient __pardiff_autodiff_body(void *, ...);
CHECK_BY_HAND(in_memory) {
  struct body b = {2, {3, 5}, 7}, t = {1, {0.5, -1}, 0};
  struct gradient g = __pardiff_autodiff_body((void *)energy, pardiff_out, b, pardiff_out, 1.5);
  near("mass", g.mass, 1.5 * 7 * 34), near("x", g.x, 1.5 * 14 * 6), near("y", g.y, 1.5 * 14 * 10);
  near("scale", g.scale, 14 * 34);
  near("mass alone", __pardiff_autodiff_three((void *)energy, b, pardiff_const, 1.5).d[0], 1.5 * 7 * 34);
  near("constant", __pardiff_autodiff((void *)energy, pardiff_const, b, pardiff_out, 1.5), 14 * 34);
  near("tangent", __pardiff_fwddiff((void *)energy, pardiff_dup, b, t, pardiff_dup, 1.5, 2.0),
       1.5 * 7 * 34 + 1.5 * 14 * (3 - 10) + 2.0 * 14 * 34);
  near("kept", b.mass, 2);
}

static double mixed(struct pair p, struct quad q) { return (double)p.a * q.x + p.b * q.y * q.z - q.w * p.a * p.a; }
struct six { float d[6]; };
struct six __pardiff_autodiff_six(void *, ...);
CHECK_BY_HAND(in_registers) {
  struct pair p = {2, 3}, tp = {1, 0};
  struct quad q = {5, 7, 11, 13}, tq = {0, 0, 1, 0};
  struct six g = __pardiff_autodiff_six((void *)mixed, pardiff_out, p, pardiff_out, q);
  const double want[] = {5 - 2 * 13 * 2, 77, 2, 33, 21, -4};
  for (int i = 0; i < 6; i++) near("number", g.d[i], want[i]);
  near("tangent", __pardiff_fwddiff((void *)mixed, pardiff_dup, p, tp, pardiff_dup, q, tq), want[0] + want[4]);
}

static double of_vector(const d4 *v, double x) { return (*v)[0] * (*v)[1] * x + (*v)[3]; }
CHECK_BY_HAND(by_pointer) {
  d4 v = {2, 3, 5, 7}, dv = {0, 0, 0, 0};
  near("x", __pardiff_autodiff((void *)of_vector, pardiff_dup, &v, &dv, pardiff_out, 1.5), 6);
  near("0", dv[0], 4.5), near("1", dv[1], 3), near("2", dv[2], 0), near("3", dv[3], 1);
}

static double complex_norm(double _Complex z, double p) {
  return p * (__real__ z * __real__ z + __imag__ z * __imag__ z);
}
CHECK_BY_HAND(complex_argument) {
  double _Complex z = __builtin_complex(2.0, 3.0);
  struct three g = __pardiff_autodiff_three((void *)complex_norm, pardiff_out, z, pardiff_out, 0.5);
  near("re", g.d[0], 2), near("im", g.d[1], 3), near("p", g.d[2], 13);
}

// Held fixed, in one register that holds two numbers.
struct pair_of_floats { float a, b; };
static double affine(double k, struct pair_of_floats p) { return k * p.a + p.b; }
CHECK_BY_HAND(constant_vector) {
  struct pair_of_floats p = {4, 5};
  near("forward", __pardiff_fwddiff((void *)affine, 2.0, 1.0, pardiff_const, p), 4);
  near("reverse", __pardiff_autodiff((void *)affine, 2.0, pardiff_const, p), 4);
}
