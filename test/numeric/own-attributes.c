// RUN: CFLAGS=%pardiff-attributes %numeric %s
// Attributes that clang knows through its plugin.
#include "check.h"

double __pardiff_autodiff_number(void *, ...);
double __pardiff_fwddiff_number(void *, ...);

// Bodies that compute something else than the rule, so that the two can be told apart.
__attribute__((enzyme_function_like("log1p"))) static double slow_log1p(double x) { return 2 * x; }
__attribute__((pardiff_function_like("exp"))) static double own_exp(double x);
static double logarithm(double x) { return 3 * slow_log1p(x * x) + own_exp(x); }
static double own_exp(double x) { return 5 * x; }
CHECK_BY_HAND(like) {
  near("slope", __pardiff_autodiff_number((void *)logarithm, 1.5), 3 * 2 * 1.5 / (1 + 1.5 * 1.5) + 5 * 1.5);
  near("tangent", __pardiff_fwddiff_number((void *)logarithm, 1.5, 2.0),
       2 * (3 * 2 * 1.5 / (1 + 1.5 * 1.5) + 5 * 1.5));
}

__attribute__((enzyme_inactive)) static double rounded(double x) { return x * x; }
__attribute__((pardiff_inactive)) static double scaled(double x) { return 3 * x; }
static double around(double x) { return x * rounded(x) * scaled(x); }
CHECK_BY_HAND(inactive) {
  near("slope", __pardiff_autodiff_number((void *)around, 2.0), 4 * 6);
  near("tangent", __pardiff_fwddiff_number((void *)around, 2.0, 3.0), 3 * 4 * 6);
}

// What these say is read off the functions.
__attribute__((enzyme_nofree, enzyme_shouldrecompute)) static double plain(double x) { return x * x; }
static double twice(double x) { return plain(plain(x)); }
CHECK_BY_HAND(advice) { near("slope", __pardiff_autodiff_number((void *)twice, 2.0), 32); }

// A static variable that registers something, which nothing else names.
__attribute__((noinline)) static double given(double x) { return x * x; }
static double given_forward(double x) { return x * x; }
static double given_reverse(double x, double seed) { return 7 * seed; }
static void *__enzyme_register_gradient_given[] = {(void *)given, (void *)given_forward, (void *)given_reverse};
static double from_given(double x) { return 2 * given(x); }
CHECK_BY_HAND(registered) { near("slope", __pardiff_autodiff_number((void *)from_given, 2.0), 14); }
