// Rule: clones drop access groups, parallel accesses, loop hints, !range, !noundef and !invariant.load. "simd" and
// assume_safety say that the program's iterations are independent; the reverse sweep's are not: without the rule dx[index[i]] += ... with
// equal indices gives the last contribution instead of the sum (4 for 64).
// RUN: %numeric %s
// FLAGS: -fopenmp-simd
// RUN: PARDIFF_OPTIONS=print=emit %pardiff-clang -O2 -fopenmp-simd -c %s -o %t -I%S/../numeric 2>&1 | FileCheck %s
// CHECK: define internal {{.*}} @pardiff.gradient.gathered
// CHECK-NOT: {{access.group|llvm.loop|!range|!noundef|!invariant|!nonnull}}
// CHECK: {{^}}}
// CHECK: define internal {{.*}} @pardiff.gradient.assumed
// CHECK-NOT: {{access.group|llvm.loop|!range|!noundef|!invariant|!nonnull}}
// CHECK: {{^}}}
#include "check.h"
#include <stdbool.h>

static void gathered(const double *x, double *y, const int *index, const bool *on, int n) {
#pragma omp simd
  for (int i = 0; i < n; i++) y[i] = on[i] ? x[index[i]] * x[index[i]] : 0;
}
static void assumed(const double *x, double *y, const int *index, int n) {
#pragma clang loop vectorize(assume_safety) vectorize_width(4)
  for (int i = 0; i < n; i++) y[i] = 0.5 * x[index[i]];
}
CHECK_BY_HAND(all_the_same_place) {
  enum { N = 64 };
  double x[1] = {0.5}, y[N], dy[N], g = 0, h = 0;
  int index[N] = {0};
  bool on[N];
  for (int i = 0; i < N; i++) dy[i] = 1, on[i] = true;
  __pardiff_autodiff((void *)gathered, pardiff_dup, x, &g, pardiff_dup, y, dy, pardiff_const, index, pardiff_const, on,
                     opaque(N));
  near("64 times 1", g, 64);
  for (int i = 0; i < N; i++) dy[i] = 1;
  __pardiff_autodiff((void *)assumed, pardiff_dup, x, &h, pardiff_dup, y, dy, pardiff_const, index, opaque(N));
  near("64 times 1/2", h, 32);
}
