// Loops come out as counted loops over one wide iteration number, with the neighbours of a stencil read from memory (not
// carried over from the iteration before), loads hoisted over calls of the mathematics library, and nothing hoisted out
// of the branch that decides whether it runs.
// RUN: for level in -O0 -O2 "-O1 -fsanitize=undefined" "-O1 -fsanitize=undefined -fsanitize-trap=all"; do \
// RUN:   PARDIFF_OPTIONS="print=prepare verify-each" %pardiff-clang $level -fno-discard-value-names -c %s -o %t.o 2>&1 \
// RUN:   | FileCheck %s; done
#include <math.h>
#include <pardiff.h>

// CHECK-LABEL: define internal double @pardiff.primal.stencil
// CHECK-NOT: ubsan
// CHECK: phi i64
// CHECK-NEXT: phi double
// CHECK-NOT: phi
// CHECK: load double
// CHECK-NOT: phi
// CHECK: load double
// CHECK-NOT: phi
// CHECK: load double
// CHECK-NOT: {{sext|zext}}
// CHECK: br i1
// CHECK: {{^}}}
double stencil(const double *u, int n) {
  double s = 0;
  for (int i = 1; i < n - 1; i++) s += u[i - 1] * u[i] * u[i + 1];
  return s;
}

// CHECK-LABEL: define internal double @pardiff.primal.library
// CHECK: load double, ptr %w
// CHECK: phi i64
// CHECK-NOT: load double, ptr %w
// CHECK: {{^}}}
double library(const double *x, const double *w, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += sin(x[i]) * *w;
  return s;
}

// CHECK-LABEL: define internal double @pardiff.primal.guarded
// CHECK-NOT: fdiv
// CHECK: phi i64
// CHECK: br i1
// CHECK: fdiv double %a, %b
// CHECK: {{^}}}
double guarded(const double *x, double a, double b, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    if (x[i] > 0) s += x[i] * (a / b);
  return s;
}

// An if that chooses between values is a select.
// CHECK-LABEL: define internal double @pardiff.primal.rectified
// CHECK: select i1
// CHECK-NOT: br i1 %cmp2
// CHECK: {{^}}}
double rectified(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    double r = x[i] > 0 ? x[i] : 0;
    s += r * r;
  }
  return s;
}

double d[8];
double requests(double *x) {
  return __pardiff_autodiff((void *)stencil, x, d, 3) + __pardiff_autodiff((void *)library, x, d, x, d, 3) +
         __pardiff_autodiff((void *)guarded, x, d, pardiff_const, 1.0, pardiff_const, 2.0, 3) +
         __pardiff_autodiff((void *)rectified, x, d, 3);
}
