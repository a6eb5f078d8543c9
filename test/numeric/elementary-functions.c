// RUN: %numeric %s
// Every function of C99 <math.h> with a derivative, in double, against its derivative by hand.
#include "check.h"

static double all(double *x) {
  double a = x[0], b = x[1]; // a in (0, 1), b > 1
  return sin(a) + cos(a) * 2 + tan(a) * 3 + asin(a) * 4 + acos(a) * 5 + atan(a) * 6 + sinh(a) * 7 + cosh(a) * 8 +
         tanh(a) * 9 + asinh(a) * 10 + acosh(b) * 11 + atanh(a) * 12 + exp(a) * 13 + exp2(a) * 14 + expm1(a) * 15 +
         log(a) * 16 + log10(a) * 17 + log2(a) * 18 + log1p(a) * 19 + sqrt(a) * 20 + cbrt(a) * 21 + erf(a) * 22 +
         erfc(a) * 23;
}
static void want(const double *x, const double *w, double *g) {
  double a = x[0], b = x[1], t = tan(a), h = tanh(a), e = 2 / sqrt(acos(-1.0)) * exp(-a * a);
  g[0] = cos(a) - 2 * sin(a) + 3 * (1 + t * t) + 4 / sqrt(1 - a * a) - 5 / sqrt(1 - a * a) + 6 / (1 + a * a) +
         7 * cosh(a) + 8 * sinh(a) + 9 * (1 - h * h) + 10 / sqrt(1 + a * a) + 12 / (1 - a * a) + 13 * exp(a) +
         14 * log(2.0) * exp2(a) + 15 * exp(a) + 16 / a + 17 / (a * log(10.0)) + 18 / (a * log(2.0)) + 19 / (1 + a) +
         20 / (2 * sqrt(a)) + 21 / (3 * cbrt(a) * cbrt(a)) + 22 * e - 23 * e;
  g[1] = 11 / sqrt(b * b - 1);
}
CHECK_SCALAR(all, want, POINT(0.4, 1.7))

static double of_two(double *x) {
  double a = x[0], b = x[1];
  return pow(a, b) + 2 * atan2(a, b) + 3 * hypot(a, b) + 4 * fmax(a, b) + 5 * fmin(a, b) + 6 * fdim(b, a) +
         7 * fma(a, b, a) + 8 * fmod(b, a) + 9 * copysign(a, -b) + 10 * remainder(b, a);
}
static void want_of_two(const double *x, const double *w, double *g) {
  double a = x[0], b = x[1], r = a * a + b * b;
  g[0] = b * pow(a, b - 1) + 2 * b / r + 3 * a / sqrt(r) + 5 - 6 + 7 * (b + 1) - 8 * trunc(b / a) - 9 - 10 * nearbyint(b / a);
  g[1] = log(a) * pow(a, b) - 2 * a / r + 3 * b / sqrt(r) + 4 + 6 + 7 * a + 8 + 10;
}
CHECK_SCALAR(of_two, want_of_two, POINT(0.4, 1.7))

static double gammas(double *x) { return tgamma(x[0]) + 2 * lgamma(x[1]); }
CHECK_SCALAR(gammas, DIFFERENCES, POINT(2.4, 3.7))

static double steps(double *x) { // flat between its jumps
  double a = x[0];
  return a * (floor(a) + ceil(a) + trunc(a) + round(a) + rint(a) + nearbyint(a)) + (double)lround(a) * a + fabs(-a);
}
static void want_steps(const double *x, const double *w, double *g) { g[0] = 1 + 2 + 1 + 1 + 1 + 1 + 1 + 1; }
CHECK_SCALAR(steps, want_steps, POINT(1.3))

static double scaled(double *x) { return ldexp(x[0], 3) + scalbn(x[1], -2) * x[0]; }
static void want_scaled(const double *x, const double *w, double *g) {
  g[0] = 8 + x[1] / 4;
  g[1] = x[0] / 4;
}
CHECK_SCALAR(scaled, want_scaled, POINT(1.3, 0.6))
