// Active memory reached through a pointer that is itself in memory.
// RUN: not %pardiff-clang -O0 -gline-tables-only -c %s -o %t 2>&1 | FileCheck %s
// RUN: not %pardiff-clang -O2 -gline-tables-only -c %s -o %t 2>&1 | FileCheck %s
#include "pardiff.h"
static double f(double **rows, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += rows[i][0] * rows[i][1];
  return s;
}
void gradient(double **rows, double **shadows, int n) {
  __pardiff_autodiff((void *)f, pardiff_dup, rows, shadows, n);
}
// CHECK: error: {{.*}}{{\[PD0011\]}}
// CHECK: error{{s?}} generated
