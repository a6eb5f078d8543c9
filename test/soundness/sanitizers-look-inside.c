// Rule: generated functions keep the sanitizers' attributes. Without them nothing in a gradient is instrumented, and a
// shadow that is too short is written past its end in silence.
// RUN: %pardiff-clang -O1 -g -fsanitize=address %s -o %t
// RUN: not %t 2>&1 | FileCheck %s
// CHECK: AddressSanitizer: heap-buffer-overflow
// CHECK: pardiff.gradient.norm
#include "pardiff.h"
#include <stdlib.h>
static double norm(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += x[i] * x[i];
  return s;
}
int main(int argc, char **argv) {
  (void)argv;
  int n = argc + 3;
  double *x = calloc(n, sizeof *x), *shadow = calloc(n - 1, sizeof *shadow);
  __pardiff_autodiff((void *)norm, pardiff_dup, x, shadow, pardiff_const, n);
  free(x), free(shadow);
}
