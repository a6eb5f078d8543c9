// Generated code runs under LLVM's just-in-time compilers, tapes included: they find no weak symbols that are not there, and
// nothing that is only in static parts of the C library.
// RUN: %clang -O2 -S -emit-llvm -fpass-plugin=%plugin -I%repository/include %s -o %t.ll
// RUN: lli --jit-kind=mcjit %t.ll | FileCheck %s
// RUN: lli --jit-kind=orc %t.ll | FileCheck %s
#include "pardiff.h"
#include <stdio.h>

// s is squared n times: its derivative by x is 2^n x^(2^n - 1)
static double squares(double x, int n) {
  double s = x;
  for (int i = 0; i < n; i++) s = s * s;
  return s;
}

int main(int argc, char **argv) {
  // CHECK: 8.0
  printf("%.1f\n", __pardiff_autodiff((void *)squares, 1.0, argc + 2));
  // CHECK: 1024.0
  printf("%.1f\n", __pardiff_autodiff((void *)squares, 1.0, argc + 9));
}
