// RUN: %numeric %s
// Global variables of which the program says that they have no derivative.
#include "check.h"

double __pardiff_autodiff_number(void *, ...);
double __pardiff_fwddiff_number(void *, ...);

#define NOINLINE __attribute__((noinline))

// The last value that passed: what depends on it has no derivative.
static double last = 2;
void *__pardiff_inactive_global_last[] = {(void *)&last};
static double through(double x) {
  last = x * x;
  return last * x;
}
CHECK_BY_HAND(scalar) {
  near("slope", __pardiff_autodiff_number((void *)through, 3.0), 9);
  near("value", last, 9);
  near("tangent", __pardiff_fwddiff_number((void *)through, 3.0, 2.0), 18);
}

// Active or inactive, as is seen while running.
__attribute__((annotate("enzyme_inactive"))) static double seen;
NOINLINE static void scale(int aside, double a, double *c) {
  double *p = aside ? &seen : c;
  *p *= a;
}
static double chosen(int aside, double a) {
  double c = a;
  scale(aside, a, &c);
  return c + a * seen;
}
CHECK_BY_HAND(chosen_at_run_time) {
  seen = 5;
  near("not aside", __pardiff_autodiff_number((void *)chosen, opaque(0), 3.0), 6 + 5);
  near("aside", __pardiff_autodiff_number((void *)chosen, opaque(1), 3.0), 1 + 15);
  near("seen", seen, 15);
}

// A store and a load that are one after the other; the second derivative too.
static double cube(double x) {
  last = x;
  return last * x * x;
}
static double cube_slope(double x) { return __pardiff_autodiff_number((void *)cube, x); }
CHECK_BY_HAND(second_order) {
  near("first", cube_slope(3.0), 18);
  near("second", __pardiff_autodiff_number((void *)cube_slope, 3.0), 6);
}

// An array, and memory that a variable leads to.
static double table[4], *buffer;
double *__enzyme_inactive_global_table = table;
void *__enzyme_inactive_global_buffer[1] = {(void *)&buffer};
static double kept(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    table[i] = x[i];
    buffer[i] = x[i] * 2;
  }
  for (int i = 0; i < n; i++) s += x[i] * table[i] * buffer[i];
  return s;
}
CHECK_BY_HAND(arrays) {
  double x[3] = {1, 2, 3}, dx[3] = {0, 0, 0}, place[3];
  buffer = place;
  __pardiff_autodiff_number((void *)kept, pardiff_dup, x, dx, pardiff_const, 3);
  for (int i = 0; i < 3; i++) near("gradient", dx[i], 2 * x[i] * x[i]);
}

// In a function that stays a call.
static double depth;
void *__pardiff_inactive_global_depth[] = {(void *)&depth};
static double power(double x, int n) {
  depth = x + n;
  return n ? x * power(x, n - 1) + depth : 1;
}
CHECK_BY_HAND(recursive) {
  // The innermost call leaves depth = x = 2, which counts as a constant d: x^3 + x^2 d + x d + d.
  near("slope", __pardiff_autodiff_number((void *)power, 2.0, 3), 3 * 4 + 2 * 2 * 2 + 2);
}
