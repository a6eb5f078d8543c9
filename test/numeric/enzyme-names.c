// RUN: %numeric %s
// Enzyme's names mean the same; a name may carry a suffix, markers may be declared locally.
#include "check.h"

extern int enzyme_dup, enzyme_const, enzyme_out, enzyme_dupnoneed;
struct two { double first, second; };
double __enzyme_autodiff(void *, ...);
double __enzyme_autodiff1(double (*)(double), double);
struct two __enzyme_autodiff_two(void *, ...);
double __enzyme_fwddiff(void *, ...);

static double square(double x) { return x * x; }
static double product(double x, double y) { return x * y; }
static double norm(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += x[i] * x[i];
  return s;
}
static void scale(const double *x, double *y, int n) {
  for (int i = 0; i < n; i++) y[i] = 3 * x[i];
}
CHECK_BY_HAND(names) {
  near("plain", __enzyme_autodiff((void *)square, 3.0), 6);
  near("typed declaration", __enzyme_autodiff1(square, 4.0), 8);
  struct two d = __enzyme_autodiff_two((void *)product, enzyme_out, 3.0, enzyme_out, 5.0);
  near("first", d.first, 5), near("second", d.second, 3);
  near("forward", __enzyme_fwddiff((void *)product, 3.0, 1.0, 5.0, 1.0), 8);
  double x[2] = {1, 2}, g[2] = {0}, y[2], seed[2] = {1, 10};
  __enzyme_autodiff((void *)norm, enzyme_dup, x, g, enzyme_const, 2);
  near("dup", g[0], 2), near("dup", g[1], 4);
  __enzyme_autodiff((void *)scale, enzyme_dup, x, g, enzyme_dupnoneed, y, seed, enzyme_const, 2);
  near("added", g[0], 5), near("added", g[1], 34);
}

// Not to return the result is one thing, that it has no derivative another. The last is advice.
extern int enzyme_noret, enzyme_const_return, enzyme_not_overwritten;
void __enzyme_autodiff_nothing(void *, ...);
static double both(const double *x, double *y) {
  *y = x[0] * x[1];
  return x[0];
}
CHECK_BY_HAND(returns) {
  double x[2] = {2, 3}, y, d[2] = {0, 0}, seed = 1;
  __enzyme_autodiff_nothing((void *)both, enzyme_noret, enzyme_dup, x, d, enzyme_dup, &y, &seed);
  near("with the result, 0", d[0], 3 + 1), near("with the result, 1", d[1], 2);
  d[0] = d[1] = 0, seed = 1;
  __enzyme_autodiff_nothing((void *)both, enzyme_const_return, enzyme_not_overwritten, enzyme_dup, x, d, enzyme_dup, &y, &seed);
  near("without, 0", d[0], 3), near("without, 1", d[1], 2);
}
