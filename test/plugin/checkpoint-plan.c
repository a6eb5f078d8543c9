// The plan of a checkpointed loop: snapshots hold what a step writes and no more; the loop has no tape, and the tape of a step is for one
// step. Outside of gradients nothing is left of the request.
// RUN: PARDIFF_OPTIONS=print=store %pardiff-clang -O1 -gline-tables-only -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: %pardiff-clang -O0 -DPLAIN -S -emit-llvm %s -o - | FileCheck %s --check-prefix=PLAIN
// PLAIN-NOT: __pardiff_checkpoint
#include "pardiff.h"
#include <math.h>
#include <stdlib.h>

// CHECK-LABEL: store of march
// CHECK: forward
// CHECK: open snapshots of L0
// CHECK-NEXT: loop L0 up Serial trip
// CHECK-NEXT: take a snapshot of L0 if planned
// CHECK: reverse
// CHECK: remember the end of L0
// CHECK-NEXT: loop L0 down Serial trip
// CHECK-NEXT: run L0 from the last snapshot to here
// CHECK-NEXT: call back
// CHECK-NEXT: put back the end of L0, close its snapshots
// CHECK-NOT: tape
// CHECK: snapshots of loop L0 (line [[#@LINE+5]]), at most 5 and one more:
// CHECK-NEXT: {{^}}  from {{.*}} behind %{{[0-9]+$}}
// CHECK-NEXT: {{^[^ ]}}
void march(double *restrict u, const double *restrict rate, int n, int steps) {
  double *v = malloc(n * sizeof *v); // each step fills it
  for (int t = 0; t < steps; t++) {
    __pardiff_checkpoint(5);
    for (int i = 0; i < n; i++) v[i] = rate[i] * u[i] * (1 - u[i]);
    for (int i = 0; i < n; i++) u[i] = sin(u[i] + v[i] * v[i]);
  }
  free(v);
}

#ifndef PLAIN
void gradient(double *u, double *du, double *rate, double *drate, int n, int steps) {
  __pardiff_autodiff((void *)march, u, du, rate, drate, n, steps);
}
#endif
