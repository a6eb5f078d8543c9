// RUN: %numeric %s
// Convolutions: one channel by a shared kernel, strided, with a bias and a rectifier.
#include "check.h"

static void one(double *x, double *y, int n) { // x: 10 samples, then a kernel of 3
  const double *k = x + 10;
  for (int i = 0; i < 8; i++) {
    y[i] = 0;
    for (int j = 0; j < 3; j++) y[i] += x[i + j] * k[j];
  }
}
static void want(const double *x, const double *w, double *g) {
  for (int i = 0; i < 13; i++) g[i] = 0;
  for (int i = 0; i < 8; i++)
    for (int j = 0; j < 3; j++) g[i + j] += w[i] * x[10 + j], g[10 + j] += w[i] * x[i + j];
}
CHECK_VECTOR_N(one, 8, want, RANGE(13))

static double layer(double *x, int n) { // x: 6 by 6 image, two kernels of 3 by 3, two biases
  const double *image = x, *kernel = x + 36, *bias = x + 54;
  double s = 0;
  for (int c = 0; c < 2; c++)
    for (int i = 0; i < 2; i++)
      for (int j = 0; j < 2; j++) {
        double z = bias[c] - 8;
        for (int p = 0; p < 3; p++)
          for (int q = 0; q < 3; q++) z += kernel[9 * c + 3 * p + q] * image[6 * (2 * i + p) + 2 * j + q];
        s += z > 0 ? z * z : 0.1 * z;
      }
  return s;
}
CHECK_SCALAR_N(layer, DIFFERENCES, RANGE(56))
