// Loops that are shared out are one loop each in what is differentiated, and are known to be parallel, with their schedule. Loops whose
// iterations wait for each other are not.
// RUN: for level in -O0 -O2; do PARDIFF_OPTIONS=print=facts %pardiff-clang $level -fopenmp -w -c %s -o /dev/null 2>&1 | FileCheck %s; done
#include "pardiff.h"

double program(double *x, int n) {
  double y[100], s = 0, p = 0;
  // CHECK: loop L0 {{.*}} parallel static
#pragma omp parallel for
  for (int i = 0; i < n; i++) y[i] = x[i] * x[i];
#pragma omp parallel
  {
    // CHECK-NEXT: loop L1 {{.*}} trip {{.*}} parallel chunked
#pragma omp for schedule(static, 4)
    for (int i = 0; i < n; i++) y[i] *= x[i];
    // CHECK-NEXT: loop L2 {{.*}} trip 5
    for (int t = 0; t < 5; t++)
      // CHECK-NEXT: loop L3 {{.*}} trip {{.*}} parallel dynamic
#pragma omp for schedule(guided)
      for (int i = 0; i < n; i++) y[i] *= x[i];
    // CHECK-NEXT: loop L4 {{.*}} parallel static
#pragma omp for reduction(+ : s)
    for (int i = 0; i < n; i++) {
      // CHECK-NEXT: loop L5 {{b[0-9]+}} trip 3 most 3{{( +#.*)?$}}
      for (int k = 0; k < 3; k++) s += y[i];
    }
    // CHECK-NEXT: loop L6 {{b[0-9]+}} trip zext64(%1) most zext64(%1){{( +#.*)?$}}
#pragma omp for
    for (int i = 0; i < n; i++) {
#pragma omp atomic
      p += y[i];
    }
  }
  return s + p;
}

void gradient(double *x, double *dx, int n) { __pardiff_autodiff((void *)program, x, dx, n); }
