// Parallel regions that one thread cannot do the work of: the message says what stands in the way.
// RUN: not %pardiff-clang -O0 -fopenmp -ferror-limit=0 -gline-tables-only -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %pardiff-clang -O2 -fopenmp -ferror-limit=0 -gline-tables-only -c %s -o /dev/null 2>&1 | FileCheck %s
#include "pardiff.h"
#include <math.h>
#include <omp.h>
#define GRADIENT(f) void gradient_of_##f(double *x, double *dx, int n) { __pardiff_autodiff((void *)f, x, dx, n); }

// As many times x as there are threads.
double by_each_thread(double *x, int n) {
  double s = 0;
#pragma omp parallel
  {
    // CHECK-DAG: parallel-regions.c:[[#@LINE+2]]:{{.*}}every thread of this parallel region writes here; {{.*}} [PD0020]
#pragma omp atomic
    s += x[0];
  }
  return s;
}
GRADIENT(by_each_thread)

double critical_by_each(double *x, int n) {
  double s = 0;
#pragma omp parallel
  {
#pragma omp critical
    // CHECK-DAG: parallel-regions.c:[[#@LINE+1]]:{{.*}}every thread of this parallel region writes here
    s += x[0] * x[1];
  }
  return s;
}
GRADIENT(critical_by_each)

// A square of the sum is not the sum of the squares of the threads' sums.
double squared_sums(double *x, int n) {
  double s = 0;
#pragma omp parallel
  {
    double mine = 0;
#pragma omp for
    for (int i = 0; i < n; i++) mine += x[i];
#pragma omp critical
    // CHECK-DAG: parallel-regions.c:[[#@LINE+1]]:{{.*}}every thread of this parallel region writes here
    s += mine * mine;
  }
  return s;
}
GRADIENT(squared_sums)

// Each thread starts from one.
double not_from_zero(double *x, int n) {
  double s = 0;
#pragma omp parallel
  {
    double mine = 1;
#pragma omp for
    for (int i = 0; i < n; i++) mine += x[i];
#pragma omp critical
    // CHECK-DAG: parallel-regions.c:[[#@LINE+1]]:{{.*}}every thread of this parallel region writes here
    s += mine;
  }
  return s;
}
GRADIENT(not_from_zero)

// A sum that iterations look at.
double sum_looked_at(double *x, int n) {
  double s = 0;
#pragma omp parallel
  {
    double mine = 0;
#pragma omp for
    for (int i = 0; i < n; i++) mine += x[i] * mine;
#pragma omp critical
    // CHECK-DAG: parallel-regions.c:[[#@LINE+1]]:{{.*}}every thread of this parallel region writes here
    s += mine;
  }
  return s;
}
GRADIENT(sum_looked_at)

// Each thread forgets what it has summed up before the third iteration, the one that has this.
double forgotten(double *x, int n) {
  double s = 0;
#pragma omp parallel
  {
    double mine = 0;
#pragma omp for
    for (int i = 0; i < n; i++) {
      if (i == 2) mine = 0;
      mine += x[i];
    }
#pragma omp critical
    // CHECK-DAG: parallel-regions.c:[[#@LINE+1]]:{{.*}}every thread of this parallel region writes here
    s += mine;
  }
  return s;
}
GRADIENT(forgotten)

double forgotten_by_one(double *x, int n) {
  double s = 0;
#pragma omp parallel
  {
    double mine = 0;
#pragma omp for
    for (int i = 0; i < n; i++) mine += x[i];
#pragma omp single
    mine = 0;
#pragma omp critical
    // CHECK-DAG: parallel-regions.c:[[#@LINE+1]]:{{.*}}every thread of this parallel region writes here
    s += mine;
  }
  return s;
}
GRADIENT(forgotten_by_one)

// Each thread has a copy that starts at zero, and all are added.
double counted_by_each(double *x, int n) {
  int count = 0;
#pragma omp parallel reduction(+ : count)
  // CHECK-DAG: parallel-regions.c:[[#@LINE+1]]:{{.*}}every thread of this parallel region changes its copy of a 'reduction' variable here
  count++;
  return x[0] * count;
}
GRADIENT(counted_by_each)

double added_by_each(double *x, int n) {
  double s = 0;
#pragma omp parallel reduction(+ : s)
  // CHECK-DAG: parallel-regions.c:[[#@LINE+1]]:{{.*}}every thread of this parallel region changes its copy of a 'reduction' variable here
  s += x[0] * x[1];
  return s;
}
GRADIENT(added_by_each)

double looped(double *x, int n) {
#pragma omp parallel
#pragma omp single
  // CHECK-DAG: parallel-regions.c:[[#@LINE+1]]:{{.*}}'taskloop' is not supported yet [PD0020]
#pragma omp taskloop
  for (int i = 0; i < n; i++) x[i] *= x[i];
  return x[0];
}
GRADIENT(looped)

