// shared_weights: squared residuals of a cubic, with respect to its four coefficients and all points.
#include "../harness.h"

static double *w, *dw, *x, *dx, *y;
static int n;

static double shared_weights(const double *w, const double *x, const double *y, int n) {
  double loss = 0;
  for (int i = 0; i < n; i++) {
    double r = w[0] + x[i] * (w[1] + x[i] * (w[2] + x[i] * w[3])) - y[i];
    loss += r * r;
  }
  return loss;
}

static void by_hand(const double *w, double *dw, const double *restrict x, double *restrict dx,
                    const double *restrict y, int n) {
  FREE_SUMS
  double w0 = w[0], w1 = w[1], w2 = w[2], w3 = w[3], d0 = 0, d1 = 0, d2 = 0, d3 = 0;
  for (int i = 0; i < n; i++) {
    double t = x[i], inner = w2 + t * w3, middle = w1 + t * inner;
    double g0 = w0 + t * middle - y[i], g1 = g0 * t, g2 = g1 * t;
    d0 += g0;
    d1 += g1;
    d2 += g2;
    d3 += g2 * t;
    dx[i] += 2 * (g0 * middle + g1 * inner + g2 * w3);
  }
  dw[0] += 2 * d0;
  dw[1] += 2 * d1;
  dw[2] += 2 * d2;
  dw[3] += 2 * d3;
}

void set_up(void) {
  n = size(3000000, 1001);
  ACTIVE(w, 4, -1, 1);
  ACTIVE(x, n, -1, 1);
  DATA(y, n, -1, 1);
}

PROGRAM(value = shared_weights(w, x, y, n),
        __enzyme_autodiff((void *)shared_weights, enzyme_dup, w, dw, enzyme_dup, x, dx, enzyme_const, y, n),
        by_hand(w, dw, x, dx, y, n))
