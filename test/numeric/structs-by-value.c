// RUN: %numeric %s
// Structs by value between functions: in registers as numbers or pairs of floats, in memory, nested.
#include "check.h"
struct pair { double a, b; };
struct mixed { float v; int k; };
struct four { float x, y, z, w; };
struct three { double a, b, c; };
struct deep { struct pair p; int k; };
struct odd { double d; char c; };
__attribute__((noinline)) static struct pair make(double a, double b) { struct pair p = {a * b, a - b}; return p; }
__attribute__((noinline)) static double use(struct pair p) { return p.a * p.a + p.b; }
static double pairs(double *x) { struct pair p = make(x[0], x[1]); return use(p) * use(make(p.a, p.b)); }
CHECK_SCALAR(pairs, DIFFERENCES, RANGE(2))
__attribute__((noinline)) static struct mixed mix(float v, int k) { struct mixed m = {v * k, k + 1}; return m; }
__attribute__((noinline)) static float unmix(struct mixed m) { return m.v * m.v * m.k; }
static float mixes(float *x, int n) { return unmix(mix(x[0], n)) + unmix(mix(x[1] * x[0], n + 2)); }
CHECK_FLOAT_N(mixes, DIFFERENCES, RANGE(3))
__attribute__((noinline)) static struct four cross(struct four a, struct four b) {
  struct four r = {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x, a.w * b.w};
  return r;
}
static float fours(float *x, int n) {
  struct four a = {x[0], x[1], x[2], x[3]}, b = {x[3], x[4], x[0], x[1]}, c;
  c = cross(a, b);
  for (int i = 0; i < n; i++) c = cross(c, i & 1 ? a : b);
  return c.x + 2 * c.y + c.z * c.w;
}
CHECK_FLOAT_N(fours, DIFFERENCES, RANGE(5))
__attribute__((noinline)) static struct three sum3(struct three a, struct three b) { struct three r = {a.a + b.c, a.b * b.b, a.c * b.a}; return r; }
static double threes(double *x) {
  struct three a = {x[0], x[1], x[2]}, b = {x[2], x[0], x[1]};
  struct three c = sum3(a, sum3(b, a));
  return c.a * c.b + c.c;
}
CHECK_SCALAR(threes, DIFFERENCES, RANGE(3))
static double condition(double *x, int n) {
  struct pair best = {0, 0};
  for (int i = 0; i < n; i++) {
    struct pair p = make(x[i], x[(i + 1) % n]);
    best = use(p) > use(best) ? p : best;
  }
  return best.a * best.b;
}
CHECK_SCALAR_N(condition, DIFFERENCES, RANGE(5))
__attribute__((noinline)) static struct deep nest(struct deep d, int k) { d.p.a *= d.p.b; d.k += k; return d; }
static double deeps(double *x, int n) {
  struct deep d = {{x[0], x[1]}, 1};
  for (int i = 0; i < n; i++) d = nest(d, i);
  return d.p.a * d.k + d.p.b;
}
CHECK_SCALAR_N(deeps, DIFFERENCES, RANGE(3))
__attribute__((noinline)) static struct odd odds(struct odd o) { o.d = o.c ? o.d * o.d : 1; o.c++; return o; }
static double oddities(double *x) { struct odd o = {x[0], 1}; o = odds(odds(o)); return o.d * o.c; }
CHECK_SCALAR(oddities, DIFFERENCES, RANGE(1))
struct fpair { float a, b; };
__attribute__((noinline)) static struct fpair rot(struct fpair p, float c) { struct fpair r = {p.a * c - p.b, p.b * c + p.a}; return r; }
static float fpairs(float *x, int n) {
  struct fpair p = {x[0], x[1]};
  for (int i = 0; i < n; i++) p = rot(p, x[i]);
  return p.a * p.b;
}
CHECK_FLOAT_N(fpairs, DIFFERENCES, RANGE(4))
struct fthree { float a, b, c; };
__attribute__((noinline)) static struct fthree rot3(struct fthree p, float c) { struct fthree r = {p.b * c, p.c + c, p.a * p.b}; return r; }
static float fthrees(float *x, int n) {
  struct fthree p = {x[0], x[1], x[2]};
  for (int i = 0; i < n; i++) p = rot3(p, x[i]);
  return p.a * p.b + p.c;
}
CHECK_FLOAT_N(fthrees, DIFFERENCES, RANGE(4))
struct arr { double v[2]; };
__attribute__((noinline)) static struct arr swap(struct arr p) { struct arr r = {{p.v[1] * 2, p.v[0] * p.v[1]}}; return r; }
static double arrs(double *x) { struct arr a = {{x[0], x[1]}}; a = swap(swap(a)); return a.v[0] * a.v[1]; }
CHECK_SCALAR(arrs, DIFFERENCES, RANGE(2))
union both { double d; long l; };
static double unions(double *x) { union both u; u.d = x[0]; u.d *= 2; return u.d * u.d; }
CHECK_SCALAR(unions, DIFFERENCES, RANGE(1))
