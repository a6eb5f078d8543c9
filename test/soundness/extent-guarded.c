// Rule: an extent is 0 where the guard of its loop does not hold. A rotated inner loop over m <= 0 says zext(m - 1) + 1
// iterations, 2^32 for m = 0, and is not entered. Without the rule the tape cannot be allocated.
// RUN: %numeric %s
#include "check.h"

static double inner(const double *x, int n, int m) {
  double s = 1;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < m; j++) s = s * 0.5 + sin(s * x[j]);
    s *= x[i];
  }
  return s;
}
static double guarded_twice(const double *x, int n, int m, int on) {
  double s = 1;
  for (int i = 0; i < n; i++) {
    if (on && m > 2)
      for (int j = 2; j < m; j++) s = s * 0.5 + sin(s * x[j - 2]);
    s *= x[i];
  }
  return s;
}
static double guarded_on_each_way(const double *x, int n, int m) {
  double s = 1;
  int i = 0;
  while (i < n) {
    if (i % 2 == 1 || s > 0.3)
      for (int j = 0; j < m; j++)
        for (int k = 0; k < m; k++) s = s * 0.5 + sin(s * x[j]);
    s *= x[i++];
  }
  return s;
}
CHECK_BY_HAND(not_entered) {
  for (int m = -2; m <= 0; m++) {
    double x[3] = {2, 3, 5}, g[3] = {0}, h[3] = {0}, k[3] = {0};
    __pardiff_autodiff((void *)inner, pardiff_dup, x, g, opaque(3), opaque(m));
    near("0", g[0], 15), near("1", g[1], 10), near("2", g[2], 6);
    __pardiff_autodiff((void *)guarded_twice, pardiff_dup, x, h, opaque(3), opaque(m + 1), opaque(1));
    near("0", h[0], 15), near("1", h[1], 10), near("2", h[2], 6);
    __pardiff_autodiff((void *)guarded_on_each_way, pardiff_dup, x, k, opaque(3), opaque(m));
    near("0", k[0], 15), near("1", k[1], 10), near("2", k[2], 6);
  }
}
static double entered(double *x, int n) {
  return inner(x, n, n - 1) + guarded_twice(x, n, n + 2, n) + guarded_on_each_way(x, n, n);
}
CHECK_SCALAR_N(entered, DIFFERENCES, RANGE(3))
