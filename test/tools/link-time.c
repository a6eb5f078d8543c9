// Under full link-time optimisation the plugin runs in lld, where functions of all files are seen.
// RUN: %clang -O2 -flto -DCALLEE -I%include -c %s -o %t.callee.o
// RUN: %clang -O2 -flto -I%include -c %s -o %t.o
// RUN: %clang -O2 -flto -fuse-ld=lld -Wl,--load-pass-plugin=%plugin %t.o %t.callee.o -o %t
// RUN: %t | FileCheck %s
// CHECK: 3 12 27
#include "pardiff.h"
#include <stdio.h>
double cube(double x);
#ifdef CALLEE
double cube(double x) { return x * x * x; }
#else
static double sum_of_cubes(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += cube(x[i]);
  return s;
}
int main(void) {
  double x[3] = {1, 2, 3}, dx[3] = {0, 0, 0};
  __pardiff_autodiff((void *)sum_of_cubes, pardiff_dup, x, dx, pardiff_const, 3);
  printf("%g %g %g\n", dx[0], dx[1], dx[2]);
}
#endif
