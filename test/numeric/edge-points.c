// RUN: %numeric %s
// Stated values where a derivative is one-sided or undefined.
#include "check.h"

static double absolute(double x) { return fabs(x); }
static double root_of_square(double *x) { return sqrt(x[0] * x[0] + x[1] * x[1]); }
static double power(double x, double y) { return pow(x, y); }
static double larger(double x, double y) { return fmax(x, y); }
static double length(double x, double y) { return hypot(x, y); }
static double cube_by_pow(double x) { return pow(x, 3); }
struct two { double first, second; };
PARDIFF_AUTODIFF(struct two, two);

CHECK_BY_HAND(points) {
  double at_zero = __pardiff_autodiff((void *)absolute, 0.0);
  expect("the derivative of fabs at 0 is a subgradient", at_zero >= -1 && at_zero <= 1);
  near("pow(-2, 3) in its base", __pardiff_autodiff((void *)cube_by_pow, -2.0), 12);
  near("pow(0, 3) in its base", __pardiff_autodiff((void *)cube_by_pow, 0.0), 0);
  near("pow(-2, y) at y = 2, in its base",
       __pardiff_autodiff((void *)power, pardiff_out, -2.0, pardiff_const, 2.0), -4);
  struct two p = __pardiff_autodiff_two((void *)power, 0.0, 2.0);
  near("pow(0, 2) in its base", p.first, 0), near("pow(0, 2) in its exponent", p.second, 0);
  struct two tie = __pardiff_autodiff_two((void *)larger, 1.0, 1.0);
  near("a tie of fmax is shared or given to one side", tie.first + tie.second, 1);
  struct two h = __pardiff_autodiff_two((void *)length, 3.0, -4.0);
  near("hypot", h.first, 0.6), near("hypot", h.second, -0.8);
  double x[2] = {3, 4}, g[2] = {0};
  __pardiff_autodiff((void *)root_of_square, pardiff_dup, x, g);
  near("3/5", g[0], 0.6), near("4/5", g[1], 0.8);
}
