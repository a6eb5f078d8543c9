// Volatile accesses to active memory.
// RUN: not %pardiff-clang -O0 -gline-tables-only -c %s -o %t 2>&1 | FileCheck %s
// RUN: not %pardiff-clang -O2 -gline-tables-only -c %s -o %t 2>&1 | FileCheck %s
#include "pardiff.h"
static double f(const volatile double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
// CHECK: volatile-memory.c:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}{{\[PD0009\]}}
    s += x[i] * x[i];
  return s;
}
void gradient(const double *x, double *dx, int n) {
  __pardiff_autodiff((void *)f, pardiff_dup, x, dx, n);
}
// CHECK: error{{s?}} generated
