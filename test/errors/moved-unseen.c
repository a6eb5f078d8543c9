// A library function that runs code which is not known may move pointers, and leave their shadows behind.
// RUN: not %pardiff-clang -O0 -gline-tables-only -c %s -o %t 2>&1 | FileCheck %s
// RUN: not %pardiff-clang -O2 -gline-tables-only -c %s -o %t 2>&1 | FileCheck %s
#include "pardiff.h"
#include <stdlib.h>
int elsewhere(const void *a, const void *b);
static double f(double *x, int n) {
  double *p[8], s = 0;
  for (int i = 0; i < n; i++) p[i] = &x[i];
  // CHECK: moved-unseen.c:[[@LINE+1]]:{{.*}}may move pointers to active memory{{.*}}{{\[PD0011\]}}
  qsort(p, n, sizeof *p, elsewhere);
  for (int i = 0; i < n; i++) s += i * *p[i];
  return s;
}
void gradient(double *x, double *dx, int n) { __pardiff_autodiff((void *)f, pardiff_dup, x, dx, n); }
// CHECK: error generated
