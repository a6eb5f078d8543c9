// perceptron: squared errors of a network with one hidden layer, summed over samples, with respect to its weights.
#include "../harness.h"
#include "../lanes.h"

static double *W, *dW, *b, *db, *v, *dv, *x, *want;
static int samples, inputs, hidden;

static double perceptron(const double *W, const double *b, const double *v, const double *x, const double *want,
                         int samples, int inputs, int hidden) {
  double loss = 0;
  for (int s = 0; s < samples; s++) {
    double out = 0;
    for (int h = 0; h < hidden; h++) {
      double a = b[h];
      for (int i = 0; i < inputs; i++) a += W[h * inputs + i] * x[s * inputs + i];
      out += v[h] * tanh(a);
    }
    loss += (out - want[s]) * (out - want[s]);
  }
  return loss;
}

// Samples in lanes, sums of gradients per lane.
static void by_hand(const double *W, double *dW, const double *b, double *db, const double *v, double *dv,
                    const double *x, const double *want, int samples, int inputs, int hidden) {
  int all = hidden * inputs;
  lanes *dWs = calloc(all + 4 * hidden + inputs, sizeof(lanes));
  lanes *dbs = dWs + all, *dvs = dbs + hidden, *t = dvs + hidden, *xs = t + 2 * hidden;
  for (int s = 0; s < samples; s += LANES) {
    lanes out = {0}, live = {0};
    for (int l = 0; l < LANES; l++) {
      int at = s + l < samples ? s + l : samples - 1;
      live[l] = s + l < samples;
      out[l] = -want[at];
      for (int i = 0; i < inputs; i++) xs[i][l] = x[at * inputs + i];
    }
    for (int h = 0; h < hidden; h++) {
      lanes a = {0}, more = {0};
      int i = 0;
      for (; i + 1 < inputs; i += 2) {
        a += W[h * inputs + i] * xs[i];
        more += W[h * inputs + i + 1] * xs[i + 1];
      }
      if (i < inputs) a += W[h * inputs + i] * xs[i];
      a += more + b[h];
      for (int l = 0; l < LANES; l++) t[h][l] = tanh(a[l]);
      out += v[h] * t[h];
    }
    lanes dout = 2 * out * live;
    for (int h = 0; h < hidden; h++) {
      lanes da = dout * v[h] * (1 - t[h] * t[h]);
      dvs[h] += dout * t[h];
      dbs[h] += da;
      for (int i = 0; i < inputs; i++) dWs[h * inputs + i] += da * xs[i];
    }
  }
  for (int h = 0; h < hidden; h++) db[h] += total(dbs[h]), dv[h] += total(dvs[h]);
  for (int i = 0; i < all; i++) dW[i] += total(dWs[i]);
  free(dWs);
}

void set_up(void) {
  samples = size(2000, 19);
  inputs = size(64, 7);
  hidden = size(32, 5);
  ACTIVE(W, hidden * inputs, -0.3, 0.3);
  ACTIVE(b, hidden, -1, 1);
  ACTIVE(v, hidden, -1, 1);
  DATA(x, samples * inputs, -1, 1);
  DATA(want, samples, -1, 1);
}

PROGRAM(value = perceptron(W, b, v, x, want, samples, inputs, hidden),
        __enzyme_autodiff((void *)perceptron, enzyme_dup, W, dW, enzyme_dup, b, db, enzyme_dup, v, dv, enzyme_const, x,
                          enzyme_const, want, samples, inputs, hidden),
        by_hand(W, dW, b, db, v, dv, x, want, samples, inputs, hidden))
