// RUN: %numeric %s
// FLAGS: -fopenmp
// OpenMP regions: gradients run on one thread, in the order of the program.
#include "check.h"

static double sum(double *x, int n) {
  double s = 0;
#pragma omp parallel for reduction(+ : s)
  for (int i = 0; i < n; i++) s += sin(x[i]) * x[(i + 1) % n];
  return s;
}
CHECK_SCALAR_N(sum, DIFFERENCES, RANGE(40))

// Schedules, one after the other, on the results of the one before.
static void schedules(double *x, double *y, int n) {
  double t[40];
#pragma omp parallel for schedule(static, 3)
  for (int i = 0; i < n; i++) y[i] = x[i] * x[i];
#pragma omp parallel for schedule(dynamic)
  for (int i = 0; i < n; i++) t[i] = y[i] * x[n - 1 - i];
#pragma omp parallel for schedule(guided, 2)
  for (int i = n - 1; i >= 0; i -= 2) t[i] *= y[i] + 1;
#pragma omp parallel for schedule(runtime)
  for (long i = 0; i < n; i++) y[i] += exp(t[i] * 0.1);
#pragma omp parallel for schedule(auto)
  for (unsigned i = 0; i < (unsigned)n; i++) y[i] *= t[i];
#pragma omp parallel for schedule(dynamic, 4) ordered
  for (unsigned long i = 1; i < (unsigned long)n; i++) {
    double u = sin(x[i]);
#pragma omp ordered
    y[i] += y[i - 1] * u;
  }
}
CHECK_VECTOR_N(schedules, 40, DIFFERENCES, RANGE(40))

// Loops in one region, also around each other in a time loop, and loops that do not wait.
static double in_time(double *x, int n) {
  double a[40], b[40], s = 0;
#pragma omp parallel
  {
#pragma omp for nowait
    for (int i = 0; i < n; i++) a[i] = x[i];
#pragma omp for
    for (int i = 0; i < n; i++) b[i] = 0;
    for (int t = 0; t < 5; t++) {
#pragma omp for
      for (int i = 1; i < n - 1; i++) b[i] = a[i] + 0.1 * (a[i - 1] * a[i - 1] - 2 * a[i] + a[i + 1]);
#pragma omp for
      for (int i = 1; i < n - 1; i++) a[i] = b[i];
    }
#pragma omp for reduction(+ : s)
    for (int i = 0; i < n; i++) s += a[i] * a[i];
  }
  return s;
}
CHECK_SCALAR_N(in_time, DIFFERENCES, RANGE(40))

static double collapsed(double *x, int n) {
  double s = 0, p = 1;
#pragma omp parallel for collapse(2) reduction(+ : s) reduction(* : p)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 3; j++) s += x[i] * x[(i + j) % n], p *= 1 + 0.01 * x[j];
  return s * p;
}
CHECK_SCALAR_N(collapsed, DIFFERENCES, RANGE(12))

static double extremes(double *x, int n) {
  double most = -1e300, least = 1e300;
#pragma omp parallel for reduction(max : most) reduction(min : least)
  for (int i = 0; i < n; i++) {
    double v = x[i] * x[i];
    if (v > most) most = v;
    least = fmin(least, v);
  }
  return most * least;
}
CHECK_SCALAR_N(extremes, DIFFERENCES, POINT(0.5, 0.7, 1.3, 0.2, 1.1))

