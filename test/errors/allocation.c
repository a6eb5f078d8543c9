// Memory from a function that is not known to give any.
// RUN: not %pardiff-clang -O0 -gline-tables-only -c %s -o %t 2>&1 | FileCheck %s
// RUN: not %pardiff-clang -O2 -gline-tables-only -c %s -o %t 2>&1 | FileCheck %s
#include "pardiff.h"
#include <stdlib.h>
void *reallocarray(void *old, size_t count, size_t size);
static double f(const double *x, int n) {
// CHECK: allocation.c:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}{{\[PD0013\]}}
  double *t = reallocarray(0, n, sizeof(double)), s = 0;
  for (int i = 0; i < n; i++) t[i] = x[i] * x[i];
  for (int i = 0; i < n; i++) s += t[i];
  free(t);
  return s;
}
void gradient(const double *x, double *dx, int n) {
  __pardiff_autodiff((void *)f, pardiff_dup, x, dx, n);
}
// CHECK: error{{s?}} generated
