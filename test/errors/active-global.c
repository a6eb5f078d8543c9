// Active values kept in a global array of another file.
// RUN: not %pardiff-clang -O0 -gline-tables-only -c %s -o %t 2>&1 | FileCheck %s
// RUN: not %pardiff-clang -O2 -gline-tables-only -c %s -o %t 2>&1 | FileCheck %s
#include "pardiff.h"
extern double table[4];
static double f(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
// CHECK: active-global.c:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}{{\[PD0012\]}}
    table[i % 4] = x[i] * x[i];
  for (int i = 0; i < 4; i++) s += table[i];
  return s;
}
void gradient(const double *x, double *dx, int n) {
  __pardiff_autodiff((void *)f, pardiff_dup, x, dx, n);
}
// CHECK: error{{s?}} generated
