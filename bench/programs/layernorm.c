// layernorm (float): rows are moved and scaled to mean 0 and variance 1, then scaled and moved by weights and biases.
#include "../harness.h"

static float *x, *dx, *weight, *dweight, *bias, *dbias, *y, *dy;
static int rows, width;

static void layernorm(const float *x, const float *weight, const float *bias, float *y, int rows, int width) {
  for (int r = 0; r < rows; r++) {
    const float *in = x + r * width;
    float mean = 0, variance = 0;
    for (int i = 0; i < width; i++) mean += in[i];
    mean /= width;
    for (int i = 0; i < width; i++) variance += (in[i] - mean) * (in[i] - mean);
    variance /= width;
    float scale = 1 / sqrtf(variance + 1e-5f);
    for (int i = 0; i < width; i++) y[r * width + i] = (in[i] - mean) * scale * weight[i] + bias[i];
  }
}

// Mean and scale of a row are had again.
static void by_hand(const float *x, float *restrict dx, const float *weight, float *restrict dweight,
                    float *restrict dbias, const float *dy, int rows, int width) {
  FREE_SUMS
  for (int r = 0; r < rows; r++) {
    const float *in = x + r * width, *dout = dy + r * width;
    float *din = dx + r * width, mean = 0, variance = 0, sum = 0, along = 0;
    for (int i = 0; i < width; i++) mean += in[i];
    mean /= width;
    for (int i = 0; i < width; i++) {
      float d = dout[i] * weight[i];
      variance += (in[i] - mean) * (in[i] - mean);
      sum += d;
      along += d * (in[i] - mean);
    }
    float scale = 1 / sqrtf(variance / width + 1e-5f);
    sum /= width;
    along *= scale * scale / width;
    for (int i = 0; i < width; i++) {
      float centred = in[i] - mean;
      dbias[i] += dout[i];
      dweight[i] += dout[i] * centred * scale;
      din[i] += scale * (dout[i] * weight[i] - sum - centred * along);
    }
  }
}

void set_up(void) {
  rows = size(12000, 7);
  width = size(256, 17);
  ACTIVE(x, rows * width, -1, 1);
  ACTIVE(weight, width, 0.5, 1.5);
  ACTIVE(bias, width, -1, 1);
  RESULT(y, rows * width);
}

PROGRAM(layernorm(x, weight, bias, y, rows, width),
        __enzyme_autodiff((void *)layernorm, enzyme_dup, x, dx, enzyme_dup, weight, dweight, enzyme_dup, bias, dbias,
                          enzyme_dupnoneed, y, dy, rows, width),
        by_hand(x, dx, weight, dweight, dbias, dy, rows, width))