double carried(double *x, int n) {
  double y[100], before = x[0], s = 0;
#pragma omp parallel for firstprivate(before) schedule(static)
  for (int i = 0; i < n; i++) {
    // CHECK-DAG: parallel-regions.c:[[#@LINE+1]]:{{.*}}what a thread carries here from one iteration to its next
    y[i] = before;
    before = x[i];
  }
  for (int i = 0; i < n; i++) s += y[i];
  return s;
}
GRADIENT(carried)

double array_set_before(double *x, int n) {
  double s = 0;
#pragma omp parallel
  {
    double mine[2] = {0, 1};
#pragma omp for
    // CHECK-DAG: parallel-regions.c:[[#@LINE+1]]:{{.*}}memory of each thread's own is changed here by iterations
    for (int i = 0; i < n; i++) x[i] *= mine[i % 2], mine[i % 2] = x[i];
  }
  return x[0];
}
GRADIENT(array_set_before)

double of_last_loop(double *x, int n) {
  double y[100], s = 0;
#pragma omp parallel
  {
    double mine;
#pragma omp for
    for (int i = 0; i < 100; i++) mine = x[i] * x[i];
#pragma omp for
    // CHECK-DAG: parallel-regions.c:[[#@LINE+1]]:{{.*}}what a thread has here from its own iterations
    for (int i = 0; i < 100; i++) y[i] = mine;
  }
  for (int i = 0; i < 100; i++) s += y[i];
  return s;
}
GRADIENT(of_last_loop)

double by_number(double *x, int n) {
  double part[64] = {0}, s = 0;
#pragma omp parallel num_threads(4)
  {
    // CHECK-DAG: parallel-regions.c:[[#@LINE+1]]:{{.*}}work that depends on the number of a thread, or how many there are, is not supported yet [PD0020]
    int t = omp_get_thread_num();
    for (int i = t; i < n; i += 4) part[t] += x[i];
  }
  for (int t = 0; t < 4; t++) s += part[t];
  return s;
}
GRADIENT(by_number)

double asks_for_region(double *x, int n) {
  double s = 0;
#pragma omp parallel for reduction(+ : s)
  for (int i = 0; i < n; i++)
    // CHECK-DAG: parallel-regions.c:[[#@LINE+1]]:{{.*}}work that depends on the number of a thread, or how many there are
    s += omp_in_parallel() ? x[i] : x[0];
  return s;
}
GRADIENT(asks_for_region)

double deep(double x, int n) { return n > 0 ? deep(x * 0.5, n - 1) + omp_get_thread_num() : x; }
double asks_in_call(double *x, int n) {
  double s = 0;
#pragma omp parallel for reduction(+ : s)
  for (int i = 0; i < n; i++)
    // CHECK-DAG: parallel-regions.c:[[#@LINE+1]]:{{.*}}'deep', which stays a call, asks for the number of a thread
    s += deep(x[i], i);
  return s;
}
GRADIENT(asks_in_call)

double task_of_each(double *x, int n) {
  double s = 0;
#pragma omp parallel
  // CHECK-DAG: parallel-regions.c:[[#@LINE+1]]:{{.*}}every thread of this parallel region makes this task; put it into a 'single' construct [PD0020]
#pragma omp task if (n > 3)
  x[0] = x[1];
  return x[0] + s;
}
GRADIENT(task_of_each)

double team_of_each(double *x, int n) {
  double s = 0;
#pragma omp parallel
  // CHECK-DAG: parallel-regions.c:[[#@LINE+1]]:{{.*}}every thread of this parallel region starts a team of its own
#pragma omp parallel for
  for (int i = 0; i < n; i++)
#pragma omp atomic
    s += x[i];
  return s;
}
GRADIENT(team_of_each)

// A part of a region that the program has started before.
double part_of_region(double *x, int n) {
  // CHECK-DAG: parallel-regions.c:[[#@LINE+1]]:{{.*}}an OpenMP construct ('__kmpc_for_static_init_4') outside the parallel regions of the function to differentiate is not supported yet [PD0020]
#pragma omp for
  for (int i = 0; i < n; i++) x[i] *= x[i];
  return x[0];
}
GRADIENT(part_of_region)

void elsewhere(double *x);
double unknown_call(double *x, int n) {
  double s = 0;
#pragma omp parallel
  {
    // CHECK-DAG: parallel-regions.c:[[#@LINE+1]]:{{.*}}every thread of this parallel region calls 'elsewhere', which may write to shared memory [PD0020]
    elsewhere(x);
#pragma omp for reduction(+ : s)
    for (int i = 0; i < n; i++) s += x[i];
  }
  return s;
}
GRADIENT(unknown_call)
