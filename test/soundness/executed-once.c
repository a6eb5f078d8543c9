// Rule: what is not the same each time is kept, never computed again: volatile loads, calls with hidden state. Without the
// rule the reverse sweep draws other numbers than the forward sweep, and takes paths that were not taken.
// RUN: %numeric %s
// RUN: PARDIFF_OPTIONS=print=emit %pardiff-clang -O2 -c %s -o %t -I%S/../numeric 2>&1 | FileCheck %s
#include "check.h"

static double at_random(double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    int r = rand();
    if (r % 3 != 0)
      s += x[i] * x[i] * (r % 16);
    else
      s += sin(x[i]);
  }
  return s;
}
CHECK_BY_HAND(dice) {
  double x[16], g[16] = {0};
  for (int i = 0; i < 16; i++) x[i] = 1 + 0.1 * i;
  srand(7);
  __pardiff_autodiff((void *)at_random, pardiff_dup, x, g, opaque(16));
  srand(7);
  for (int i = 0; i < 16; i++) {
    int r = rand();
    near("as drawn", g[i], r % 3 != 0 ? 2 * x[i] * (r % 16) : cos(x[i]));
  }
}

// CHECK: define internal {{.*}} @pardiff.gradient.switched
// CHECK: load volatile i32
// CHECK-NOT: load volatile
// CHECK: {{^}}}
static double switched(double *x, volatile const int *on, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    if (*on) s += x[i] * x[i];
  return s;
}
CHECK_BY_HAND(volatile_flag) {
  double x[3] = {1, 2, 3}, g[3] = {0};
  volatile int on = 1;
  __pardiff_autodiff((void *)switched, pardiff_dup, x, g, pardiff_const, &on, opaque(3));
  for (int i = 0; i < 3; i++) near("switched on", g[i], 2 * x[i]);
}
