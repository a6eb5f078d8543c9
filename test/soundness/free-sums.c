// Rule: a sum of the primal is added up in another order only where nobody sees its bits: not in what the caller gets, in a
// branch, an index or a compensated sum, and not with a fixed order. Without the rule the gradient is that of another branch than
// the program takes, results are not those of a plain call, and what compensation saved is lost.
// RUN: %numeric %s
// RUN: %pardiff-clang -O3 -S -emit-llvm -DONLY %s -o - | FileCheck %s --check-prefix=FREE
// RUN: PARDIFF_OPTIONS=fixed-order %pardiff-clang -O3 -S -emit-llvm -DONLY %s -o - | FileCheck %s --check-prefix=FIXED
#ifdef ONLY
#include "pardiff.h"
#else
#include "check.h"
#endif

static double total(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += x[i];
  return s;
}
static double squared(const double *x, int n) {
  double s = total(x, n);
  return s * s;
}
// FREE-LABEL: define {{.*}} @gradient(
// FREE: fadd reassoc contract <
// FREE: {{^}}}
// FIXED-LABEL: define {{.*}} @gradient(
// FIXED-NOT: reassoc
// FIXED: {{^}}}
#ifdef ONLY
void gradient(double *x, double *dx, int n) {
  __pardiff_autodiff((void *)squared, pardiff_dup, x, dx, pardiff_const, n);
}
#else

// In this order the sum of these is 0; a vector of sums gives 1.
enum { N = 64 };
static void cancelling(double *x) {
  for (int i = 0; i < N; i++) x[i] = 0;
  x[0] = 1e16, x[1] = 1, x[2] = -1e16;
}

static double branch(const double *x, int n) {
  double s = total(x, n);
  return s > 0.5 ? 3 * x[5] : 5 * x[5];
}
static double index_(const double *x, int n) {
  double s = total(x, n);
  return x[5 + (int)s] * 7;
}
static double times(const double *x, int n) {
  double s = total(x, n), t = 0;
  while (s < 1) s += 0.75, t += x[5];
  return t;
}
CHECK_BY_HAND(decides) {
  double x[N], d[N] = {0};
  cancelling(x);
  __pardiff_autodiff((void *)branch, pardiff_dup, x, d, opaque(N));
  near("branch", d[5], 5);
  __pardiff_autodiff((void *)index_, pardiff_dup, x, d, opaque(N));
  near("index", d[5], 12);
  __pardiff_autodiff((void *)times, pardiff_dup, x, d, opaque(N));
  near("loop", d[5], 14);
}

extern int enzyme_primal_return;
double __pardiff_autodiff_value(void *, ...);
CHECK_BY_HAND(returned) {
  double x[N], d[N] = {0};
  cancelling(x), x[2] = -1e16 + 2;
  double value = __pardiff_autodiff_value((void *)squared, enzyme_primal_return, pardiff_dup, x, d, opaque(N));
  expect("the bits of a plain call", value == squared(x, opaque(N)));
  near("gradient", d[7], 2 * total(x, opaque(N)));
}

// Through memory of the function's own to what the caller sees.
static void stored(const double *x, double *restrict y, int n) {
  double sums[4];
  for (int k = 0; k < 4; k++) {
    double s = total(x, n);
    sums[k] = s * s;
  }
  for (int k = 0; k < 4; k++) y[k] = sums[k] * x[k + 5];
}
CHECK_BY_HAND(written) {
  double x[N], d[N] = {0}, y[4], seed[4] = {1, 1, 1, 1}, plain[4];
  cancelling(x), x[2] = -1e16 + 2;
  for (int i = 5; i < 9; i++) x[i] = 0.25;
  stored(x, plain, opaque(N));
  __pardiff_autodiff((void *)stored, pardiff_dup, x, d, pardiff_dup, y, seed, opaque(N));
  for (int k = 0; k < 4; k++) expect("the bits of a plain call", y[k] == plain[k]);
}

// Kahan's sum, and one that adds up the errors on their own.
static double kahan(const double *x, int n) {
  double s = 0, lost = 0;
  for (int i = 0; i < n; i++) {
    double more = x[i] - lost, sum = s + more;
    lost = (sum - s) - more;
    s = sum;
  }
  return s * s;
}
static double in_two(const double *x, int n) {
  double s = 0, errors = 0;
  for (int i = 0; i < n; i++) {
    double sum = s + x[i], part = sum - s;
    errors += (s - (sum - part)) + (x[i] - part);
    s = sum;
  }
  double all = s + errors;
  return all * all;
}
CHECK_BY_HAND(compensated) {
  enum { MANY = 1024, ONES = 64 };
  static double x[MANY], d[MANY];
  for (int i = 0; i < MANY; i++) x[i] = i < ONES ? 1 : 1e-16;
  double want = 2 * (ONES + (MANY - ONES) * 1e-16); // of which simple sums, also several at a time, lose 2e-13
  __pardiff_autodiff((void *)kahan, pardiff_dup, x, d, opaque(MANY));
  expect("Kahan", fabs(d[3] - want) < 6e-14), d[3] = 0;
  __pardiff_autodiff((void *)in_two, pardiff_dup, x, d, opaque(MANY));
  expect("in two", fabs(d[3] - want) < 6e-14);
}
#endif
