// gelu (float): the Gaussian error linear unit, with tanh.
#include "../harness.h"

static float *x, *dx, *y, *dy;
static int n;
static const float ROOT = 0.7978845608f, CUBIC = 0.044715f; // sqrt(2 / pi)

static void gelu(const float *x, float *y, int n) {
  for (int i = 0; i < n; i++)
    y[i] = 0.5f * x[i] * (1 + tanhf(ROOT * (x[i] + CUBIC * x[i] * x[i] * x[i])));
}

static void by_hand(const float *restrict x, float *restrict dx, const float *restrict dy, int n) {
  for (int i = 0; i < n; i++) {
    float square = CUBIC * x[i] * x[i], t = tanhf(ROOT * x[i] * (1 + square));
    dx[i] += 0.5f * dy[i] * (1 + t + x[i] * (1 - t * t) * ROOT * (1 + 3 * square));
  }
}

void set_up(void) {
  n = size(524288, 100);
  ACTIVE(x, n, -3, 3);
  RESULT(y, n);
}

PROGRAM(gelu(x, y, n), __enzyme_autodiff((void *)gelu, enzyme_dup, x, dx, enzyme_dupnoneed, y, dy, n),
        by_hand(x, dx, dy, n))
