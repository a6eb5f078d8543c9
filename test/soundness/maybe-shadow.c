// Rule: a pointer that may lead to memory with a shadow or to memory without one has no shadow address that is right for
// both; until there is a test at run time, it is refused. Without the rule updates go to a null shadow.
// RUN: not %pardiff-clang -O0 -gline-tables-only -c %s -o %t 2>&1 | FileCheck %s
// RUN: not %pardiff-clang -O2 -gline-tables-only -c %s -o %t 2>&1 | FileCheck %s
#include "pardiff.h"
static double f(const double *x, const double *table, int n, int which) {
  double s = 0;
  const double *p = which ? x : table;
  for (int i = 0; i < n; i++)
// CHECK: maybe-shadow.c:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}argument 2, which has no shadow{{.*}}{{\[PD0011\]}}
    s += p[i] * p[i];
  return s;
}
void gradient(const double *x, double *dx, const double *table, int n, int which) {
  __pardiff_autodiff((void *)f, pardiff_dup, x, dx, pardiff_const, table, n, which);
}
// CHECK: error{{s?}} generated
