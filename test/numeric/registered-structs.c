// RUN: %numeric %s
// Registered derivatives of functions that take small structs by value. Each gives something else than its function's
// derivative, so that the two can be told apart.
#include "check.h"

#define NOINLINE __attribute__((noinline))
struct two { double a, b; };
struct counted { double a; int n; };
struct weighted { double *p, w; };
struct two __pardiff_autodiff_two(void *, ...);
double __pardiff_fwddiff_number(void *, ...);

NOINLINE static double area(struct two z) { return z.a * z.b; }
static double area_tangent(struct two z, struct two dz) { return 10 * (dz.a * z.b + z.a * dz.b); }
static double area_forward(struct two z) { return z.a * z.b; }
static struct two area_reverse(struct two z, double seed) { return (struct two){100 * seed * z.b, 100 * seed * z.a}; }
void *__pardiff_register_derivative_area[] = {(void *)area, (void *)area_tangent};
void *__pardiff_register_gradient_area[] = {(void *)area, (void *)area_forward, (void *)area_reverse};
static double through_area(double x, double y) { return area((struct two){x, y * y}); }
CHECK_BY_HAND(two_numbers) {
  near("x", __pardiff_fwddiff_number((void *)through_area, 2.0, 1.0, 3.0, 0.0), 10 * 9);
  near("y", __pardiff_fwddiff_number((void *)through_area, 2.0, 0.0, 3.0, 1.0), 10 * 2 * 6);
  struct two g = __pardiff_autodiff_two((void *)through_area, 2.0, 3.0);
  near("dx", g.a, 100 * 9), near("dy", g.b, 100 * 2 * 6);
}

// The struct of tangents has an integer where the struct has one: it is 0.
NOINLINE static double many(struct counted z) { return z.a * z.n; }
static double many_tangent(struct counted z, struct counted dz) { return 10 * z.n * dz.a + dz.n; }
void *__pardiff_register_derivative_many[] = {(void *)many, (void *)many_tangent};
static double through_many(double x) { return many((struct counted){x, 3}); }
CHECK_BY_HAND(number_and_integer) { near("x", __pardiff_fwddiff_number((void *)through_many, 2.0, 1.0), 30); }

// A pointer in it makes the struct be followed by one of shadows in reverse mode too.
NOINLINE static double product(struct weighted z) { return *z.p * z.w; }
static double product_tangent(struct weighted z, struct weighted dz) { return 10 * (*z.p * dz.w + *dz.p * z.w); }
static double product_forward(struct weighted z, struct weighted dz) { return *z.p * z.w + 0 * dz.w; }
static double product_reverse(struct weighted z, struct weighted dz, double seed) {
  *dz.p += 100 * z.w * seed;
  return 100 * *z.p * seed;
}
void *__pardiff_register_derivative_product[] = {(void *)product, (void *)product_tangent};
void *__pardiff_register_gradient_product[] = {(void *)product, (void *)product_forward, (void *)product_reverse};
static double through_product(double x, double y) { return product((struct weighted){&x, y}); }
CHECK_BY_HAND(pointer_and_number) {
  near("both", __pardiff_fwddiff_number((void *)through_product, 2.0, 1.0, 3.0, 10.0), 10 * 3 + 10 * 2 * 10);
  struct two g = __pardiff_autodiff_two((void *)through_product, 2.0, 3.0);
  near("dx", g.a, 300), near("dy", g.b, 200);
}
