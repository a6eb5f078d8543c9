// The canonical form: one return, no switch, no dead end, each loop with one exit, whatever the source jumps like.
// RUN: for level in -O0 -O2; do PARDIFF_OPTIONS="print=prepare verify-each" \
// RUN:   %pardiff-clang $level -fno-discard-value-names -c %s -o %t.o 2> %t.out; \
// RUN:   FileCheck %s < %t.out; FileCheck %s --check-prefix=CALLS < %t.out; FileCheck %s --check-prefix=ABSENT < %t.out; done
#include <math.h>
#include <pardiff.h>
#include <stdio.h>
#include <stdlib.h>

// ABSENT-NOT: unreachable
// ABSENT-NOT: switch
// ABSENT-NOT: {{^ +ret void}}

// Leaving two loops at once, an early return: still one exit of each loop, one return.
// CHECK-LABEL: define internal double @pardiff.primal.jumps
// CHECK: ret double
// CHECK-NOT: ret double
// CHECK: {{^}}}
double jumps(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      if (x[j] > 10) goto out;
      if (x[j] < -1) break;
      if (x[j] == 3) continue;
      s += x[i] * x[j];
    }
    if (s > 1e9) return 2 * s;
  }
out:
  return s;
}

// A loop with two entries becomes one with one.
// CHECK-LABEL: define internal double @pardiff.primal.two_entries
// CHECK: {{^}}}
double two_entries(const double *x, int n) {
  double s = 1;
  int i = 0;
  if (n > 3) goto middle;
top:
  s *= x[i];
middle:
  s += x[++i];
  if (i < n) goto top;
  return s;
}

// CHECK-LABEL: define internal double @pardiff.primal.cases
// CHECK: {{^}}}
double cases(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    switch (i % 5) {
    case 0: s += x[i]; // fall through
    case 1: s *= x[i]; break;
    case 3: if (x[i] > 2) return s; break;
    case 4: continue;
    default: s -= x[i];
    }
  return s;
}

// A check that ends the program is an if with a call in it: it neither ends a block nor leaves the loop, so the loop is
// a counted one.
// CHECK-LABEL: define internal double @pardiff.primal.checks
// CHECK: call {{.*}} @fprintf
// CHECK-NEXT: call void @exit(i32 1)
// CHECK-NEXT: br label %[[JOIN:.*]]
// CHECK: call double @log
// CHECK: {{^}}}
// CALLS: call double @log(double {{.*}}) #[[ATTRIBUTES:[0-9]+]]
double checks(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    if (x[i] <= 0) {
      fprintf(stderr, "bad %g\n", x[i]);
      exit(1);
    }
    s += log(x[i]);
  }
  return s;
}

double dx[8];
double requests(double *x) {
  return __pardiff_autodiff((void *)jumps, x, dx, 3) + __pardiff_autodiff((void *)two_entries, x, dx, 3) +
         __pardiff_autodiff((void *)cases, x, dx, 3) + __pardiff_autodiff((void *)checks, x, dx, 3);
}
