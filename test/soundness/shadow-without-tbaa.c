// Rule: no TBAA on accesses of shadows and tape. A shadow holds adjoints wherever the primal holds anything, in memory of a
// type of its own; without the rule (the primal's tags on it) the optimiser may order an update after the load that wants it.
// RUN: PARDIFF_OPTIONS=print=emit %pardiff-clang -O2 -fno-discard-value-names -c %s -o %t 2>&1 | FileCheck %s
#include "pardiff.h"
double f(const double *x, double *y, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    s += x[i] * x[i];
    y[i] = s;
  }
  return s;
}
// The forward sweep has the primal's tags, the reverse sweep, which begins where the tape has been filled, none.
// CHECK: define internal {{.*}} @pardiff.gradient.general.f(ptr %x, ptr %"x'", ptr %y, ptr %"y'", i32 %n
// CHECK: load double, {{.*}} !tbaa
// CHECK: store double {{.*}} !tbaa
// CHECK-NOT: !tbaa
// CHECK: getelementptr {{.*}}, ptr %"y'"
// CHECK-NOT: !tbaa
// CHECK: getelementptr {{.*}}, ptr %"x'"
// CHECK-NOT: !tbaa
// CHECK: {{^}}}
void gradient(const double *x, double *dx, double *y, double *dy, int n) {
  __pardiff_autodiff((void *)f, pardiff_dup, x, dx, pardiff_dup, y, dy, pardiff_const, n);
}
