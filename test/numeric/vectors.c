// RUN: CHECKERS=asan %numeric %s
// FLAGS: -mavx
// Vectors of numbers: arithmetic, lanes, comparisons, calls, loads and stores, reductions, intrinsics of x86. (valgrind 3.19 lacks some of AVX.)
#include "check.h"
typedef double d4 __attribute__((vector_size(32)));
typedef float f4 __attribute__((vector_size(16)));
typedef long l4 __attribute__((vector_size(32)));
typedef double d2 __attribute__((vector_size(16)));
static double arith(double *x) {
  d4 a = {x[0], x[1], x[2], x[3]}, b = {x[3], x[0], x[1], x[2]};
  d4 c = a * b + a / b - 0.5;
  return c[0] * c[3] + c[1] * c[2];
}
CHECK_SCALAR(arith, DIFFERENCES, RANGE(4))
static double loop(double *x, int n) {
  d4 acc = {0, 0, 0, 0};
  const d4 *v = (const d4 *)x;
  (void)v;
  for (int i = 0; i + 4 <= n; i += 4) {
    d4 t; memcpy(&t, x + i, sizeof t);
    acc += t * t * acc[0] + t;
  }
  return acc[0] + 2 * acc[1] + 3 * acc[2] - acc[3];
}
CHECK_SCALAR_N(loop, DIFFERENCES, RANGE(12))
static double dynamic(double *x, int n) {
  d4 a = {0, 0, 0, 0};
  for (int i = 0; i < n; i++) a[i & 3] += x[i] * x[i];
  double s = 1;
  for (int i = 0; i < n; i++) s *= a[(i * 3) & 3] + 0.1;
  return s;
}
CHECK_SCALAR_N(dynamic, DIFFERENCES, RANGE(6))
static double choose(double *x) {
  d4 a = {x[0], x[1], x[2], x[3]}, b = {x[3], x[0], x[1], x[2]};
  l4 m = a > b;
  d4 c = (d4)((m & (l4)(a * a)) | (~m & (l4)b));
  d4 s = __builtin_shufflevector(c, a, 0, 5, 2, 7);
  return s[0] * s[1] + s[2] * s[3];
}
CHECK_SCALAR(choose, DIFFERENCES, RANGE(4))
__attribute__((noinline)) static d4 twist(d4 a, d4 b) { return __builtin_elementwise_max(a, b) * __builtin_elementwise_sin(a); }
static double calls(double *x) {
  d4 a = {x[0], x[1], x[2], x[3]}, b = {x[3], x[0], x[1], x[2]};
  d4 c = twist(a, b);
  return __builtin_reduce_max(c) + c[0] * c[1];
}
CHECK_SCALAR(calls, DIFFERENCES, RANGE(4))
__attribute__((noinline)) static d2 half(d2 a) { return a * 0.5 + __builtin_shufflevector(a, a, 1, 0); }
static double narrow(double *x) { d2 a = {x[0], x[1]}; a = half(a) * a; return a[0] * a[1]; }
CHECK_SCALAR(narrow, DIFFERENCES, RANGE(2))
static double store(double *x, int n) {
  double out[16];
  for (int i = 0; i + 4 <= n; i += 4) {
    d4 t; memcpy(&t, x + i, sizeof t);
    t = t * t + x[0];
    memcpy(out + i, &t, sizeof t);
  }
  double s = 0;
  for (int i = 0; i + 4 <= n; i++) s += out[i] * out[(i + 3) ];
  return s;
}
CHECK_SCALAR_N(store, DIFFERENCES, RANGE(8))
static double cast(double *x) {
  f4 f = {1, 2, 3, 4};
  d4 a = __builtin_convertvector(f, d4);
  l4 k = __builtin_convertvector(a * 2.0, l4);
  for (int i = 0; i < 4; i++) a[i] *= x[i];
  a *= __builtin_convertvector(k, d4);
  return a[0] * a[1] + a[2] * a[3];
}
CHECK_SCALAR(cast, DIFFERENCES, RANGE(4))
static double reductions(double *x) {
  d4 a = {x[0], x[1], x[2], x[3]};
  d4 b = a * a[1];
  return __builtin_reduce_min(b) * __builtin_reduce_max(a);
}
CHECK_SCALAR(reductions, DIFFERENCES, RANGE(4))

#include <immintrin.h>
static double intrinsics(double *x, int n) {
  __m256d sum = _mm256_setzero_pd(), top = _mm256_set1_pd(0.2);
  for (int i = 0; i + 4 <= n; i += 4) {
    __m256d v = _mm256_loadu_pd(x + i), w = _mm256_sqrt_pd(_mm256_mul_pd(v, _mm256_set1_pd(x[0])));
    sum = _mm256_add_pd(_mm256_hadd_pd(v, w), _mm256_mul_pd(sum, _mm256_permute2f128_pd(w, v, 1)));
    top = _mm256_max_pd(top, _mm256_min_pd(w, v));
    top = _mm256_blendv_pd(top, sum, _mm256_cmp_pd(top, sum, _CMP_LT_OQ));
  }
  double out[4];
  _mm256_storeu_pd(out, _mm256_add_pd(sum, _mm256_mul_pd(top, top)));
  __m128d low = _mm256_castpd256_pd128(sum), high = _mm256_extractf128_pd(sum, 1);
  low = _mm_add_pd(low, _mm_unpackhi_pd(high, low));
  return out[0] * out[1] + out[2] * out[3] + _mm_cvtsd_f64(low);
}
CHECK_SCALAR_N(intrinsics, DIFFERENCES, RANGE(8))
