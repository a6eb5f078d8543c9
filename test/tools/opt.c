// opt runs the plugin on IR from any stage of the pipeline.
// RUN: %clang -O0 -I%include -S -emit-llvm %s -o %t.0.ll
// RUN: %clang -O2 -Xclang -disable-llvm-passes -I%include -S -emit-llvm %s -o %t.1.ll
// RUN: %clang -O2 -I%include -S -emit-llvm %s -o %t.2.ll
// RUN: for i in 0 1 2; do %pardiff-opt -passes=pardiff %t.$i.ll -o %t.bc && %clang %t.bc -o %t && %t; done | FileCheck %s
// CHECK: 3 12 27
// CHECK-NEXT: 3 12 27
// CHECK-NEXT: 3 12 27
#include "pardiff.h"
#include <stdio.h>
__attribute__((noinline)) static double sum_of_cubes(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += x[i] * x[i] * x[i];
  return s;
}
int main(void) {
  double x[3] = {1, 2, 3}, dx[3] = {0, 0, 0};
  __pardiff_autodiff((void *)sum_of_cubes, pardiff_dup, x, dx, pardiff_const, 3);
  printf("%g %g %g\n", dx[0], dx[1], dx[2]);
}
