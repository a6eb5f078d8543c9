// Rule: calls in generated code have debug locations, under an artificial subprogram of the generated function's own. Without the rule LLVM
// rejects (or, where nobody verifies, drops all debug information over) an inlinable call without one.
// RUN: for level in -O0 -O2; do PARDIFF_OPTIONS="print=emit verify-each" %pardiff-clang $level -g -S -emit-llvm %s -o %t.ll \
// RUN:   2>&1 | FileCheck %s; %opt -passes=verify -disable-output %t.ll; done
// RUN: PARDIFF_OPTIONS=verify-each %pardiff-clang -O0 -g -S -emit-llvm %s -o - | FileCheck %s --check-prefix=UNIT
#include "pardiff.h"
#include <math.h>
// CHECK: define internal {{.*}} @pardiff.gradient.f({{.*}} !dbg
// CHECK: call {{.*}}tape_allocate{{.*}} !dbg
// CHECK: call {{.*}}sin{{.*}} !dbg
// CHECK: call {{.*}}cos{{.*}} !dbg
// CHECK: {{^}}}
double f(const double *x, int n) {
  double s = 1;
  for (int i = 0; i < n; i++) s *= sin(x[i]);
  return s;
}
// UNIT: distinct !DISubprogram(name: "pardiff.gradient.f",{{.*}}DIFlagArtificial
void gradient(const double *x, double *dx, int n) {
  __pardiff_autodiff((void *)f, pardiff_dup, x, dx, pardiff_const, n);
}
