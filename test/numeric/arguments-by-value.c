// RUN: %numeric %s
// Numbers by value: one derivative returned, several in a struct, in the order of the arguments.
#include "check.h"

struct two { double first, second; };
struct three { double first, second, third; };
struct mixed { float first; double second; };
PARDIFF_AUTODIFF(struct two, two);
PARDIFF_AUTODIFF(struct three, three);
PARDIFF_AUTODIFF(struct mixed, mixed);
PARDIFF_AUTODIFF(float, single);
PARDIFF_FWDDIFF(float, single);

static double square(double x) { return x * x; }
static double product(double x, double y) { return x * x * y; }
static double with_integer(double x, int k, double y) { return k * x / y; }
static double of_three(double x, double y, double z) { return x * y + sin(z) * y; }
static float single(float x) { return x * x * x; }
static double mixed(float x, double y) { return x * y * y; }
static double with_array(double a, const double *x, double b) { return a * x[0] + b * x[1]; }

CHECK_BY_HAND(one) {
  near("default", __pardiff_autodiff((void *)square, 3.0), 6);
  near("marked", __pardiff_autodiff((void *)square, pardiff_out, -2.0), -4);
  near("single", __pardiff_autodiff_single((void *)single, 2.0f), 12);
  near("fixed first", __pardiff_autodiff((void *)product, pardiff_const, 3.0, pardiff_out, 4.0), 9);
  near("fixed second", __pardiff_autodiff((void *)product, 3.0, pardiff_const, 4.0), 24);
}
CHECK_BY_HAND(several) {
  struct two d = __pardiff_autodiff_two((void *)product, 3.0, 4.0);
  near("product, first", d.first, 24), near("product, second", d.second, 9);
  d = __pardiff_autodiff_two((void *)with_integer, pardiff_out, 1.0, pardiff_const, 2, pardiff_out, 4.0);
  near("quotient, first", d.first, 0.5), near("quotient, second", d.second, -0.125);
  d = __pardiff_autodiff_two((void *)with_integer, 1.0, 2, 4.0);
  near("integer by default, first", d.first, 0.5), near("integer by default, second", d.second, -0.125);
  struct three t = __pardiff_autodiff_three((void *)of_three, 2.0, 3.0, 0.5);
  near("three, first", t.first, 3), near("three, second", t.second, 2 + sin(0.5));
  near("three, third", t.third, 3 * cos(0.5));
  struct mixed m = __pardiff_autodiff_mixed((void *)mixed, 2.0f, 3.0);
  near("mixed, float", m.first, 9), near("mixed, double", m.second, 12);
}
CHECK_BY_HAND(beside_an_array) {
  double x[2] = {5, 7}, g[2] = {100, 0};
  struct two d = __pardiff_autodiff_two((void *)with_array, 2.0, pardiff_dup, x, g, 3.0);
  near("a", d.first, 5), near("b", d.second, 7), near("x0", g[0], 102), near("x1", g[1], 3);
}
CHECK_BY_HAND(forward) {
  near("square", __pardiff_fwddiff((void *)square, 3.0, 10.0), 60);
  near("product", __pardiff_fwddiff((void *)product, 3.0, 1.0, 4.0, 0.5), 24 + 4.5);
  near("fixed", __pardiff_fwddiff((void *)product, pardiff_const, 3.0, pardiff_dup, 4.0, 2.0), 18);
  near("integer", __pardiff_fwddiff((void *)with_integer, 1.0, 1.0, 2, 4.0, 1.0), 0.5 - 0.125);
  near("single", __pardiff_fwddiff_single((void *)single, 2.0f, 1.0f), 12);
}
