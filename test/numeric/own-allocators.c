// RUN: %numeric %s
// Functions of the program that give memory and take it back, as it says itself.
#include "check.h"

double __pardiff_autodiff_number(void *, ...);
double __pardiff_fwddiff_number(void *, ...);

// Nothing of what these do can be differentiated.
static int live, most;
static unsigned long cookie(unsigned long n) { return opaque((int)n); }
static void *pool_get(int kind, unsigned long bytes) {
  live++;
  if (live > most) most = live;
  volatile unsigned long *block = malloc(cookie(bytes) + 16);
  block[0] = (unsigned long)block ^ (unsigned long)kind;
  return (void *)(((unsigned long)block) + 16);
}
static int pool_put(void *memory) {
  live--;
  free((void *)((unsigned long)memory - 16));
  return 0;
}
void *__pardiff_allocation_like_pool[4] = {(void *)pool_get, (void *)1, (void *)"-1", (void *)pool_put};

static double squares(const double *x, int n) {
  double *a = pool_get(3, n * sizeof *a), s = 0;
  for (int i = 0; i < n; i++) a[i] = x[i] * x[i];
  for (int i = 0; i < n; i++) s += a[i] * a[i];
  pool_put(a);
  return s;
}
CHECK_SCALAR_N(squares, DIFFERENCES, RANGE(6))

// The reverse sweep reads memory that was given back before the same place was given again.
static double rounds(double *x, int n) {
  double s = 0;
  for (int round = 0; round < 3; round++) {
    double *a = pool_get(1, n * sizeof *a);
    for (int i = 0; i < n; i++) a[i] = x[i] * (round + 1) + s;
    s = 0;
    for (int i = 0; i < n; i++) s += a[i] * a[(i + 1) % n] * 0.1;
    pool_put(a);
  }
  return s;
}
CHECK_SCALAR_N(rounds, DIFFERENCES, RANGE(4))

CHECK_BY_HAND(all_is_given_back) {
  double x[2] = {1, 2}, dx[2] = {0, 0};
  live = most = 0;
  __pardiff_autodiff_number((void *)rounds, pardiff_dup, x, dx, pardiff_const, 2);
  expect("nothing is live", live == 0);
  expect("memory and shadows of all rounds were", most == 6);
}

// The size is the first argument; the memory goes to the caller with its shadow.
static void *plain_get(unsigned long bytes) { return malloc(bytes); }
static void plain_put(void *memory) { free(memory); }
void *__enzyme_allocation_like[4] = {(void *)plain_get, (void *)0, (void *)"-1", (void *)plain_put};
static void fill(const double *x, double **out) {
  *out = plain_get(2 * sizeof(double));
  (*out)[0] = x[0] * x[1];
  (*out)[1] = x[0];
}
static double handed(const double *x) {
  double *p;
  fill(x, &p);
  double r = p[0] * p[1];
  plain_put(p);
  return r;
}
CHECK_BY_HAND(handed_out) {
  double x[2] = {3, 4}, dx[2] = {0, 0};
  __pardiff_autodiff_number((void *)handed, pardiff_dup, x, dx);
  near("d0", dx[0], 2 * 3 * 4), near("d1", dx[1], 9);
  double t[2] = {1, 2};
  near("tangent", __pardiff_fwddiff_number((void *)handed, pardiff_dup, x, t), 24 + 18);
}

// What an allocator keeps books in changes with each call: the reverse sweep wants what was read before.
static double numbered(double x) {
  int before = live;
  double *a = pool_get(0, sizeof *a);
  *a = x * before;
  double r = *a * x * before;
  pool_put(a);
  return r;
}
CHECK_BY_HAND(books) {
  live = 2;
  near("slope", __pardiff_autodiff_number((void *)numbered, 3.0), 2 * 3 * 2 * 2);
  near("tangent", __pardiff_fwddiff_number((void *)numbered, 3.0, 1.0), 2 * 3 * 2 * 2);
}

// In functions that stay calls.
static double deep(const double *x, int n) {
  if (n == 0) return 1;
  double *a = pool_get(0, sizeof *a);
  *a = x[n - 1] * x[n - 1];
  double r = *a + *a * deep(x, n - 1);
  pool_put(a);
  return r;
}
CHECK_SCALAR_N(deep, DIFFERENCES, RANGE(4))
