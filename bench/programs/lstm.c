// lstm: a layer of long short-term memory over a sequence; the squared length of the last output, with respect to the
// weights of its four gates.
#include "../harness.h"
#include "../lanes.h"

static double *W, *dW, *U, *dU, *b, *db, *x;
static int length, inputs, hidden;

static double sigmoid(double a) { return 1 / (1 + exp(-a)); }

static double lstm(const double *W, const double *U, const double *b, const double *x, int length, int inputs,
                   int hidden) {
  double h[hidden], c[hidden], gate[4 * hidden];
  for (int i = 0; i < hidden; i++) h[i] = c[i] = 0;
  for (int t = 0; t < length; t++) {
    for (int i = 0; i < 4 * hidden; i++) {
      gate[i] = b[i];
      for (int j = 0; j < inputs; j++) gate[i] += W[i * inputs + j] * x[t * inputs + j];
      for (int j = 0; j < hidden; j++) gate[i] += U[i * hidden + j] * h[j];
    }
    for (int i = 0; i < hidden; i++) {
      c[i] = sigmoid(gate[i]) * c[i] + sigmoid(gate[hidden + i]) * tanh(gate[3 * hidden + i]);
      h[i] = sigmoid(gate[2 * hidden + i]) * tanh(c[i]);
    }
  }
  double loss = 0;
  for (int i = 0; i < hidden; i++) loss += h[i] * h[i];
  return loss;
}

// The values of all gates, and cells and outputs after each step (row 0: before the first).
struct tape {
  double *gates, *cells, *outputs;
};

static void forward(const double *W, const double *U, const double *b, const double *x, int t, int inputs, int hidden,
                    struct tape *tape) {
  FREE_SUMS
  double *g = tape->gates + (long)t * 4 * hidden;
  const double *h = tape->outputs + (long)t * hidden, *c = tape->cells + (long)t * hidden;
  double *next_h = tape->outputs + (long)(t + 1) * hidden, *next_c = tape->cells + (long)(t + 1) * hidden;
  for (int i = 0; i < 4 * hidden; i++) {
    const double *u = U + (long)i * hidden;
    double s = b[i];
    for (int j = 0; j < inputs; j++) s += W[i * inputs + j] * x[t * inputs + j];
    for (int j = 0; j < hidden; j++) s += u[j] * h[j];
    g[i] = i < 3 * hidden ? sigmoid(s) : tanh(s);
  }
  for (int i = 0; i < hidden; i++) {
    next_c[i] = g[i] * c[i] + g[hidden + i] * g[3 * hidden + i];
    next_h[i] = g[2 * hidden + i] * tanh(next_c[i]);
  }
}

// dh and dc go from after step t to before it. Gates are replaced by the adjoints of their arguments.
static void backward(const double *U, int t, int hidden, struct tape *tape, double *restrict dh, double *restrict dc) {
  double *g = tape->gates + (long)t * 4 * hidden;
  const double *c = tape->cells + (long)t * hidden, *next_h = tape->outputs + (long)(t + 1) * hidden;
  for (int i = 0; i < hidden; i++) {
    double forget = g[i], in = g[hidden + i], out = g[2 * hidden + i], candidate = g[3 * hidden + i];
    double squashed = next_h[i] / out;
    double d = dc[i] + dh[i] * out * (1 - squashed * squashed);
    g[2 * hidden + i] = dh[i] * squashed * out * (1 - out);
    g[i] = d * c[i] * forget * (1 - forget);
    g[hidden + i] = d * candidate * in * (1 - in);
    g[3 * hidden + i] = d * in * (1 - candidate * candidate);
    dc[i] = d * forget;
    dh[i] = 0;
  }
  for (int i = 0; i < 4 * hidden; i += 4) { // hidden rows of four gates: a multiple of four
    const double *u = U + (long)i * hidden;
    for (int j = 0; j < hidden; j++)
      dh[j] += g[i] * u[j] + g[i + 1] * u[hidden + j] + g[i + 2] * u[2 * hidden + j] + g[i + 3] * u[3 * hidden + j];
  }
}

// The sums over time of products of gates' adjoints with inputs and outputs are products of matrices at the end.
static void by_hand(const double *W, double *dW, const double *U, double *dU, const double *b, double *db,
                    const double *x, int length, int inputs, int hidden) {
  long rows = length + 1;
  double *memory = malloc((6 * rows * hidden + 2 * hidden) * sizeof(double)), *dh, *dc;
  struct tape tape = {memory, memory + 4 * rows * hidden, memory + 5 * rows * hidden};
  dh = memory + 6 * rows * hidden;
  dc = dh + hidden;
  memset(tape.cells, 0, hidden * sizeof(double));
  memset(tape.outputs, 0, hidden * sizeof(double));
  for (int t = 0; t < length; t++) forward(W, U, b, x, t, inputs, hidden, &tape);
  for (int i = 0; i < hidden; i++) {
    dh[i] = 2 * tape.outputs[(long)length * hidden + i];
    dc[i] = 0;
  }
  for (int t = length - 1; t >= 0; t--) backward(U, t, hidden, &tape, dh, dc);
  add_product(4 * hidden, hidden, length, tape.gates, 1, 4 * hidden, tape.outputs, hidden, dU, hidden, 1);
  for (int t = 0; t < length; t++)
    for (int i = 0; i < 4 * hidden; i++) {
      double g = tape.gates[(long)t * 4 * hidden + i];
      db[i] += g;
      for (int j = 0; j < inputs; j++) dW[i * inputs + j] += g * x[t * inputs + j];
    }
  free(memory);
}

void set_up(void) {
  length = size(40, 6);
  inputs = size(4, 3);
  hidden = size(256, 9);
  ACTIVE(W, 4 * hidden * inputs, -0.1, 0.1);
  ACTIVE(U, 4 * hidden * hidden, -0.1, 0.1);
  ACTIVE(b, 4 * hidden, -0.1, 0.1);
  DATA(x, length * inputs, -1, 1);
}

PROGRAM(value = lstm(W, U, b, x, length, inputs, hidden),
        __enzyme_autodiff((void *)lstm, enzyme_dup, W, dW, enzyme_dup, U, dU, enzyme_dup, b, db, enzyme_const, x, length,
                          inputs, hidden),
        by_hand(W, dW, U, dU, b, db, x, length, inputs, hidden))
