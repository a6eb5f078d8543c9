// Rule: memory that a pointer in a global table leads to has a shadow only if the differentiated function put the pointer
// there; where active values meet any other the program ends with a message.
// Without the rule: the second gradient would be 0 instead of 6.
// RUN: for level in -O0 -O2; do
// RUN:   %pardiff-clang $level -gline-tables-only %s -o %t; %t;
// RUN:   not --crash %t before 2>&1 | FileCheck %s; done
#include "pardiff.h"
static double *table[4], before[2];
static double f(double *x, int set) {
  double local[2];
  for (int i = 0; i < set; i++) table[i] = local;
  double *p = table[(int)x[1]];
  p[set % 2] = x[0] * x[0];
  return p[(int)x[1] % 2];
}
int main(int argc, char **argv) {
  (void)argv;
  double x[2] = {3, 2}, dx[2] = {0};
  for (int i = 0; i < 4; i++) table[i] = before;
  __pardiff_autodiff((void *)f, pardiff_dup, x, dx, argc > 1 ? 0 : 4);
  return dx[0] == 6 ? 0 : 1;
}
// CHECK: pardiff: 'f', line 12, uses a pointer that was put into a global variable before
