// Whoever asks for the derivative of a parallel region is told that it does not run in parallel: once for each region.
// RUN: %pardiff-clang -O1 -fopenmp -gline-tables-only -c %s -o /dev/null 2>&1 | FileCheck %s
#include "pardiff.h"

double sum(double *x, int n) {
  double s = 0;
  // CHECK: parallel-warning.c:[[#@LINE+1]]:{{.*}}warning: derivatives of this parallel region run on one thread; parallel ones are not generated yet
#pragma omp parallel for reduction(+ : s)
  for (int i = 0; i < n; i++) s += x[i] * x[i];
  return s;
}

// CHECK-NOT: warning: derivatives
void gradients(double *x, double *dx, int n) {
  __pardiff_autodiff((void *)sum, x, dx, n);
  __pardiff_fwddiff((void *)sum, x, dx, n);
}
