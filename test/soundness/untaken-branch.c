// Rule: a branch that was not taken gives 0, not NaN: partials sit under the path's guard or multiply by a strong zero, in
// whatever way the branch reached us (a branch, a select, a value that is stored and not read). Without the rule the
// gradient at the points below is 0 * infinity = NaN.
// RUN: %numeric %s
#include "check.h"

static double branch(double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    if (x[i] > 0) s += sqrt(x[i]) + log(x[i]);
  return s;
}
static double chosen(double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    double root = sqrt(x[i]), inverse = 1 / x[i];
    s += x[i] > 0 ? root * inverse : 0;
  }
  return s;
}
static double discarded_product(double *x, const double *w, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    double product = x[i] * w[i];
    s += isinf(w[i]) ? x[i] : product;
  }
  return s;
}
static double stored_and_not_read(double *x, const double *w, int n) {
  double t[3], s = 0;
  for (int i = 0; i < n; i++) t[i] = x[i] * w[i];
  for (int i = 0; i < n; i++)
    if (!isinf(w[i])) s += t[i];
  return s;
}
CHECK_BY_HAND(at_infinity) {
  double x[3] = {4, 0, 1}, w[3] = {2, INFINITY, 3}, g[4][3] = {{0}};
  __pardiff_autodiff((void *)branch, pardiff_dup, x, g[0], opaque(3));
  near("branch", g[0][0], 0.5), near("branch, not taken", g[0][1], 0), near("branch", g[0][2], 1.5);
  __pardiff_autodiff((void *)chosen, pardiff_dup, x, g[1], opaque(3));
  near("chosen", g[1][0], -0.0625), near("chosen, other side", g[1][1], 0), near("chosen", g[1][2], -0.5);
  __pardiff_autodiff((void *)discarded_product, pardiff_dup, x, g[2], pardiff_const, w, opaque(3));
  near("product", g[2][0], 2), near("discarded", g[2][1], 1), near("product", g[2][2], 3);
  __pardiff_autodiff((void *)stored_and_not_read, pardiff_dup, x, g[3], pardiff_const, w, opaque(3));
  near("read", g[3][0], 2), near("not read", g[3][1], 0), near("read", g[3][2], 3);
}
