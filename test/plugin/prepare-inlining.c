// Everything reachable that has a body is inlined: against noinline, through function pointers, at every level.
// RUN: for level in -O0 -O1 -O2; do PARDIFF_OPTIONS="print=prepare verify-each" \
// RUN:   %pardiff-clang $level -fno-discard-value-names -c %s -o %t.o 2>&1 | FileCheck %s; done
#include <math.h>
#include <pardiff.h>
typedef double (*scalar)(double);
__attribute__((noinline)) static double square(double x) { return x * x; }
static double twice(scalar f, double x) { return f(f(x)); }
static scalar choose(int k) { return k ? square : sin; }
double f(const double *x, int n) {
  scalar local = square;
  double s = 0;
  for (int i = 0; i < n; i++) s += twice(local, x[i]) + choose(1)(x[i]) + choose(0)(x[i]);
  return s;
}
// CHECK: define internal double @pardiff.primal.f(ptr %x, i32 %n)
// CHECK-NOT: {{ call }}
// CHECK: call double @sin(double {{.*}}) #[[SIN:[0-9]+]]
// CHECK-NOT: {{ call }}
// CHECK: {{^}}}
double dx[8];
double request(double *x) { return __pardiff_autodiff((void *)f, x, dx, 3); }
