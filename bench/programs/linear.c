// linear (float): a layer of a transformer, rows times a transposed matrix of weights, plus biases.
#include "../harness.h"
#include "../lanes.h"

static float *x, *dx, *weight, *dweight, *bias, *dbias, *y, *dy;
static int rows, inputs, outputs;

static void linear(const float *x, const float *weight, const float *bias, float *y, int rows, int inputs,
                   int outputs) {
  for (int r = 0; r < rows; r++)
    for (int o = 0; o < outputs; o++) {
      float s = bias[o];
      for (int i = 0; i < inputs; i++) s += x[r * inputs + i] * weight[o * inputs + i];
      y[r * outputs + o] = s;
    }
}

static void by_hand(const float *x, float *dx, const float *weight, float *dweight, float *restrict dbias,
                    const float *dy, int rows, int inputs, int outputs) {
  add_float_product(rows, inputs, outputs, dy, outputs, 1, weight, inputs, dx, inputs, 1);
  add_float_product(outputs, inputs, rows, dy, 1, outputs, x, inputs, dweight, inputs, 1);
  for (int r = 0; r < rows; r++)
    for (int o = 0; o < outputs; o++) dbias[o] += dy[r * outputs + o];
}

void set_up(void) {
  rows = size(128, 9);
  inputs = size(256, 37);
  outputs = size(1024, 41);
  ACTIVE(x, rows * inputs, -1, 1);
  ACTIVE(weight, outputs * inputs, -0.1, 0.1);
  ACTIVE(bias, outputs, -1, 1);
  RESULT(y, rows * outputs);
}

PROGRAM(linear(x, weight, bias, y, rows, inputs, outputs),
        __enzyme_autodiff((void *)linear, enzyme_dup, x, dx, enzyme_dup, weight, dweight, enzyme_dup, bias, dbias,
                          enzyme_dupnoneed, y, dy, rows, inputs, outputs),
        by_hand(x, dx, weight, dweight, dbias, dy, rows, inputs, outputs))
