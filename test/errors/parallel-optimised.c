// What a thread carries from one iteration to its next is seen in optimised code as well, where counters do not start at what the
// runtime says but at a number computed from it.
// RUN: for level in -O1 -O2 -O3; do %clang $level -fopenmp -fno-vectorize -fno-unroll-loops -S -emit-llvm %s -o %t.ll; \
// RUN:   not %opt -load-pass-plugin=%plugin -passes=pardiff -S %t.ll -o /dev/null 2>&1 | FileCheck %s; done
double __enzyme_autodiff(void *, ...);

// CHECK: error: {{.*}}what a thread carries here from one iteration to its next depends on how iterations are shared out [PD0020]
void first_of_each(double *a, double in, int n) {
#pragma omp parallel for firstprivate(in)
  for (int i = 0; i < n; i++) {
    a[i] = in;
    in = 0;
  }
}

double gradient(double *a, double *da, int n) { return __enzyme_autodiff((void *)first_of_each, a, da, 1.0, n); }
