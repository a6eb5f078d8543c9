// RUN: %clang -O2 -fpass-plugin=%plugin -S -emit-llvm %s -o - | FileCheck %s
// The gradient of a long function is a function that calls its parts: each run of the function passes them, and each iteration of a loop.
#include <math.h>
void __pardiff_autodiff(void *, ...);

#define LINE(k)                                     \
  s = 0.5 * sin(s) + x[(k) % 5] * 0.25 + t * 0.125; \
  t = s * 0.5 + t / (2 + s * s);
#define TEN(k) \
  LINE(k) LINE(k + 1) LINE(k + 2) LINE(k + 3) LINE(k + 4) LINE(k + 5) LINE(k + 6) LINE(k + 7) LINE(k + 8) LINE(k + 9)
#define HUNDRED(k) TEN(k) TEN(k + 10) TEN(k + 20) TEN(k + 30) TEN(k + 40) TEN(k + 50) TEN(k + 60) TEN(k + 70) TEN(k + 80) TEN(k + 90)

double straight(double *x) {
  double s = x[0], t = 0.5;
  HUNDRED(0) HUNDRED(100) HUNDRED(200) HUNDRED(300) HUNDRED(400) HUNDRED(500)
  return s + t;
}

double in_loop(double *x, int n) {
  double s = x[0], t = 0.5;
  for (int i = 0; i < n; i++) { HUNDRED(0) HUNDRED(100) HUNDRED(200) HUNDRED(300) HUNDRED(400) HUNDRED(500) }
  return s + t;
}

double short_one(double *x) {
  double s = x[0], t = 0.5;
  TEN(0)
  return s + t;
}

void gradients(double *x, double *g, int n) {
  __pardiff_autodiff((void *)straight, x, g);
  __pardiff_autodiff((void *)in_loop, x, g, n);
  __pardiff_autodiff((void *)short_one, x, g);
}

// CHECK-DAG: call {{.*}}@pardiff.gradient.straight.part
// CHECK-DAG: call {{.*}}@pardiff.gradient.in_loop.part
// CHECK-NOT: short_one.part
