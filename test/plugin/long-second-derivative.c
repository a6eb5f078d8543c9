// RUN: %clang -O1 -fpass-plugin=%plugin %s -o %t -lm && %t
// The derivative of a derivative that keeps values in memory and calls its parts, against differences.
#include <math.h>
#include <stdio.h>
double __pardiff_autodiff(void *, ...);

#define LINE(k)                                     \
  s = 0.5 * sin(s) + x[(k) % 5] * 0.25 + t * 0.125; \
  t = s * 0.5 + t / (2 + s * s);                    \
  u[(k) % 7] = t * s + 0.25 * u[(k) % 3];
#define TEN(k) \
  LINE(k) LINE(k + 1) LINE(k + 2) LINE(k + 3) LINE(k + 4) LINE(k + 5) LINE(k + 6) LINE(k + 7) LINE(k + 8) LINE(k + 9)
#define HUNDRED(k) TEN(k) TEN(k + 10) TEN(k + 20) TEN(k + 30) TEN(k + 40) TEN(k + 50) TEN(k + 60) TEN(k + 70) TEN(k + 80) TEN(k + 90)

static double chain(double first) {
  double x[5] = {first, 0.7, 1.1, -0.4, 0.2}, s = first, t = 0.5, u[7] = {0};
  HUNDRED(0) HUNDRED(100)
  return s + t + u[2] + u[5];
}
static double first(double x) { return __pardiff_autodiff((void *)chain, x); }

int main(void) {
  double x = 0.3, h = 1e-4, second = __pardiff_autodiff((void *)first, x), want = (first(x + h) - first(x - h)) / (2 * h);
  if (fabs(second - want) <= 1e-6 * fabs(want)) return 0;
  printf("%g instead of %g\n", second, want);
  return 1;
}
