// lanes.h: vectors of 64 bytes for gradients written by hand, and register-tiled products of matrices.
#ifndef LANES_H
#define LANES_H

enum { LANES = 8, FLOAT_LANES = 16 };
typedef double lanes __attribute__((vector_size(64), aligned(8)));
typedef float float_lanes __attribute__((vector_size(64), aligned(4)));

static inline double total(lanes v) {
  double s = 0;
  for (int l = 0; l < LANES; l++) s += v[l];
  return s;
}

static inline float float_total(float_lanes v) {
  float s = 0;
  for (int l = 0; l < FLOAT_LANES; l++) s += v[l];
  return s;
}

// a where the condition (a comparison of vectors) holds, b elsewhere.
typedef long long lane_bits __attribute__((vector_size(64)));
typedef int float_lane_bits __attribute__((vector_size(64)));
static inline lanes choose(lane_bits condition, lanes a, lanes b) {
  return (lanes)((condition & (lane_bits)a) | (~condition & (lane_bits)b));
}
static inline float_lanes float_choose(float_lane_bits condition, float_lanes a, float_lanes b) {
  return (float_lanes)((condition & (float_lane_bits)a) | (~condition & (float_lane_bits)b));
}

// C += scale X Y of m x k by k x n numbers. X[i][p] is at x[i * down + p * right], rows of Y and C lie ys and cs apart.
// Tiles of C are kept in registers; the inner sum runs over blocks of rows of Y that stay in the cache.
#define DEFINE_PRODUCT(name, real, vector, WIDTH)                                                                     \
  static inline __attribute__((always_inline)) void name##_tile(                                                      \
      int rows, int k, const real *x, long down, long right, const real *y, long ys, real *c, long cs, real scale) {  \
    FREE_SUMS                                                                                                         \
    vector sum[8][2];                                                                                                 \
    for (int i = 0; i < rows; i++) sum[i][0] = sum[i][1] = (vector){0};                                               \
    for (int p = 0; p < k; p++) {                                                                                     \
      vector y0 = *(const vector *)(y + p * ys), y1 = *(const vector *)(y + p * ys + WIDTH);                          \
      for (int i = 0; i < rows; i++) {                                                                                \
        real a = x[i * down + p * right];                                                                             \
        sum[i][0] += a * y0;                                                                                          \
        sum[i][1] += a * y1;                                                                                          \
      }                                                                                                               \
    }                                                                                                                 \
    for (int i = 0; i < rows; i++) {                                                                                  \
      *(vector *)(c + i * cs) += scale * sum[i][0];                                                                   \
      *(vector *)(c + i * cs + WIDTH) += scale * sum[i][1];                                                           \
    }                                                                                                                 \
  }                                                                                                                   \
  static void name##_block(int m, int n, int k, const real *x, long down, long right, const real *y, long ys,         \
                           real *c, long cs, real scale) {                                                            \
    int j = 0;                                                                                                        \
    for (; j + 2 * WIDTH <= n; j += 2 * WIDTH) {                                                                      \
      int i = 0;                                                                                                      \
      for (; i + 8 <= m; i += 8)                                                                                      \
        name##_tile(8, k, x + i * down, down, right, y + j, ys, c + i * cs + j, cs, scale);                           \
      for (; i < m; i++) name##_tile(1, k, x + i * down, down, right, y + j, ys, c + i * cs + j, cs, scale);          \
    }                                                                                                                 \
    for (int i = 0; i < m && j < n; i++)                                                                              \
      for (int p = 0; p < k; p++)                                                                                     \
        for (int q = j; q < n; q++) c[i * cs + q] += scale * x[i * down + p * right] * y[p * ys + q];                 \
  }                                                                                                                   \
  static inline void name(int m, int n, int k, const real *x, long down, long right, const real *y, long ys, real *c, \
                          long cs, real scale) {                                                                      \
    enum { BLOCK = 256 };                                                                                             \
    for (int p = 0; p < k; p += BLOCK)                                                                                \
      name##_block(m, n, k - p < BLOCK ? k - p : BLOCK, x + p * right, down, right, y + p * ys, ys, c, cs, scale);    \
  }

DEFINE_PRODUCT(add_product, double, lanes, LANES)
DEFINE_PRODUCT(add_float_product, float, float_lanes, FLOAT_LANES)

#endif
