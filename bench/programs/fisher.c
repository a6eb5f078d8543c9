// fisher: a population that grows and spreads (Fisher's equation), by many small steps with a few snapshots of its state, with
// respect to where it starts and how it grows.
#include "../harness.h"
#include "../lanes.h"

static double *u, *du, *rate, *drate;
static int n, steps, snapshots;
static const double D = 0.2;

#if VARIANT == GRADIENT
void __pardiff_checkpoint(long snapshots);
#else
#define __pardiff_checkpoint(snapshots) ((void)0)
#endif

static void fisher(double *restrict u, const double *restrict rate, int n, int steps, int snapshots, double d) {
  double *v = malloc(n * sizeof *v);
  for (int t = 0; t < steps; t++) {
    __pardiff_checkpoint(snapshots);
    for (int i = 1; i < n - 1; i++) v[i] = u[i] + d * (u[i - 1] - 2 * u[i] + u[i + 1]) + rate[i] * u[i] * (1 - u[i]);
    for (int i = 1; i < n - 1; i++) u[i] = v[i];
  }
  free(v);
}

static void forward(const double *restrict u, const double *restrict rate, double *restrict next, int n, double d) {
  next[0] = u[0];
  for (int i = 1; i < n - 1; i++) next[i] = u[i] + d * (u[i - 1] - 2 * u[i] + u[i + 1]) + rate[i] * u[i] * (1 - u[i]);
  next[n - 1] = u[n - 1];
}

// dv goes from after a step to before it; dw is a border wider on both sides.
static void backward(const double *restrict u, const double *restrict rate, double *restrict dw, double *restrict dv,
                     double *restrict drate, int n, double d) {
  for (int i = 1; i < n - 1; i++) {
    drate[i] += dv[i] * u[i] * (1 - u[i]);
    dw[i] = dv[i];
  }
  dv[0] += d * dw[1];
  for (int i = 1; i < n - 1; i++) dv[i] = dw[i] * (1 - 2 * d + rate[i] * (1 - 2 * u[i])) + d * (dw[i - 1] + dw[i + 1]);
  dv[n - 1] += d * dw[n - 2];
}

// The steps from `from` up to `to` are reversed with the state before `from` and so many other copies.
static void revolve(double *states, double *spare, const double *rate, double *dw, double *dv, double *drate, int n, double d,
                    int from, int to, int copies) {
  while (to - from > 1) {
    long reach = 1, runs = 0, behind = 1; // with `copies` more and each step run `runs` times, so many steps are reversed
    while (reach < to - from) {
      runs++;
      reach = reach * (copies + 1 + runs) / runs;
      behind = copies == 0 ? 1 : behind * (copies + runs) / runs;
    }
    int middle = copies == 0 ? to - 1 : from + (behind < to - from ? to - from - behind : 1);
    if (middle == from) middle++;
    double *at = copies == 0 ? spare : states + n;
    memcpy(at, states, n * sizeof(double));
    double *a = at, *b = spare + n;
    for (int t = from; t < middle; t++) {
      forward(a, rate, b, n, d);
      double *other = a;
      a = b, b = other;
    }
    if (a != at) memcpy(at, a, n * sizeof(double));
    if (copies == 0) backward(at, rate, dw, dv, drate, n, d);
    else revolve(at, spare, rate, dw, dv, drate, n, d, middle, to, copies - 1);
    to = middle;
  }
  backward(states, rate, dw, dv, drate, n, d);
}

static void by_hand(const double *u, double *du, const double *rate, double *drate, int n, int steps, int snapshots, double d) {
  double *memory = calloc((long)(snapshots + 3) * n, sizeof(double));
  memcpy(memory, u, n * sizeof(double));
  double *spare = memory + (long)snapshots * n, *dw = spare + 2L * n;
  revolve(memory, spare, rate, dw, du, drate, n, d, 0, steps, snapshots - 1);
  free(memory);
}

void set_up(void) {
  n = size(20000, 100);
  steps = size(400, 17);
  snapshots = size(8, 3);
  INOUT(u, n, 0.1, 0.5);
  ACTIVE(rate, n, 0.01, 0.1);
}

PROGRAM(fisher(u, rate, n, steps, snapshots, D),
        __enzyme_autodiff((void *)fisher, enzyme_dup, u, du, enzyme_dup, rate, drate, n, steps, snapshots, enzyme_const, D),
        by_hand(u, du, rate, drate, n, steps, snapshots, D))
