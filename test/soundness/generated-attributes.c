// Rule: generated functions claim nothing about memory, synchronisation, freeing or results that the primal claims, and keep
// what it says about its target. A pure function's gradient writes shadows; without the rule (with the primal's memory(argmem: read)) the call
// whose result nobody wants is deleted, and the gradient is 0.
// RUN: %numeric %s
// RUN: PARDIFF_OPTIONS=print=emit %pardiff-clang -O1 -march=haswell -fstack-protector-strong -c %s -o %t \
// RUN:   -I%S/../numeric -Xclang -disable-llvm-passes -S -emit-llvm
// RUN: %pardiff-opt -passes=pardiff %t -S | FileCheck %s
// CHECK: define internal void @pardiff.gradient.pure({{.*}}) [[G:#[0-9]+]]
// CHECK: attributes [[G]] = {
// CHECK-NOT: {{memory|nosync|nofree|willreturn|readonly|readnone|no-nans|noreturn}}
// CHECK-SAME: sspstrong
// CHECK-SAME: "target-cpu"="haswell"
// CHECK-SAME: }
#include "check.h"

__attribute__((pure, noinline)) static double pure(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += x[i] * x[i];
  return s;
}
CHECK_BY_HAND(nobody_wants_the_result) {
  double x[3] = {1, 2, 3}, g[3] = {0};
  __pardiff_autodiff((void *)pure, pardiff_dup, x, g, opaque(3));
  for (int i = 0; i < 3; i++) near("pure", g[i], 2 * x[i]);
}
