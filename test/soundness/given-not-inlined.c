// Rule: a derivative that the program registers is the one that is used, also where the function would be inlined. Without the rule
// the body is differentiated, and a step has the derivative 0.
// RUN: %pardiff-clang -O0 %s -o %t && %t | FileCheck %s
// RUN: %pardiff-clang -O3 %s -o %t && %t | FileCheck %s
#include "pardiff.h"
#include <stdio.h>

__attribute__((always_inline)) static inline double step(double x) { return x < 0 ? 0 : 1; }
static double step_forward(double x) { return step(x); }
static double smooth_step(double x, double seed) { return seed * x; }
void *__pardiff_register_gradient_step[3] = {(void *)step, (void *)step_forward, (void *)smooth_step};

static double f(const double *x) { return 5 * step(*x); }

int main(void) {
  double x = 3, dx = 0;
  __pardiff_autodiff((void *)f, &x, &dx);
  // CHECK: 15
  printf("%g\n", dx);
}
