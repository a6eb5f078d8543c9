// RUN: %numeric %s
// C++: a templated marker, references, std:: math, a lambda's body through a function.
#include "check.h"

#include <algorithm>
#include <cmath>
template <typename Return, typename... Arguments> Return __pardiff_autodiff(void *, Arguments...);

static double f(double *x) {
  double &first = x[0];
  const double second = x[1];
  double r = std::sin(first) * second;
  for (int i = 0; i < 3; i++) r += std::pow(first, i) * second;
  return std::max(r, second * 0.1) + std::abs(first);
}
CHECK_SCALAR(f, DIFFERENCES, POINT(1.3, 0.7))

template <typename T> static T polynomial(T x, T y) { return x * x * y + T(3) * x; }
struct two { double first, second; };
CHECK_BY_HAND(templates) {
  two d = __pardiff_autodiff<two>((void *)polynomial<double>, 2.0, 5.0);
  near("first", d.first, 23), near("second", d.second, 4);
  near("one", __pardiff_autodiff<double>((void *)polynomial<double>, pardiff_out, 2.0, pardiff_const, 5.0), 23);
}
