// Thread-local and atomic variables.
// RUN: not %pardiff-clang -O0 -gline-tables-only -c %s -o %t 2>&1 | FileCheck %s
// RUN: not %pardiff-clang -O2 -gline-tables-only -c %s -o %t 2>&1 | FileCheck %s
#include "pardiff.h"
static _Thread_local double last;
// CHECK-DAG: thread-local.c:{{[0-9]+}}:{{[0-9]+}}: error: the thread-local variable 'last' in a differentiated function is not supported yet; {{.*}}{{\[PD0012\]}}
static double own(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    last = x[i] * x[i];
    s += last;
  }
  return s;
}
static double shared(const double *x, int n) {
  static _Atomic double sum;
  for (int i = 0; i < n; i++)
// CHECK-DAG: thread-local.c:[[@LINE+1]]:{{[0-9]+}}: error: an atomic store has no derivative yet and works on active values {{\[PD0009\]}}
    sum = x[i] * x[i];
  return sum;
}
void gradient(const double *x, double *dx, int n) {
  __pardiff_autodiff((void *)own, pardiff_dup, x, dx, n);
  __pardiff_autodiff((void *)shared, pardiff_dup, x, dx, n);
}
