// RUN: %numeric %s
// Functions whose derivatives the program gives. Some of them are wrong on purpose, to be told from those of the bodies.
#include "check.h"

#define NOINLINE __attribute__((noinline))

double __pardiff_autodiff_number(void *, ...);
double __pardiff_fwddiff_number(void *, ...);
struct two { double a, b; };
struct three { double a, b, c; };
struct three __pardiff_autodiff_three(void *, ...);
struct with_number { void *tape; double value; };
struct with_number __pardiff_augmentfwd_number(void *, ...);
extern int pardiff_primal_return;

// A number by a number: nothing passes between the sweeps, and the function is called for its result.
static double root(double x) {
  double y = x;
  for (int i = 0; i < 60; i++) y = 0.5 * (y + x / y);
  return y;
}
static void root_forward(double x) {}
static double root_reverse(double x, double seed) { return seed / (2 * sqrt(x)); }
static double root_tangent(double x, double dx) { return dx / (2 * sqrt(x)); }
void *__pardiff_register_gradient_root[3] = {(void *)root, (void *)root_forward, (void *)root_reverse};
void *__pardiff_register_derivative_root[2] = {(void *)root, (void *)root_tangent};

static double roots(double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += root(x[i] * x[i] + i) * root(x[i]);
  return s;
}
CHECK_SCALAR_N(roots, DIFFERENCES, RANGE(6))

CHECK_BY_HAND(asked_for_directly) {
  near("gradient", __pardiff_autodiff_number((void *)root, 4.0), 0.25);
  near("tangent", __pardiff_fwddiff_number((void *)root, 4.0, 2.0), 0.5);
  struct with_number forward = __pardiff_augmentfwd_number((void *)root, 9.0);
  near("result", forward.value, 3);
}

// Memory, a tape, and counts of the calls.
static int forwards, reverses;
NOINLINE static void square(const double *x, double *y, int n) {
  for (int i = 0; i < n; i++) y[i] = x[i] * x[i];
}
static void *square_forward(const double *x, double *dx, double *y, double *dy, int n) {
  forwards++;
  double *tape = malloc(n * sizeof *tape);
  for (int i = 0; i < n; i++) {
    tape[i] = x[i];
    y[i] = x[i] * x[i];
  }
  return tape;
}
static void square_reverse(const double *x, double *dx, double *y, double *dy, int n, void *kept) {
  reverses++;
  double *tape = kept;
  for (int i = 0; i < n; i++) {
    if (dx) dx[i] += 20 * tape[i] * dy[i];
    dy[i] = 0;
  }
  free(tape);
}
void *__enzyme_register_gradient_square[] = {(void *)square, (void *)square_forward, (void *)square_reverse};

static double twice(double *x) {
  double y[2], z[2];
  square(x, y, 2);
  square(y, z, 2);
  return z[0] * z[1];
}
CHECK_BY_HAND(memory_and_tape) {
  double x[2] = {1.1, 0.7}, dx[2] = {0};
  __pardiff_autodiff_number((void *)twice, x, dx);
  for (int i = 0; i < 2; i++) near("element", dx[i], 100 * 4 * pow(x[0] * x[1], 4) / x[i]);
  expect("each call once", forwards == 2 && reverses == 2);
  double z[2];
  square(x, z, 2);
  near("a plain call", z[0], x[0] * x[0]);
}

// Only what is active is called by its derivative.
static double around_constants(double x, const double *table) {
  double y[2];
  square(table, y, 2);
  return x * y[1];
}
extern int pardiff_const;
CHECK_BY_HAND(inactive_call) {
  double table[2] = {3, 5};
  forwards = 0;
  near("slope", __pardiff_autodiff_number((void *)around_constants, 2.0, pardiff_const, table), 25);
  expect("not called", forwards == 0);
}

// Several numbers, and a struct of tape and result; in single precision too.
NOINLINE static double product(double a, double b, int which, double c) { return which ? a * b * c : a; }
struct tape_and_result { void *tape; double result; };
static struct tape_and_result product_forward(double a, double b, int which, double c) {
  double *tape = malloc(sizeof *tape);
  *tape = a * b;
  return (struct tape_and_result){tape, product(a, b, which, c)};
}
static struct three product_reverse(double a, double b, int which, double c, double seed, void *kept) {
  double ab = *(double *)kept;
  free(kept);
  if (!which) return (struct three){seed, 0, 0};
  return (struct three){b * c * seed, a * c * seed, ab * seed};
}
static struct two product_tangent(double a, double da, double b, double db, int which, double c, double dc) {
  double tangent = which ? da * b * c + a * db * c + a * b * dc : da;
  return (struct two){product(a, b, which, c), tangent};
}
void *__pardiff_register_gradient_product[] = {(void *)product, (void *)product_forward, (void *)product_reverse};
void *__pardiff_register_derivative_product[] = {(void *)product, (void *)product_tangent};

