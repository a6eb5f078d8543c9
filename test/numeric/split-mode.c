// RUN: %numeric %s
// Forward and reverse sweep as two calls, with other work between them.
#include "check.h"

#define NOINLINE __attribute__((noinline))

extern int pardiff_const_return;

struct with_number { void *tape; double value; };
struct with_pointer { void *tape; double *value, *shadow; };

struct with_number __pardiff_augmentfwd_number(void *, ...);
struct with_pointer __pardiff_augmentfwd_pointer(void *, ...);
void *__pardiff_augmentfwd_tape(void *, ...);
double __pardiff_reverse_number(void *, ...);
void __pardiff_reverse_nothing(void *, ...);


static double weighted(const double *x, int n, double scale) {
  double s = 0;
  for (int i = 0; i < n; i++) s += sin(scale * x[i]) * x[i];
  return s;
}

NOINLINE static void spoil(double *x, int n) {
  for (int i = 0; i < n; i++) x[i] = -1e9;
}

CHECK_BY_HAND(result_and_seed) {
  double x[4] = {0.5, 0.8, 1.1, 1.4}, dx[4] = {0}, want[4], ds_want = 0;
  for (int i = 0; i < 4; i++) {
    want[i] = 3 * (sin(0.7 * x[i]) + 0.7 * x[i] * cos(0.7 * x[i]));
    ds_want += 3 * x[i] * x[i] * cos(0.7 * x[i]);
  }
  struct with_number forward = __pardiff_augmentfwd_number((void *)weighted, x, dx, 4, 0.7);
  near("result", forward.value, weighted(x, 4, 0.7));
  // What the caller writes between the sweeps is no part of the function.
  spoil(x, 4);
  double ds = __pardiff_reverse_number((void *)weighted, x, dx, 4, 0.7, 3.0, forward.tape);
  for (int i = 0; i < 4; i++) near("element", dx[i], want[i]);
  near("scale", ds, ds_want);
}

CHECK_BY_HAND(tapes_in_any_order) {
  double x[3][2] = {{0.3, 0.4}, {0.5, 0.6}, {0.7, 0.8}}, dx[3][2] = {{0}};
  void *tape[3];
  for (int k = 0; k < 3; k++) tape[k] = __pardiff_augmentfwd_tape((void *)weighted, x[k], dx[k], 2, pardiff_const, 1.0);
  static const int order[3] = {1, 0, 2};
  for (int k = 0; k < 3; k++) {
    int which = order[k];
    __pardiff_reverse_nothing((void *)weighted, x[which], dx[which], 2, pardiff_const, 1.0, 1.0 + which, tape[which]);
  }
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < 2; i++) near("element", dx[k][i], (1.0 + k) * (sin(x[k][i]) + x[k][i] * cos(x[k][i])));
}

// Overwrites its input, keeps memory of its own that it gives back.
static void step(double *x, int n) {
  double *old = malloc(n * sizeof *old);
  for (int i = 0; i < n; i++) old[i] = x[i];
  for (int i = 0; i < n; i++) x[i] = old[i] * old[(i + 1) % n];
  free(old);
}

CHECK_BY_HAND(tape_in_a_buffer) {
  double x[3] = {2, 3, 5}, dx[3] = {1, 10, 100};
  char buffer[17];
  expect("size", __pardiff_augmentsize((void *)step, pardiff_dup, pardiff_const) <= 16);
  __pardiff_augmentfwd_tape((void *)step, x, dx, 3, pardiff_allocated, 16, pardiff_tape, buffer + 1);
  near("result", x[0], 6);
  near("result", x[1], 15);
  near("result", x[2], 10);
  __pardiff_reverse_nothing((void *)step, x, dx, 3, pardiff_allocated, 16, pardiff_tape, buffer + 1);
  near("first", dx[0], 3 * 1 + 100 * 5);
  near("second", dx[1], 2 * 1 + 10 * 5);
  near("third", dx[2], 3 * 10 + 100 * 2);
}

static double *squares(const double *x, int n) {
  double *y = malloc(n * sizeof *y);
  for (int i = 0; i < n; i++) y[i] = x[i] * x[i];
  return y;
}

CHECK_BY_HAND(returned_pointer) {
  double x[3] = {2, 3, 5}, dx[3] = {0};
  struct with_pointer forward = __pardiff_augmentfwd_pointer((void *)squares, x, dx, 3);
  for (int i = 0; i < 3; i++) near("result", forward.value[i], x[i] * x[i]);
  for (int i = 0; i < 3; i++) forward.shadow[i] = i + 1;
  __pardiff_reverse_nothing((void *)squares, x, dx, 3, forward.tape);
  for (int i = 0; i < 3; i++) near("element", dx[i], 2 * x[i] * (i + 1));
  free(forward.value);
  free(forward.shadow);
}

// A global variable on the way: another derivative between the sweeps uses its shadow too.
static double hidden;
NOINLINE static double through(double x) {
  hidden = x * x;
  return hidden * x;
}

double __pardiff_autodiff_number(void *, ...);

CHECK_BY_HAND(global_on_the_way) {
  struct with_number forward = __pardiff_augmentfwd_number((void *)through, 2.0);
  near("other", __pardiff_autodiff_number((void *)through, 5.0), 75);
  near("slope", __pardiff_reverse_number((void *)through, 2.0, 1.0, forward.tape), 12);
}

// A recursive function, and one that is called from it.
static double power(double x, int n) { return n == 0 ? 1 : x * power(x, n - 1); }

CHECK_BY_HAND(recursion) {
  struct with_number forward = __pardiff_augmentfwd_number((void *)power, 1.5, 4);
  near("result", forward.value, 1.5 * 1.5 * 1.5 * 1.5);
  near("slope", __pardiff_reverse_number((void *)power, 1.5, 4, 2.0, forward.tape), 8 * 1.5 * 1.5 * 1.5);
}

// The result is constant: there is no seed.
static double scaled(double *x) {
  x[0] *= x[0];
  return x[0];
}

CHECK_BY_HAND(constant_result) {
  double x[1] = {3}, dx[1] = {2};
  struct with_number forward = __pardiff_augmentfwd_number((void *)scaled, pardiff_const_return, x, dx);
  near("result", forward.value, 9);
  __pardiff_reverse_nothing((void *)scaled, pardiff_const_return, x, dx, forward.tape);
  near("slope", dx[0], 12);
}
