// A file without requests compiles to the same bytes with the plugin as without, at every level.
// RUN: for level in -O0 -O1 -O2 -O3; do \
// RUN:   %clang $level -c %s -o %t.without.o; %clang $level -fpass-plugin=%plugin -c %s -o %t.with.o; \
// RUN:   cmp %t.without.o %t.with.o || exit 1; \
// RUN: done
#include <math.h>
double table[16];
double f(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += sin(x[i]) * table[i & 15];
  return s;
}
