// RUN: %numeric %s
// Arguments held fixed, pointers without a marker, functions that do not depend on what is asked.
#include "check.h"

static double dot(const double *a, const double *b, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += a[i] * b[i];
  return s;
}
static double independent(const double *a, int n) { return n * 2.5; }
static double integer_only(const double *a, int n) {
  int count = 0;
  for (int i = 0; i < n; i++) count += a[i] > 1;
  return count;
}
CHECK_BY_HAND(fixed) {
  double a[3] = {1, 2, 3}, b[3] = {4, 5, 6}, g[3] = {0}, h[3] = {0};
  __pardiff_autodiff((void *)dot, pardiff_dup, a, g, pardiff_const, b, pardiff_const, opaque(3));
  for (int i = 0; i < 3; i++) near("d/da", g[i], b[i]);
  __pardiff_autodiff((void *)dot, pardiff_const, a, pardiff_dup, b, h, opaque(3));
  for (int i = 0; i < 3; i++) near("d/db", h[i], a[i]);
}
CHECK_BY_HAND(no_marker) {
  double a[3] = {1, 2, 3}, b[3] = {4, 5, 6}, g[3] = {0}, h[3] = {0};
  __pardiff_autodiff((void *)dot, a, g, b, h, opaque(3));
  for (int i = 0; i < 3; i++) near("d/da", g[i], b[i]), near("d/db", h[i], a[i]);
}
CHECK_BY_HAND(zero) {
  double a[3] = {1, 2, 3}, g[3] = {1, 1, 1};
  __pardiff_autodiff((void *)independent, pardiff_dup, a, g, opaque(3));
  __pardiff_autodiff((void *)integer_only, pardiff_dup, a, g, opaque(3));
  for (int i = 0; i < 3; i++) near("unchanged", g[i], 1);
}
CHECK_BY_HAND(one_shadow_for_two) {
  double a[3] = {1, 2, 3}, b[3] = {4, 5, 6}, g[3] = {0};
  __pardiff_autodiff((void *)dot, pardiff_dup, a, g, pardiff_dup, b, g, opaque(3));
  for (int i = 0; i < 3; i++) near("sum of both", g[i], a[i] + b[i]);
}
CHECK_BY_HAND(same_array_twice) {
  double a[3] = {1, 2, 3}, g[3] = {0};
  __pardiff_autodiff((void *)dot, pardiff_dup, a, g, pardiff_dup, a, g, opaque(3));
  for (int i = 0; i < 3; i++) near("d/da", g[i], 2 * a[i]);
}
