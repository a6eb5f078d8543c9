// Rule: sizes of tapes that 64 bits do not hold are errors. A triangle of 2^32 rows has 2^63 + 2^31 elements; without the rule its
// size in bytes is taken for 2^34, and the sweep writes behind that.
// RUN: %pardiff-clang -O1 -gline-tables-only %s -o %t -lm
// RUN: not --crash %t 4294967296 2>&1 | FileCheck %s
// RUN: not --crash %t 2642246 cube 2>&1 | FileCheck %s --check-prefix=CUBE
#include "pardiff.h"
#include <math.h>
#include <stdlib.h>

static double triangle(const double *x, long n) {
  double s = 1;
  // CHECK: pardiff: cannot allocate 2^62 bytes of tape or more for a value in line [[@LINE+1]] of 'triangle'
  for (long i = 0; i < n; i++)
    for (long j = 0; j <= i; j++) s = s * 0.5 + sin(s * *x);
  return s;
}
static double cube(const double *x, long n) {
  double s = 1;
  // CUBE: pardiff: cannot allocate 2^62 bytes of tape or more for a value in line [[@LINE+1]] of 'cube'
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      for (long k = 0; k < n; k++) s = s * 0.5 + sin(s * *x);
  return s;
}
int main(int argc, char **argv) {
  double x = 1, d = 0;
  if (argc > 2)
    __pardiff_autodiff((void *)cube, pardiff_dup, &x, &d, atol(argv[1]));
  else
    __pardiff_autodiff((void *)triangle, pardiff_dup, &x, &d, atol(argv[1]));
  return 0;
}
