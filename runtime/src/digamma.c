// What is the derivative of log(gamma(x))?
//
// Up to x = 10 the recurrence psi(x) = psi(x + 1) - 1/x, above it the
// asymptotic series ln x - 1/(2x) - sum B_2k / (2k x^2k); below 0 the
// reflection psi(x) = psi(1 - x) - pi / tan(pi x). The rule table's own
// evaluation (rules/digamma.rs) is the same formula in Rust.
//
// Cost: at most ten divisions, one logarithm, one tangent below 0. Error
// about 1e-15 relative, absolute near the zeros (1.4616..., -0.504..., ...).
// Source: Abramowitz and Stegun, Handbook of Mathematical Functions, 6.3.5,
// 6.3.7 and 6.3.18.

#include <math.h>

double __pardiff_digamma(double x);
float __pardiff_digammaf(float x);
long double __pardiff_digammal(long double x);

// psi(x) for x > 0.
static double positive(double x) {
  // B_2k / 2k for k = 1, 2, ...
  static const double series[] = {1.0 / 12.0,  -1.0 / 120.0,     1.0 / 252.0,
                                  -1.0 / 240.0, 1.0 / 132.0,
                                  -691.0 / 32760.0, 1.0 / 12.0};
  double steps = 0.0;
  for (; x < 10.0; x += 1.0)
    steps += 1.0 / x;
  double square = 1.0 / (x * x), tail = 0.0;
  for (int k = 6; k >= 0; k--)
    tail = (tail + series[k]) * square;
  return log(x) - 0.5 / x - tail - steps;
}

// psi(x); NaN at the poles 0, -1, -2, ...
double __pardiff_digamma(double x) {
  static const double pi = 3.14159265358979323846;
  if (x > 0.0)
    return positive(x);
  // pi x has lost the fraction of x that matters: reduce first, exactly.
  double fraction = x - rint(x);
  if (fraction == 0.0 || !isfinite(x))
    return NAN;
  return positive(1.0 - x) - pi / tan(pi * fraction);
}

// psi(x) in float, computed in double.
float __pardiff_digammaf(float x) { return (float)__pardiff_digamma(x); }

// The same in long double, where the series starts at 16 and has one term more.
static long double positivel(long double x) {
  static const long double series[] = {1.0L / 12,    -1.0L / 120,   1.0L / 252, -1.0L / 240,
                                       1.0L / 132, -691.0L / 32760, 1.0L / 12,  -3617.0L / 8160};
  long double steps = 0;
  for (; x < 16; x += 1)
    steps += 1 / x;
  long double square = 1 / (x * x), tail = 0;
  for (int k = 7; k >= 0; k--)
    tail = (tail + series[k]) * square;
  return logl(x) - 0.5L / x - tail - steps;
}

// psi(x) in long double; NaN at the poles.
long double __pardiff_digammal(long double x) {
  static const long double pi = 3.14159265358979323846264338327950288L;
  if (x > 0)
    return positivel(x);
  long double fraction = x - rintl(x);
  if (fraction == 0 || !isfinite(x))
    return NAN;
  return positivel(1 - x) - pi / tanl(pi * fraction);
}
