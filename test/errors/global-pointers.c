// Memory that pointers in global variables lead to when the function starts has no shadow: active values there are refused,
// also where a function that stays a call finds it, and where some way into the loop sets the pointer.
// RUN: not %pardiff-clang -O0 -gline-tables-only -c %s -o %t 2>&1 | FileCheck %s
// RUN: not %pardiff-clang -O2 -gline-tables-only -c %s -o %t 2>&1 | FileCheck %s
#include "pardiff.h"
#include <stdlib.h>
double *work, *lazy, *sometimes;
static double direct(double *x) {
  work[0] = x[0] * x[0];
  return work[(int)x[1]];
}
static double lazily(double *x) {
  if (!lazy) lazy = malloc(8);
  lazy[0] = x[0] * x[0];
  return lazy[(int)x[1]];
}
static double after_loop(double *x) {
  double local;
  for (int i = 0; i < x[1]; i++) sometimes = &local;
  *sometimes = x[0] * x[0];
  return sometimes[(int)x[1]];
}
static void fill(const double *x, int n) {
  if (n == 0) return;
  work[n - 1] = x[n - 1];
  fill(x, n - 1);
}
static double sum(int n) { return n ? work[n - 1] + sum(n - 1) : 0; }
static double in_calls(double *x) {
  fill(x, 2);
  return sum(2);
}
static double *get(int n) { return n ? get(n - 1) : work; }
static double by_call(double *x) {
  double *p = get(2);
  p[0] = x[0] * x[0];
  return p[(int)x[1]];
}
#define GRADIENT(f) void f##_gradient(double *x, double *dx) { __pardiff_autodiff((void *)f, pardiff_dup, x, dx); }
GRADIENT(direct)
GRADIENT(lazily)
GRADIENT(after_loop)
GRADIENT(in_calls)
GRADIENT(by_call)
// CHECK: global-pointers.c:9:{{.*}}'work' points to when the function starts{{.*}}{{\[PD0012\]}}
// CHECK: global-pointers.c:14:{{.*}}'lazy' points to when the function starts{{.*}}{{\[PD0012\]}}
// CHECK: global-pointers.c:20:{{.*}}'sometimes' points to when the function starts{{.*}}{{\[PD0012\]}}
// CHECK: global-pointers.c:30:{{.*}}'work' points to when the function starts{{.*}}{{\[PD0012\]}}
// CHECK: global-pointers.c:36:{{.*}}'work' points to when the function starts{{.*}}{{\[PD0012\]}}
// CHECK: errors generated
