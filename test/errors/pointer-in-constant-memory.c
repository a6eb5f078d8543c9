// A pointer to active memory is stored in memory that was declared constant: its shadow has no place.
// RUN: not %pardiff-clang -O0 -gline-tables-only -c %s -o %t 2>&1 | FileCheck %s
// RUN: not %pardiff-clang -O2 -gline-tables-only -c %s -o %t 2>&1 | FileCheck %s
#include "pardiff.h"
static double f(double *x, double **rows, int n) {
  double s = 0;
// CHECK: pointer-in-constant-memory.c:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}argument 2, which was declared constant{{.*}}{{\[PD0015\]}}
  for (int i = 0; i < n; i++) rows[i] = x + i;
  for (int i = 0; i < n; i++) s += rows[i][0] * rows[i][0];
  return s;
}
void gradient(double *x, double *dx, double **rows, int n) {
  __pardiff_autodiff((void *)f, pardiff_dup, x, dx, pardiff_const, rows, n);
}
// CHECK: error{{s?}} generated
