// Integers that are made of the bits of an active real, by any way of reading them.
// RUN: not %pardiff-clang -O0 -gline-tables-only -c %s -o %t 2>&1 | FileCheck %s
// RUN: not %pardiff-clang -O2 -gline-tables-only -c %s -o %t 2>&1 | FileCheck %s
#include "pardiff.h"
#include <stdint.h>
#include <string.h>
static double halves(double *x) {
  union {
    double d;
    uint32_t w[2];
  } u;
  u.d = x[0];
  u.w[1] &= 0x7fffffff;
  return u.d * u.d;
}
static double flipped(double *x) {
  uint64_t u;
  memcpy(&u, x, 8);
  u ^= (uint64_t)1 << 63;
  double d;
  memcpy(&d, &u, 8);
  return d * d * d;
}
static double bytes(double *x) {
  double y[3] = {0};
  for (unsigned i = 0; i < 24; i++) ((char *)y)[i] = ((char *)x)[i];
  return y[0] * y[1] * y[2];
}
static double logarithm(double *x) {
  union {
    float f;
    uint32_t i;
  } u = {(float)x[0]};
  return (float)u.i * 1.19e-7f;
}
#define GRADIENT(f) void f##_gradient(double *x, double *dx) { __pardiff_autodiff((void *)f, pardiff_dup, x, dx); }
GRADIENT(halves)
GRADIENT(flipped)
GRADIENT(bytes)
GRADIENT(logarithm)
// CHECK: bits-of-a-real.c:12:{{.*}}bits of an active floating-point value{{.*}}{{\[PD0009\]}}
// CHECK: bits-of-a-real.c:18:{{.*}}bits of an active floating-point value{{.*}}{{\[PD0009\]}}
// CHECK: bits-of-a-real.c:26:{{.*}}bits of an active floating-point value{{.*}}{{\[PD0009\]}}
// CHECK: bits-of-a-real.c:34:{{.*}}bits of an active floating-point value{{.*}}{{\[PD0009\]}}
// CHECK: errors generated
