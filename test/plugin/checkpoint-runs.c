// How often steps of a checkpointed loop are run: as few times as theory says, plus the last one for its results; and how much
// memory that takes.
// RUN: %clang -O1 -c -DSINE %s -o %t.o
// RUN: %pardiff-clang -O0 -fno-builtin %s %t.o -o %t -lm && %t
// RUN: %pardiff-clang -O2 -fno-builtin %s %t.o -o %t -lm && %t
#ifdef SINE
// In a file of its own it is a library function to the plugin.
long runs;
double sin(double x) {
  runs++;
  return x - x * x * x / 6;
}
#else
#include "pardiff.h"
#include <assert.h>
#include <math.h>

extern long runs;

static double march(double x, long steps, long snapshots) {
  double s = 0.1;
  for (long t = 0; t < steps; t++) {
    __pardiff_checkpoint(snapshots);
    s = sin(s + x);
  }
  return s;
}

// r l - C(c + r, r - 1) with the least r for which C(c + r, c) >= l.
static long theory(long l, long c) {
  double reach = 1, before = 0;
  long r = 0;
  while (reach < l) {
    before += reach;
    r++;
    reach = reach * (c + r) / r;
  }
  return r * l - (long)(before + 0.5);
}

int main(void) {
  double slope = 0;
  for (long steps = 1; steps < 60; steps++)
    for (long snapshots = 1; snapshots < 9; snapshots++) {
      runs = 0;
      slope += __pardiff_autodiff((void *)march, 0.3, pardiff_const, steps, pardiff_const, snapshots);
      assert(runs == theory(steps, snapshots) + 1);
    }
  runs = 0;
  slope += __pardiff_fwddiff((void *)march, 0.3, 1.0, pardiff_const, 50l, pardiff_const, 3l);
  assert(runs <= 50);
  return isnan(slope);
}
#endif
