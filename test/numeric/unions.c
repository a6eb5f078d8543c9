// RUN: %numeric %s
// Unions that are used one way at a time, and numbers that are carried as bytes through memory declared as integers.
// Integers of a union may be indices and conditions; what is computed from them as numbers is refused.
#include "check.h"

struct value { int tag; union { double d; long i; } u; };
double tagged(double *x, int n) {
  struct value v[8];
  for (int i = 0; i < n; i++) { if (i % 2) { v[i].tag = 1; v[i].u.d = x[i] * x[i]; } else { v[i].tag = 0; v[i].u.i = i; } }
  double s = 0;
  for (int i = 0; i < n; i++) s += v[i].tag ? v[i].u.d * x[0] : x[v[i].u.i] * 3;
  return s;
}
CHECK_SCALAR_N(tagged, DIFFERENCES, RANGE(6))
double copied(double *x, int n) {
  struct value v[8], t;
  for (int i = 0; i < n; i++) { if (i % 2) v[i] = (struct value){1, {.d = x[i] * x[i]}}; else v[i] = (struct value){0, {.i = i}}; }
  t = v[0]; v[0] = v[1]; v[1] = t;
  double s = 0;
  for (int i = 0; i < n; i++) { struct value q = v[i]; s += q.tag ? q.u.d * x[0] : x[q.u.i] * 3; }
  return s;
}
CHECK_SCALAR_N(copied, DIFFERENCES, RANGE(6))
static double run(const struct value *code, int n, const double *x) {
  double stack[8]; int top = 0;
  for (int k = 0; k < n; k++) switch (code[k].tag) {
    case 0: stack[top++] = x[code[k].u.i]; break;
    case 1: stack[top++] = code[k].u.d; break;
    case 2: top--; stack[top - 1] += stack[top]; break;
    case 3: top--; stack[top - 1] *= stack[top]; break;
  }
  return stack[0];
}
double interpreter(double *x, int n) {
  struct value code[5] = {{.tag = 0, .u.i = 1}, {.tag = 1, .u.d = x[0] * 3}, {.tag = 3}, {.tag = 0, .u.i = 2}, {.tag = 2}};
  return run(code, 5, x);
}
CHECK_SCALAR_N(interpreter, DIFFERENCES, RANGE(4))
double heapcopy(double *x, int n) {
  struct value *v = malloc(n * sizeof *v), *w = malloc(n * sizeof *w);
  for (int i = 0; i < n; i++) { v[i].tag = i % 2; if (v[i].tag) v[i].u.d = x[i] * x[i]; else v[i].u.i = i; }
  memcpy(w, v, n * sizeof *v);
  for (int i = 0; i + 1 < n; i += 2) { struct value t = w[i]; w[i] = w[i + 1]; w[i + 1] = t; }
  double s = 0;
  for (int i = 0; i < n; i++) s += w[i].tag ? w[i].u.d * x[0] : x[w[i].u.i] * 2;
  free(v); free(w);
  return s;
}
CHECK_SCALAR_N(heapcopy, DIFFERENCES, RANGE(6))
struct pi { int kind; union { double *p; long i; } u; };
double pointer_or_integer(double *x, int n) {
  struct pi v[8]; double s = 0;
  for (int i = 0; i < n; i++) { v[i].kind = i % 2; if (v[i].kind) v[i].u.i = i; else v[i].u.p = &x[i]; }
  struct pi t = v[0]; v[0] = v[1]; v[1] = t;
  for (int i = 0; i < n; i++) s += v[i].kind ? v[i].u.i * x[0] : *v[i].u.p * x[1];
  return s;
}
CHECK_SCALAR_N(pointer_or_integer, DIFFERENCES, RANGE(6))
struct shape { int kind; union { struct { double r; int segments; } circle; struct { int sides; float scale; double w; } poly; } u; };
double shapes(double *x, int n) {
  struct shape s[8]; double t = 0;
  for (int i = 0; i < n; i++) if (i & 1) { s[i].kind = 0; s[i].u.circle.r = x[i]; s[i].u.circle.segments = i; } else { s[i].kind = 1; s[i].u.poly.w = x[i]; s[i].u.poly.sides = 3; s[i].u.poly.scale = 2; }
  for (int i = 0; i < n; i++) if (s[i].kind == 0) t += s[i].u.circle.r * s[i].u.circle.r; else for (int k = 0; k < s[i].u.poly.sides; k++) t += s[i].u.poly.w * k * x[0];
  return t;
}
CHECK_SCALAR_N(shapes, DIFFERENCES, RANGE(6))
double by_switch(double *x, int n) {
  struct value *v = malloc(n * sizeof *v);
  for (int i = 0; i < n; i++) { v[i].tag = i % 2; if (v[i].tag) v[i].u.d = x[i] * x[i]; else v[i].u.i = i; }
  double s = 0;
  for (int i = 0; i < n; i++) switch (v[i].tag) { case 1: s += v[i].u.d * x[0]; break; default: s += x[v[i].u.i] * 2; }
  free(v);
  return s;
}
CHECK_SCALAR_N(by_switch, DIFFERENCES, RANGE(6))
union num { double d; long i; };
double oneway(double *x, int n) {
  union num a[8], k;
  k.i = 2;
  for (int i = 0; i < n; i++) a[i].d = x[i] * x[i];
  double s = 0;
  for (int i = 0; i < n; i++) s += a[i].d * k.i;
  k.d = x[0];
  return s * k.d;
}
CHECK_SCALAR_N(oneway, DIFFERENCES, RANGE(6))
union vec { struct { double x, y; } s; double a[2]; };
double views(double *x, int n) {
  union vec v[8]; double s = 0;
  for (int i = 0; i < n; i++) { v[i].s.x = x[i] * x[i]; v[i].s.y = x[0]; }
  for (int i = 0; i < n; i++) for (int k = 0; k < 2; k++) s += v[i].a[k] * v[i].a[1 - k];
  return s;
}
CHECK_SCALAR_N(views, DIFFERENCES, RANGE(6))
static long store[8];
double statics(double *x, int n) {
  double y[8], s = 0;
  for (int i = 0; i < n; i++) y[i] = x[i] * x[i];
  memcpy(store, y, n * sizeof(double));
  double z[8];
  memcpy(z, store, n * sizeof(double));
  for (int i = 0; i < n; i++) s += z[i] * z[0];
  return s;
}
CHECK_SCALAR_N(statics, DIFFERENCES, RANGE(4))
struct longs { long a, b; };
double structs(double *x, int n) {
  struct longs l; double y[2] = {x[0] * x[1], x[1] * x[1]}, z[2];
  memcpy(&l, y, sizeof l);
  struct longs m = l;
  memcpy(z, &m, sizeof m);
  return z[0] * z[1];
}
CHECK_SCALAR_N(structs, DIFFERENCES, RANGE(4))
double elementwise(double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) { double y = x[i] * x[i]; memcpy(&store[i], &y, 8); }
  for (int i = 0; i < n; i++) { double y; memcpy(&y, &store[i], 8); s += y; }
  return s;
}
CHECK_SCALAR_N(elementwise, DIFFERENCES, RANGE(4))
double moved(double *x, int n) {
  struct longs l[4]; double s = 0;
  for (int i = 0; i < 4; i++) { double y = x[i] * x[i]; memcpy(&l[i].a, &y, 8); l[i].b = i; }
  for (int i = 0; i < 4; i++) { double y; long k = l[i].a; memcpy(&y, &k, 8); s += y * l[i].b; }
  return s;
}
CHECK_SCALAR_N(moved, DIFFERENCES, RANGE(4))
double assigned(double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) { double y = x[i] * x[i]; long k; memcpy(&k, &y, 8); store[i] = k; }
  for (int i = 0; i < n; i++) { double y; long k = store[i]; memcpy(&y, &k, 8); s += y; }
  return s;
}
CHECK_SCALAR_N(assigned, DIFFERENCES, RANGE(4))

// a number is replaced by one of another type that is computed from it
union either { float f; double d; };
static void widen(union either *u, int n) {
  for (int i = 0; i < n; i++) u[i].d = u[i].f + 1.0;
}
CHECK_BY_HAND(widened) {
  union either u[3] = {{.f = 0.5f}, {.f = 0.25f}, {.f = 2}}, du[3];
  for (int i = 0; i < 3; i++) du[i].d = i + 1;
  __pardiff_autodiff((void *)widen, pardiff_dup, u, du, 3);
  near("u0", u[0].d, 1.5);
  for (int i = 0; i < 3; i++) near("du", du[i].f, i + 1);
}