// Arrays that are summed up, and a type with a merge of its own.
typedef struct {
  double re, im;
} pair;
static pair multiply(pair a, pair b) { return (pair){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }
#pragma omp declare reduction(product : pair : omp_out = multiply(omp_out, omp_in)) initializer(omp_priv = {1, 0})
static double merged(double *x, int n) {
  double h[4] = {0};
  pair z = {1, 0};
#pragma omp parallel for reduction(+ : h[:4]) reduction(product : z)
  for (int i = 0; i < n; i++) {
    h[i % 4] += x[i] * x[i];
    z = multiply(z, (pair){1 + 0.1 * x[i], 0.2 * x[i]});
  }
  return h[0] * h[1] + h[2] * h[3] + z.re * z.im;
}
CHECK_SCALAR_N(merged, DIFFERENCES, RANGE(9))

// Each thread adds what it has summed up.
static double by_hand(double *x, int n) {
  double s = 0, p = 0;
#pragma omp parallel
  {
    double mine = 0, other = 0;
#pragma omp for
    for (int i = 0; i < n; i++) {
      mine += x[i] * x[i];
      for (int j = 0; j < 3; j++) other += x[i] * x[j];
    }
#pragma omp critical
    s += mine;
#pragma omp atomic
    p += other;
  }
  return s * p;
}
CHECK_SCALAR_N(by_hand, DIFFERENCES, RANGE(20))

// The same, with less precision in the shared place than in each thread's, and the other way round.
static float mixed_sums(float *x, int n) {
  float s = 0;
  double p = 0;
#pragma omp parallel
  {
    double mine = 0;
    float other = 0;
#pragma omp for
    for (int i = 0; i < n; i++) mine += x[i] * x[i], other += x[i];
#pragma omp critical
    {
      s += mine;
      p += other;
    }
  }
  return s * (float)p;
}
CHECK_FLOAT_N(mixed_sums, DIFFERENCES, RANGE(6))

static double atomics(double *x, int n) {
  double s = 0, p = 1, q = 0;
#pragma omp parallel for
  for (int i = 0; i < n; i++) {
#pragma omp atomic
    s += x[i] * x[i];
#pragma omp atomic update
    p *= 1 + 0.1 * x[i];
#pragma omp critical(name)
    q += x[i] * x[0];
  }
  return s * p + q;
}
CHECK_SCALAR_N(atomics, DIFFERENCES, RANGE(10))

static double clauses(double *x, int n) {
  double first = x[0] * x[1], last = 0, t = 1;
  double y[40];
#pragma omp parallel for firstprivate(first) private(t) lastprivate(last) if (n > 10) num_threads(3) proc_bind(close)
  for (int i = 0; i < n; i++) {
    t = first * i + x[1];
    y[i] = t * t;
    last = t * first + x[i];
  }
  double s = last + t;
#pragma omp parallel for if (n > 1000) reduction(+ : s)
  for (int i = 0; i < n; i++) s += y[i] * y[i];
  return s;
}
CHECK_SCALAR_N(clauses, DIFFERENCES, RANGE(20))

static double once(double *x, int n) {
  double a[4] = {0}, s = 0;
#pragma omp parallel shared(a)
  {
#pragma omp single
    a[0] = x[0] * x[1];
#pragma omp master
    a[1] = x[1] * x[2];
#pragma omp barrier
#pragma omp masked
    a[1] += a[0];
#pragma omp sections
    {
#pragma omp section
      a[2] = a[0] * x[2];
#pragma omp section
      a[3] = sin(a[0]);
    }
    double shared_by_one;
#pragma omp single copyprivate(shared_by_one)
    shared_by_one = x[3] * x[3];
#pragma omp for reduction(+ : s)
    for (int i = 0; i < 4; i++) s += a[i] * a[i] * shared_by_one;
  }
  return s;
}
CHECK_SCALAR_N(once, DIFFERENCES, RANGE(6))

static double nested(double *x, int n) {
  double s = 0;
#pragma omp parallel for reduction(+ : s) num_threads(2)
  for (int i = 0; i < n; i++) {
    double t = 0;
#pragma omp parallel for reduction(+ : t) schedule(dynamic, 2)
    for (int j = 0; j < n; j++) t += x[i] * x[j] * x[j];
    s += t * t;
  }
  return s;
}
CHECK_SCALAR_N(nested, DIFFERENCES, RANGE(8))

// A loop that is shared out in a function of its own, and simd loops.
static void scale(double *y, const double *x, int n) {
#pragma omp for simd
  for (int i = 0; i < n; i++) y[i] = 2 * x[i] * x[i];
}
static double orphaned(double *x, int n) {
  double y[40], s = 0;
#pragma omp parallel
  scale(y, x, n);
#pragma omp simd reduction(+ : s)
  for (int i = 0; i < n; i++) s += y[i] * x[i];
#pragma omp parallel for simd reduction(+ : s)
  for (int i = 0; i < n; i++) s += y[i];
  return s;
}
CHECK_SCALAR_N(orphaned, DIFFERENCES, RANGE(40))

static double fibonacci(double x, int n) {
  if (n < 2) return x;
  double a, b;
#pragma omp task shared(a)
  a = fibonacci(x * 1.1, n - 1);
#pragma omp task shared(b)
  b = fibonacci(x, n - 2);
#pragma omp taskwait
  return sin(a) + b * x;
}
static double tasks(double *x, int n) {
  double y[12], s = 0;
#pragma omp parallel
#pragma omp single
  {
    for (int i = 0; i < n; i++) {
      double f = x[i] * x[i];
#pragma omp task firstprivate(f) depend(out : y[i])
      y[i] = f * x[0];
    }
#pragma omp taskwait
#pragma omp taskgroup
    {
      for (int i = 0; i < 12; i++) {
#pragma omp task
        y[i] *= y[i];
      }
    }
#pragma omp task if (n > 100) shared(s)
    s = y[0] * y[1];
  }
  for (int i = 0; i < n; i++) s += y[i];
  return s;
}
CHECK_SCALAR_N(tasks, DIFFERENCES, RANGE(12))

static double with_tasks(double *x) {
  double s = 0;
#pragma omp parallel
#pragma omp single
  s = fibonacci(x[0], 5);
  return s * x[1];
}
CHECK_SCALAR(with_tasks, DIFFERENCES, POINT(0.3, 1.7))
