// Functions with a variable number of arguments: refused, unless they are declared inactive.
// RUN: not %pardiff-clang -O0 -gline-tables-only -c %s -o %t 2>&1 | FileCheck %s
// RUN: not %pardiff-clang -O2 -gline-tables-only -c %s -o %t 2>&1 | FileCheck %s
// RUN: %pardiff-clang -O2 -DINACTIVE -c %s -o %t
#include "pardiff.h"
#include <stdarg.h>
#include <stdio.h>
static void report(const char *format, ...) {
  va_list values;
  va_start(values, format);
  vprintf(format, values);
  va_end(values);
}
#ifdef INACTIVE
void *__pardiff_inactivefn[] = {(void *)report};
#endif
static double f(const double *x, int n) {
  double s = x[0] * n;
// CHECK: variable-arguments.c:[[@LINE+1]]:{{[0-9]+}}: error: 'report' reads a variable number of arguments{{.*}}{{\[PD0018\]}}
  report("%g\n", s);
  return s * x[1];
}
void gradient(const double *x, double *dx, int n) {
  __pardiff_autodiff((void *)f, pardiff_dup, x, dx, n);
}
