// Rule: a parallel region is run by one thread only where that does what all threads do; atomics and thread-local state outside of
// regions are refused, never taken for serial code. Without the rule the region below would give the derivative of one thread's
// addition instead of all threads'. (More such regions are in test/errors/parallel-regions.c.)
// RUN: not %pardiff-clang -O0 -fopenmp -gline-tables-only -DREGION -c %s -o %t 2>&1 | FileCheck %s --check-prefix=REGION
// RUN: not %pardiff-clang -O2 -fopenmp -gline-tables-only -DREGION -c %s -o %t 2>&1 | FileCheck %s --check-prefix=REGION
// RUN: not %pardiff-clang -O1 -gline-tables-only -DATOMIC -c %s -o %t 2>&1 | FileCheck %s --check-prefix=ATOMIC
// RUN: not %pardiff-clang -O1 -gline-tables-only -DTHREAD -c %s -o %t 2>&1 | FileCheck %s --check-prefix=THREAD
#include "pardiff.h"
#ifdef REGION
static double f(const double *x, int n) {
  double s = 0;
#pragma omp parallel
  {
// REGION: not-elided.c:[[@LINE+2]]:{{.*}}error: every thread of this parallel region writes here{{.*}}{{\[PD0020\]}}
#pragma omp atomic
    s += x[0];
  }
  return s + n;
}
#elif defined ATOMIC
static double f(const double *x, int n) {
  double s = 0, v;
  for (int i = 0; i < n; i++) {
// ATOMIC: not-elided.c:[[@LINE+1]]:{{.*}}error: {{.*}}atomic load{{.*}}{{\[PD0009\]}}
    __atomic_load(&x[i], &v, __ATOMIC_RELAXED);
    s += v * v;
  }
  return s;
}
#else
static _Thread_local double total;
static double f(const double *x, int n) {
// THREAD: not-elided.c:{{.*}}error: {{.*}}{{\[PD00[0-9][0-9]\]}}
  for (int i = 0; i < n; i++) total += x[i] * x[i];
  return total;
}
#endif
double gradient(const double *x, double *dx, int n) {
  return __pardiff_autodiff((void *)f, pardiff_dup, x, dx, pardiff_const, n);
}
