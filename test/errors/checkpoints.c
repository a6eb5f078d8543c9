// Loops of which no snapshots can be kept: the message says what stands in the way.
// RUN: not %pardiff-clang -O0 -gline-tables-only -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %pardiff-clang -O2 -gline-tables-only -c %s -o /dev/null 2>&1 | FileCheck %s
#include "pardiff.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#define GRADIENT(f) void gradient_of_##f(double *x, double *dx, int n) { __pardiff_autodiff((void *)f, x, dx, n); }

double outside(double *x, int n) {
  // CHECK-DAG: checkpoints.c:[[#@LINE+1]]:{{.*}}this loop cannot be checkpointed: it is in no loop [PD0019]
  __pardiff_checkpoint(2);
  return x[0] * x[n];
}
GRADIENT(outside)

double within_another(double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      // CHECK-DAG: checkpoints.c:[[#@LINE+1]]:{{.*}}this loop cannot be checkpointed: the loop is in another loop [PD0019]
      __pardiff_checkpoint(2);
      s = sin(s + x[i] * x[j]);
    }
  return s;
}
GRADIENT(within_another)

double ends_early(double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    // CHECK-DAG: checkpoints.c:[[#@LINE+1]]:{{.*}}this loop cannot be checkpointed: the loop may end within an iteration [PD0019]
    __pardiff_checkpoint(2);
    s = sin(s + x[i]);
    if (s > 0.9) break;
    s *= x[i];
  }
  return s;
}
GRADIENT(ends_early)

double until_small(double *x, int n) {
  double s = x[0];
  do {
    // CHECK-DAG: checkpoints.c:[[#@LINE+1]]:{{.*}}this loop cannot be checkpointed: the number of iterations is not known before the loop [PD0019]
    __pardiff_checkpoint(2);
    s = 0.5 * sin(s) * x[n];
  } while (s > 0.1);
  return s;
}
GRADIENT(until_small)

double changing_number(double *x, int n) {
  double s = x[0];
  for (int i = 0; i < n; i++) {
    // CHECK-DAG: checkpoints.c:[[#@LINE+1]]:{{.*}}this loop cannot be checkpointed: the number of snapshots changes in the loop [PD0019]
    __pardiff_checkpoint(i);
    s = sin(s * x[i]);
  }
  return s;
}
GRADIENT(changing_number)

void change_places(double *x, double *y, int n) {
  double *from = x, *to = y;
  for (int t = 0; t < n; t++) {
    __pardiff_checkpoint(2);
    for (int i = 0; i < n; i++) to[i] = sin(from[i]);
    double *other = from;
    from = to, to = other;
  }
}
void gradient_of_change_places(double *x, double *dx, double *y, double *dy, int n) {
  // CHECK-DAG: checkpoints.c:{{.*}}this loop cannot be checkpointed: a pointer is stored or changes from step to step in it; copy what it leads to, or use an index [PD0019]
  __pardiff_autodiff((void *)change_places, x, dx, y, dy, n);
}

double prints(double *x, int n) {
  double s = x[0];
  for (int t = 0; t < n; t++) {
    __pardiff_checkpoint(2);
    s = sin(s * x[t]);
    // CHECK-DAG: checkpoints.c:[[#@LINE+1]]:{{.*}}this loop cannot be checkpointed: 'printf' is called in it, whose effects would be repeated [PD0019]
    printf("%d\n", t);
  }
  return s;
}
GRADIENT(prints)

void takes_back(double *x, double *y, int n) {
  for (int t = 0; t < n; t++) {
    __pardiff_checkpoint(2);
    x[0] = sin(x[0]);
    // CHECK-DAG: checkpoints.c:[[#@LINE+1]]:{{.*}}this loop cannot be checkpointed: 'free' takes memory back in it; do so after the loop [PD0019]
    if (t == n - 1) free(y);
  }
}
void gradient_of_takes_back(double *x, double *dx, double *y, int n) {
  __pardiff_autodiff((void *)takes_back, x, dx, pardiff_const, y, n);
}

double keeps_memory(double *x, int n) {
  double *y = x, s = 0;
  for (int t = 0; t < n; t++) {
    // CHECK-DAG: checkpoints.c:[[#@LINE-1]]:{{.*}}this loop cannot be checkpointed: a pointer is stored or changes from step to step in it; copy what it leads to, or use an index [PD0019]
    __pardiff_checkpoint(2);
    double *z = malloc(n * sizeof *z);
    for (int i = 0; i < n; i++) z[i] = sin(y[i]);
    y = z;
    s += z[0];
  }
  return s;
}
GRADIENT(keeps_memory)

double writes_anywhere(double *x, int n) {
  for (int t = 0; t < n; t++) {
    __pardiff_checkpoint(2);
    // CHECK-DAG: checkpoints.c:[[#@LINE+1]]:{{.*}}this loop cannot be checkpointed: which part of the memory behind {{.*}} is written here is not known before the loop [PD0019]
    x[(int)x[0]] = sin(x[1]);
  }
  return x[0];
}
GRADIENT(writes_anywhere)

double perhaps(double *x, int n) {
  for (int t = 0; t < n; t++) {
    __pardiff_checkpoint(2);
    // CHECK-DAG: checkpoints.c:[[#@LINE+1]]:{{.*}}this loop cannot be checkpointed: which part of the memory behind {{.*}} is written here is not known before the loop [PD0019]
    if (x[0] > 1) x[5] = sin(x[1]);
    x[0] = sin(x[0]);
  }
  return x[0];
}
GRADIENT(perhaps)

double overwritten(double *x, int n) {
  for (int t = 0; t < n; t++) {
    __pardiff_checkpoint(2);
    // CHECK-DAG: checkpoints.c:[[#@LINE+1]]:{{.*}}this loop cannot be checkpointed: what is accessed here behind {{.*}} is overwritten after the loop, and which part that is is not known before it [PD0019]
    x[0] = sin(x[0] * x[(int)x[0] + 2]);
  }
  double s = x[0];
  for (int i = 0; i < n; i++) x[i] = 0;
  return s;
}
GRADIENT(overwritten)

struct system { double *state; };
double behind(struct system *m, int n) {
  for (int t = 0; t < n; t++) {
    __pardiff_checkpoint(2);
    for (int i = 0; i < n; i++)
      // CHECK-DAG: checkpoints.c:[[#@LINE+1]]:{{.*}}this loop cannot be checkpointed: which memory is written here is found in memory [PD0019]
      m[i].state[i] = sin(m[i].state[i]);
  }
  return m->state[0];
}
void gradient_of_behind(struct system *m, struct system *dm, int n) {
  __pardiff_autodiff((void *)behind, m, dm, n);
}
