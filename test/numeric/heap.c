// RUN: %numeric %s
// Memory that the differentiated function allocates: in loops, in callees, grown, freed early or by someone else.
#include "check.h"

static double scratch_array(double *x, int n) {
  double *t = malloc(n * sizeof *t), s = 0;
  for (int i = 0; i < n; i++) t[i] = sin(x[i]);
  for (int i = 1; i < n; i++) t[i] *= t[i - 1];
  for (int i = 0; i < n; i++) s += t[i] * x[i];
  free(t);
  return s;
}
CHECK_SCALAR_N(scratch_array, DIFFERENCES, RANGE(6))

static double one_for_each_iteration(double *x, int n) {
  double s = 1;
  for (int i = 0; i < n; i++) {
    double *t = calloc(3, sizeof *t);
    t[0] = x[i];
    for (int k = 1; k < 3; k++) t[k] += t[k - 1] * x[k] + t[k];
    s *= t[2];
    free(t);
  }
  return s;
}
CHECK_SCALAR_N(one_for_each_iteration, DIFFERENCES, RANGE(5))

static double *squares(const double *x, int n) {
  double *q = malloc(n * sizeof *q);
  for (int i = 0; i < n; i++) q[i] = x[i] * x[i];
  return q;
}
static double sum_and_free(double *q, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += q[i] * q[(i + 1) % n];
  free(q);
  return s;
}
static double ownership_moves(double *x, int n) { return sum_and_free(squares(x, n), n) * x[0]; }
CHECK_SCALAR_N(ownership_moves, DIFFERENCES, RANGE(5))

static double grown(double *x, int n) {
  double *v = NULL, s = 0;
  int room = 0, used = 0;
  for (int i = 0; i < n; i++) {
    if (used == room) {
      room = room ? 2 * room : 1;
      v = realloc(v, room * sizeof *v);
    }
    v[used++] = x[i] * x[i];
  }
  for (int i = 0; i < used; i++) s += v[i] * v[used - 1 - i];
  free(v);
  return s;
}
CHECK_SCALAR_N(grown, DIFFERENCES, RANGE(9))

static double returns_early(double *x, int n) {
  double *t = malloc(n * sizeof *t);
  for (int i = 0; i < n; i++) {
    t[i] = x[i] * x[i];
    if (t[i] > 1) {
      double r = t[i] * x[0];
      free(t);
      return r;
    }
  }
  double r = t[n - 1];
  free(t);
  return r;
}
CHECK_SCALAR_N(returns_early, DIFFERENCES, RANGE(6))

static double rows(double *x, int n) {
  double **a = malloc(n * sizeof *a), s = 0;
  for (int i = 0; i < n; i++) {
    a[i] = malloc((i + 1) * sizeof **a);
    for (int k = 0; k <= i; k++) a[i][k] = x[i] * x[k];
  }
  for (int i = 0; i < n; i++) s += a[i][i] * a[n - 1][i];
  for (int i = 0; i < n; i++) free(a[i]);
  free(a);
  return s;
}
CHECK_SCALAR_N(rows, DIFFERENCES, RANGE(6))

// The memory is the caller's: it is freed inside, after the sweep that reads it.
static double frees_argument(double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += x[i] * x[i];
  free(x);
  return s;
}
CHECK_BY_HAND(freed_by_the_callee) {
  double *x = malloc(2 * sizeof *x), *d = malloc(2 * sizeof *d), *seen = d;
  x[0] = 2, x[1] = 3, d[0] = d[1] = 0;
  (void)seen;
  __pardiff_autodiff((void *)frees_argument, pardiff_dup, x, d, opaque(2));
}

static void zeros_first(double *x, double *y, int n) {
  double *t = malloc(n * sizeof *t);
  memset(t, 0, n * sizeof *t);
  for (int i = 0; i < n; i++)
    if (i % 2) t[i] = x[i] * x[i];
  memcpy(y, t, n * sizeof *t);
  free(t);
}
CHECK_VECTOR_N(zeros_first, 6, DIFFERENCES, RANGE(6))
