// The function to differentiate has no body here.
// RUN: not %pardiff-clang -O0 -gline-tables-only -c %s -o %t 2>&1 | FileCheck %s
// RUN: not %pardiff-clang -O2 -gline-tables-only -c %s -o %t 2>&1 | FileCheck %s
#include "pardiff.h"
double f(const double *x, int n);
void gradient(const double *x, double *dx, int n) {
// CHECK: no-definition.c:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}{{\[PD0003\]}}
  __pardiff_autodiff((void *)f, pardiff_dup, x, dx, n);
}
// CHECK: error{{s?}} generated
