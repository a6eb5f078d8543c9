// RUN: %numeric %s
// A small network: layers, softmax and cross entropy over a batch.
#include "check.h"

enum { IN = 3, HIDDEN = 4, OUT = 3, BATCH = 5 };
enum { WEIGHTS = HIDDEN * IN + HIDDEN + OUT * HIDDEN + OUT };

static const double images[BATCH * IN] = {0.1, 0.9, 0.3, 0.8, 0.2, 0.5, 0.4, 0.4, 0.6, 0.7, 0.1, 0.2, 0.9, 0.8, 0.3};
static const int labels[BATCH] = {0, 2, 1, 1, 0};

static double loss(double *w, int n) {
  const double *w1 = w, *b1 = w1 + HIDDEN * IN, *w2 = b1 + HIDDEN, *b2 = w2 + OUT * HIDDEN;
  double total = 0;
  for (int s = 0; s < BATCH; s++) {
    const double *x = images + s * IN;
    double h[HIDDEN], z[OUT], most = -1e30, sum = 0;
    for (int i = 0; i < HIDDEN; i++) {
      double a = b1[i];
      for (int j = 0; j < IN; j++) a += w1[i * IN + j] * x[j];
      h[i] = tanh(a - 1);
    }
    for (int i = 0; i < OUT; i++) {
      z[i] = b2[i];
      for (int j = 0; j < HIDDEN; j++) z[i] += w2[i * HIDDEN + j] * h[j];
      if (z[i] > most) most = z[i];
    }
    for (int i = 0; i < OUT; i++) sum += exp(z[i] - most);
    total += log(sum) + most - z[labels[s]];
  }
  return total / BATCH;
}
CHECK_SCALAR_N(loss, DIFFERENCES, RANGE(WEIGHTS))
