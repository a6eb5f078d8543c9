// RUN: %numeric %s
// Loops that do not run at all: nothing is read or written, shadows may be null.
#include "check.h"

static double nothing(const double *x, int n) {
  double s = 7;
  for (int i = 0; i < n; i++) s *= sin(x[i]);
  return s;
}
static void nothing_nested(double *x, const double *y, int n, int m) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) x[i] *= y[j] * x[i];
}
CHECK_BY_HAND(null_shadows) {
  __pardiff_autodiff((void *)nothing, pardiff_dup, (double *)0, (double *)0, opaque(0));
  __pardiff_autodiff((void *)nothing, pardiff_dup, (double *)0, (double *)0, opaque(-5));
  near("tangent", __pardiff_fwddiff((void *)nothing, pardiff_dup, (double *)0, (double *)0, opaque(0)), 0);

  __pardiff_autodiff((void *)nothing_nested, pardiff_dup, (double *)0, (double *)0, pardiff_dup, (double *)0,
                     (double *)0, opaque(0), opaque(3));
  double x[2] = {3, 4}, dx[2] = {5, 6};
  __pardiff_autodiff((void *)nothing_nested, pardiff_dup, x, dx, pardiff_dup, (double *)0, (double *)0, opaque(2),
                     opaque(0));
  near("untouched seed 0", dx[0], 5), near("untouched seed 1", dx[1], 6);
}
static double partly(double *x, int n) {
  double s = x[0];
  for (int i = 0; i < n - 3; i++) s *= x[i];
  for (int i = 0; i < n; i++)
    for (int j = 2; j < n - 1; j++) s += sin(s * x[j]);
  return s;
}
CHECK_SCALAR_N(partly, DIFFERENCES, RANGE(3))
