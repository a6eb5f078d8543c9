// Rule: a reverse sweep that the program calls runs on a tape of its own derivative only. Without the mark at the start of tapes it
// reads what another function kept, and adds that to the gradient.
// RUN: %pardiff-clang -O0 %s -o %t && %t | FileCheck %s --check-prefix=OWN
// RUN: not --crash %t foreign 2>&1 | FileCheck %s
// RUN: %pardiff-clang -O2 %s -o %t
// RUN: not --crash %t foreign 2>&1 | FileCheck %s
#include "pardiff.h"
#include <stdio.h>

static void square(double *x) { *x = *x * *x; }
static void cube(double *x) { *x = *x * *x * *x; }

int main(int count, char **arguments) {
  double x = 3, dx = 1, y = 2, dy = 1;
  void *one = __pardiff_augmentfwd((void *)square, &x, &dx), *other = __pardiff_augmentfwd((void *)cube, &y, &dy);
  // CHECK: pardiff: the reverse sweep of 'square' is given a tape that its forward sweep did not make
  __pardiff_reverse((void *)square, &x, &dx, count > 1 ? other : one);
  __pardiff_reverse((void *)cube, &y, &dy, other);
  // OWN: 6 12
  printf("%g %g\n", dx, dy);
}
