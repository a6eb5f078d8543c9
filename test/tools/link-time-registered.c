// A registered derivative is still known at the link, where the file that registers it and the request meet.
// RUN: %clang -O2 -flto -fpass-plugin=%plugin -DCALLEE -I%include -c %s -o %t.callee.o
// RUN: %clang -O2 -flto -fpass-plugin=%plugin -I%include -c %s -o %t.o
// RUN: %clang -O2 -flto -fuse-ld=lld -Wl,--load-pass-plugin=%plugin %t.o %t.callee.o -o %t
// RUN: %t | FileCheck %s
// CHECK: 15
#include "pardiff.h"
#include <stdio.h>
double f(double x);
#ifdef CALLEE
static double step(double x) { return x < 0 ? 0 : 1; }
static double step_forward(double x) { return step(x); }
static double smooth_step(double x, double seed) { return seed * x; }
void *__pardiff_register_gradient_step[3] = {(void *)step, (void *)step_forward, (void *)smooth_step};
double f(double x) { return 5 * step(x); }
#else
int main(void) { printf("%g\n", __pardiff_autodiff((void *)f, 3.0)); }
#endif
