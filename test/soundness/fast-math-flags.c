// Rule: derivative code copies only reassoc, contract, arcp and afn, never nnan, ninf or nsz; its own additions may be nsz.
// -ffast-math promises that the program's numbers are finite; the adjoint of a path that was not taken may be 0 times
// infinity. Without the rule the strong zero that protects it is optimised away and the gradient is NaN.
// RUN: %numeric %s
// FLAGS: -ffast-math -fhonor-nans
// RUN: PARDIFF_OPTIONS=print=emit %pardiff-clang -O2 -ffast-math -DONLY -c %s -o %t 2>&1 | FileCheck %s
#ifdef ONLY
#include "pardiff.h"
#else
#include "check.h"
#endif

double products(double *x, double *y, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += x[i] * y[i];
  return s;
}
// CHECK: define internal {{.*}} @pardiff.gradient.products
// CHECK-NOT: {{nnan|ninf| fast |f(mul|div|sub|neg|cmp)[a-z ]* nsz}}
// CHECK: fmul reassoc arcp contract afn double
// CHECK-NOT: {{nnan|ninf| fast |f(mul|div|sub|neg|cmp)[a-z ]* nsz}}
// CHECK: {{^}}}
#ifdef ONLY
void gradient(double *x, double *dx, double *y, double *dy, int n) {
  __pardiff_autodiff((void *)products, pardiff_dup, x, dx, pardiff_dup, y, dy, pardiff_const, n);
}
#else
static double roots(double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += x[i] > 0 ? sqrt(x[i]) : 0;
  return s;
}
CHECK_BY_HAND(at_zero) {
  double x[3] = {4, 0, 1}, g[3] = {0};
  __pardiff_autodiff((void *)roots, pardiff_dup, x, g, opaque(3));
  near("4", g[0], 0.25), near("0", g[1], 0), near("1", g[2], 0.5);
}
#endif
