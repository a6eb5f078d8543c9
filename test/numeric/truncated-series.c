// RUN: %numeric %s
// A series that is cut off: each derivative counts more terms, so that it is as good as the function.
#include "check.h"

double __pardiff_autodiff_number(void *, ...);
double __pardiff_fwddiff_number(void *, ...);

// x - x^3/6 + ...; the derivative of order k of `terms` terms is off by x^(2 terms + 1 - k).
static double sine(double x) {
  unsigned long terms = __pardiff_iter(2, 3);
  double sum = 0, term = x;
  for (unsigned long i = 0; i < terms; i++) {
    sum += term;
    term *= -x * x / ((2 * i + 2) * (2 * i + 3));
  }
  return sum;
}

static double first(double x) { return __pardiff_autodiff_number((void *)sine, x); }
static double second(double x) { return __pardiff_fwddiff_number((void *)first, x, 1.0); }
static double third(double x) { return __pardiff_autodiff_number((void *)second, x); }

// The sum's derivatives, term by term.
static double by_terms(int terms, int order, double x) {
  double sum = 0;
  for (int i = 0; i < terms; i++) {
    if (2 * i + 1 < order) continue;
    double term = i % 2 ? -1 : 1;
    for (int k = 1; k <= 2 * i + 1 - order; k++) term *= x / k;
    sum += term;
  }
  return sum;
}
CHECK_BY_HAND(orders) {
  double x = 1.5;
  near("function", sine(x), by_terms(2, 0, x));
  near("first", first(x), by_terms(5, 1, x));
  near("second", second(x), by_terms(8, 2, x));
  near("third", third(x), by_terms(11, 3, x));
}

// As a bound of two loops, and in a function that stays a call.
unsigned __enzyme_iter(unsigned, unsigned);
static double power(double x, unsigned left) { return left ? x * power(x, left - 1) : 1; }
static double sums(const double *x, int n) {
  double s = 0;
  unsigned m = __enzyme_iter(1, 1);
  for (int i = 0; i < n; i++)
    for (unsigned k = 0; k < m; k++) s += power(x[i], k + 1);
  return s;
}
CHECK_BY_HAND(bounds) {
  double x[3] = {1, 2, 3}, dx[3] = {0, 0, 0};
  near("function", sums(x, 3), 6);
  __pardiff_autodiff_number((void *)sums, pardiff_dup, x, dx, pardiff_const, 3);
  for (int i = 0; i < 3; i++) near("gradient", dx[i], 1 + 2 * x[i]);
}