static double chain(double *x, int n) {
  double s = 1;
  for (int i = 0; i < n; i++) s = product(s, x[i], i % 3, 0.5) + product(2, x[i], 1, s);
  return s;
}
CHECK_SCALAR_N(chain, DIFFERENCES, RANGE(7))

CHECK_BY_HAND(several_numbers) {
  struct three d = __pardiff_autodiff_three((void *)product, 2.0, 3.0, 1, 5.0);
  near("first", d.a, 15);
  near("second", d.b, 10);
  near("third", d.c, 6);
}

NOINLINE static float scale(float a, float b) { return a * b; }
static float scale_forward(float a, float b) { return a * b; }
struct floats { float a, b; };
static struct floats scale_reverse(float a, float b, float seed) { return (struct floats){b * seed, a * seed}; }
void *__pardiff_register_gradient_scale[] = {(void *)scale, (void *)scale_forward, (void *)scale_reverse};
static double mixed(double x) { return scale(x, 3) * scale(2, x); }
CHECK_BY_HAND(single_precision) { near("slope", __pardiff_autodiff_number((void *)mixed, 1.5), 2 * 6 * 1.5); }

// A returned pointer has its shadow from the program.
static double pool[8], pool_shadow[8];
static int used;
NOINLINE static double *boxed(double x) {
  pool[used] = x * x;
  return &pool[used++];
}
struct box { double *value, *shadow; };
static struct box boxed_forward(double x) {
  pool_shadow[used] = 0;
  double *shadow = &pool_shadow[used];
  return (struct box){boxed(x), shadow};
}
static int back = 0;
static double boxed_reverse(double x) {
  return 2 * x * pool_shadow[used - ++back];
}
void *__pardiff_register_gradient_boxed[] = {(void *)boxed, (void *)boxed_forward, (void *)boxed_reverse};
static double unboxed(double x) {
  double *a = boxed(x), *b = boxed(3 * x);
  return *a * *b;
}
CHECK_BY_HAND(returned_pointer) {
  near("slope", __pardiff_autodiff_number((void *)unboxed, 1.5), 9 * 4 * 1.5 * 1.5 * 1.5);
  expect("both", back == 2);
}

// In place: what is there before is gone afterwards, but for the tape. Calls are recursive here.
NOINLINE static void halve(double *x) { *x = *x / 2; }
static void halve_forward(double *x, double *dx) { *x = *x / 2; }
static void halve_reverse(double *x, double *dx) { *dx = *dx / 2; }
static void halve_tangent(double *x, double *dx) {
  *x = *x / 2;
  if (dx) *dx = *dx / 2;
}
void *__pardiff_register_gradient_halve[] = {(void *)halve, (void *)halve_forward, (void *)halve_reverse};
void *__pardiff_register_derivative_halve[] = {(void *)halve, (void *)halve_tangent};
static void fall(double *x, int n) {
  if (n == 0) return;
  halve(x);
  x[0] *= x[1];
  fall(x, n - 1);
}
static double fallen(double *x, int n) {
  fall(x, 3);
  double y = x[0];
  x[0] = 0;
  return y * x[1];
}
CHECK_SCALAR_N(fallen, DIFFERENCES, RANGE(2))

// The body of another file is not needed.
double sum_of_elsewhere(const double *x, int n);
static double elsewhere_forward(const double *x, double *dx, int n) { return sum_of_elsewhere(x, n); }
static void elsewhere_reverse(const double *x, double *dx, int n, double seed) {
  for (int i = 0; dx && i < n; i++) dx[i] += seed * (i + 1);
}
void *__pardiff_register_gradient_elsewhere[] = {(void *)sum_of_elsewhere, (void *)elsewhere_forward,
                                                 (void *)elsewhere_reverse};
__asm__(".text\n.globl sum_of_elsewhere\nsum_of_elsewhere:\n"
        "pxor %xmm0, %xmm0\naddsd (%rdi), %xmm0\nmulsd 8(%rdi), %xmm0\nret\n");
static double uses_elsewhere(double *x) {
  double y[3] = {x[0], x[1] * x[1], x[2]};
  return 2 * sum_of_elsewhere(y, 3);
}
CHECK_BY_HAND(without_a_body) {
  double x[3] = {2, 3, 4}, dx[3] = {0};
  __pardiff_autodiff_number((void *)uses_elsewhere, x, dx);
  near("first", dx[0], 2);
  near("second", dx[1], 2 * 2 * 6);
  near("third", dx[2], 6);
}
