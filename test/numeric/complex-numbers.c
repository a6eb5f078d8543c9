// RUN: %numeric %s
// Complex numbers: arithmetic, functions of complex.h in double, float and long double, values on the tape.
#include "check.h"
#include <complex.h>
#undef I
#define I __builtin_complex(0.0, 1.0)

static double _Complex at(const double *x) { return x[0] + x[1] * I; }

static double arithmetic(double *x) {
  double _Complex a = at(x), b = at(x + 2), c = a * b + a / b - 2 * conj(a) * b;
  return creal(c) * cimag(c);
}
CHECK_SCALAR(arithmetic, DIFFERENCES, RANGE(4))

static double horner(double *x, int n) {
  double _Complex z = x[0] + x[1] * I, p = 0;
  for (int i = 0; i < n; i++) p = p * z + x[i] * (1 - 0.5 * I);
  return cabs(p) + carg(p);
}
CHECK_SCALAR_N(horner, DIFFERENCES, RANGE(6))

static double mandelbrot(double *x, int n) {
  double _Complex c = at(x), z = 0;
  int i = 0;
  while (i < n && creal(z) * creal(z) + cimag(z) * cimag(z) < 4) z = z * z + 0.2 * c, i++;
  return cabs(z) * i;
}
CHECK_SCALAR_N(mandelbrot, DIFFERENCES, RANGE(8))

// d Re f = Re(f' dz), d Im f = Im(f' dz): checked against f' by hand, and against differences.
#define HOLOMORPHIC(f, derivative)                                                                                     \
  static void f##_of(double *x, double *y) {                                                                           \
    double _Complex v = f(at(x));                                                                                      \
    y[0] = creal(v), y[1] = cimag(v);                                                                                  \
  }                                                                                                                    \
  static void f##_want(const double *x, const double *w, double *g) {                                                  \
    double _Complex z = at(x), v = f(z), d = derivative;                                                               \
    (void)z, (void)v;                                                                                                  \
    g[0] = w[0] * creal(d) + w[1] * cimag(d);                                                                          \
    g[1] = w[1] * creal(d) - w[0] * cimag(d);                                                                          \
  }                                                                                                                    \
  CHECK_VECTOR(f##_of, 2, f##_want, POINT(0.7, -1.2))                                                                  \
  static void f##_left_of(double *x, double *y) { f##_of(x, y); }                                                      \
  CHECK_VECTOR(f##_left_of, 2, f##_want, POINT(-1.3, 0.4))
HOLOMORPHIC(cexp, v)
HOLOMORPHIC(clog, 1 / z)
HOLOMORPHIC(csqrt, 0.5 / v)
HOLOMORPHIC(csin, ccos(z))
HOLOMORPHIC(ccos, -csin(z))
HOLOMORPHIC(ctan, 1 + v * v)
HOLOMORPHIC(csinh, ccosh(z))
HOLOMORPHIC(ccosh, csinh(z))
HOLOMORPHIC(ctanh, 1 - v * v)
HOLOMORPHIC(cproj, 1)

static double powers(double *x) {
  double _Complex p = cpow(at(x), at(x + 2)) + cpow(at(x + 1), 3);
  return creal(p) - 2 * cimag(p);
}
CHECK_SCALAR(powers, DIFFERENCES, RANGE(4))

// On the unit circle the real part of the logarithm is a small number.
static double circle(double *x) { return creal(clog(0.6 * x[0] + 0.8 * x[1] * I)); }
static void circle_want(const double *x, const double *w, double *g) { g[0] = 0.36 * w[0], g[1] = 0.64 * w[0]; }
CHECK_SCALAR(circle, circle_want, POINT(1, 1))

// Scaled arithmetic: squares of these numbers are out of range.
static double extremes(double *x) {
  double _Complex a = (x[0] + x[1] * I) * 1e200, b = (x[1] - x[0] * I) * 1e200;
  return creal(a / b) + 2 * cimag(a / b) + creal(csqrt(a)) * 1e-100;
}
CHECK_SCALAR(extremes, DIFFERENCES, RANGE(2))

static float singles(float *x, int n) {
  float _Complex z = x[0] + x[1] * (float _Complex)I, p = cexpf(-z) * csqrtf(z) / (z + 2);
  for (int i = 0; i < n; i++) p = p * z + x[i];
  return cabsf(p) + crealf(csinf(z) * clogf(p));
}
CHECK_FLOAT_N(singles, DIFFERENCES, RANGE(4))

static double extended(double *x, int n) {
  long double _Complex z = x[0] + x[1] * I, p = 0;
  for (int i = 0; i < n; i++) p = csinl(p) * z + cexpl(-z) / (x[i] + z);
  return (double)(cabsl(p) + creall(cpowl(z, p)));
}
CHECK_SCALAR_N(extended, DIFFERENCES, RANGE(4))

static double arrays(double *x, int n) {
  double _Complex a[8], s = 0;
  for (int i = 0; i < n; i++) a[i] = x[i] * cexp(I * (double)i * x[0]);
  for (int i = 1; i < n; i++) a[i] *= a[i - 1];
  for (int i = 0; i < n; i++) s += a[i] * conj(a[n - 1 - i]);
  return cabs(s);
}
CHECK_SCALAR_N(arrays, DIFFERENCES, RANGE(6))

// The same values as the library's.
static void values(double *x, double *y) {
  double _Complex z = at(x), v[] = {cexp(z), clog(z), csqrt(z), csin(z), ccos(z), ctan(z), csinh(z), ccosh(z), ctanh(z),
                                    cpow(z, z), z / (z + 1)};
  for (int i = 0; i < 11; i++) y[2 * i] = creal(v[i]), y[2 * i + 1] = cimag(v[i]);
}
CHECK_BY_HAND(values_of_the_library) {
  const double points[][2] = {{0.7, -1.2}, {-3, 0.01}, {1e-9, 1}, {0.6, 0.8}, {20, -7}, {-1, 0.0}, {-1, -0.0}, {0, 2}, {300, 1}};
  for (int p = 0; p < 9; p++) {
    double x[2] = {points[p][0], points[p][1]}, dx[2] = {0, 0}, y[22], dy[22] = {0}, plain[22];
    __pardiff_autodiff((void *)values, pardiff_dup, x, dx, pardiff_dup, y, dy);
    values(x, plain);
    for (int i = 0; i < 22; i++)
      if (isfinite(plain[i]))
        near_to("value", y[i], plain[i], 1e-14);
      else
        expect("not finite", !isfinite(y[i]));
  }
}
