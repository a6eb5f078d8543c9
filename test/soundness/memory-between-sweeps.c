// Rule: in a reverse function of its own no memory counts as unchanged. Without the rule the reverse sweep loads x again, finds
// what the program wrote between the sweeps, and answers 2 * 1e9 instead of 6.
// RUN: %pardiff-clang -O0 %s -o %t && %t | FileCheck %s
// RUN: %pardiff-clang -O2 %s -o %t && %t | FileCheck %s
#include "pardiff.h"
#include <stdio.h>

static double square(const double *x) { return *x * *x; }

int main(void) {
  double x = 3, dx = 0;
  void *tape = __pardiff_augmentfwd((void *)square, &x, &dx);
  x = 1e9;
  __pardiff_reverse((void *)square, &x, &dx, 1.0, tape);
  // CHECK: 6
  printf("%g\n", dx);
}
