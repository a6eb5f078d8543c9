// RUN: %numeric %s
// Memory given back with its size, as containers do, in both modes.
#include "check.h"
#include <vector>

static double containers(const double *x, int n) {
  std::vector<double> t(x, x + n), u;
  double sum = 0;
  for (double e : t) {
    sum += e * e * t[0];
    u.push_back(sum);
  }
  for (double e : u) sum += e * t[1];
  return sum;
}

CHECK_BY_HAND(both_modes) {
  double x[3] = {0.3, 0.5, 0.7}, dx[3] = {0, 0, 0}, v[3] = {1, -2, 0.5}, by_reverse = 0;
  __pardiff_autodiff((void *)containers, pardiff_dup, x, dx, 3);
  double by_forward = __pardiff_fwddiff((void *)containers, pardiff_dup, x, v, 3);
  for (int i = 0; i < 3; i++) {
    double a[3] = {x[0], x[1], x[2]}, b[3] = {x[0], x[1], x[2]};
    a[i] += 1e-5, b[i] -= 1e-5;
    near_to("difference", dx[i], (containers(a, 3) - containers(b, 3)) / 2e-5, 1e-8);
    by_reverse += dx[i] * v[i];
  }
  near("forward", by_forward, by_reverse);
}
