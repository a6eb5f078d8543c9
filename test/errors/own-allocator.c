// A function of the program takes memory back and must be told more than the memory.
// RUN: not %pardiff-clang -O0 -gline-tables-only -c %s -o %t 2>&1 | FileCheck %s
// RUN: not %pardiff-clang -O2 -gline-tables-only -c %s -o %t 2>&1 | FileCheck %s
#include "pardiff.h"
void *pool(int kind, unsigned long bytes);
void unpool(int kind, void *memory);
void *__pardiff_allocation_like_pool[4] = {(void *)pool, (void *)1, (void *)"0,-1", (void *)unpool};
static double f(double x) {
  double *a = pool(3, sizeof *a);
  *a = x * x;
  double r = *a * x;
  // CHECK: own-allocator.c:[[@LINE+1]]:{{[0-9]+}}: error: 'unpool' takes memory back and needs more than the memory to be told{{.*}}{{\[PD0013\]}}
  unpool(3, a);
  return r;
}
double gradient(double x) { return __pardiff_autodiff((void *)f, x); }
// CHECK: 1 error generated
