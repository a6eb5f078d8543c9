// march: logistic growth of many populations as in `ode`, all of them step by step, and by so many steps that a few snapshots of
// their state are kept, with respect to their rates and starts.
#include "../harness.h"
#include "../lanes.h"

static double *y, *dy, *rate, *drate;
static int n, steps, snapshots;
static const double H = 0.05;

#if VARIANT == GRADIENT
void __pardiff_checkpoint(long snapshots);
#else
#define __pardiff_checkpoint(snapshots) ((void)0)
#endif

static double slope(double rate, double y) { return rate * y * (1 - y); }

static void march(double *restrict y, const double *restrict rate, int n, int steps, int snapshots, double h) {
  for (int t = 0; t < steps; t++) {
    __pardiff_checkpoint(snapshots);
    for (int i = 0; i < n; i++) {
      double k1 = slope(rate[i], y[i]);
      double k2 = slope(rate[i], y[i] + 0.5 * h * k1);
      double k3 = slope(rate[i], y[i] + 0.5 * h * k2);
      double k4 = slope(rate[i], y[i] + h * k3);
      y[i] += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    }
  }
}

static void forward(double *restrict y, const double *restrict rate, int n, double h) {
  for (int i = 0; i < n; i++) {
    double k1 = slope(rate[i], y[i]), k2 = slope(rate[i], y[i] + 0.5 * h * k1);
    double k3 = slope(rate[i], y[i] + 0.5 * h * k2), k4 = slope(rate[i], y[i] + h * k3);
    y[i] += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
}

static void backward(const double *restrict y, const double *restrict rate, double *restrict dy, double *restrict drate, int n,
                     double h) {
  for (int i = 0; i < n; i++) {
    double r = rate[i], p1 = y[i] * (1 - y[i]), y2 = y[i] + 0.5 * h * r * p1, p2 = y2 * (1 - y2);
    double y3 = y[i] + 0.5 * h * r * p2, p3 = y3 * (1 - y3), y4 = y[i] + h * r * p3, p4 = y4 * (1 - y4);
    double d4 = h / 6 * dy[i], dy4 = d4 * r * (1 - 2 * y4);
    double d3 = h / 3 * dy[i] + h * dy4, dy3 = d3 * r * (1 - 2 * y3);
    double d2 = h / 3 * dy[i] + 0.5 * h * dy3, dy2 = d2 * r * (1 - 2 * y2);
    double d1 = h / 6 * dy[i] + 0.5 * h * dy2;
    drate[i] += d1 * p1 + d2 * p2 + d3 * p3 + d4 * p4;
    dy[i] += dy4 + dy3 + dy2 + d1 * r * (1 - 2 * y[i]);
  }
}

// The steps from `from` up to `to` are reversed, with so many copies: the first is the state before `from`. One place more is to work in.
static void revolve(double *states, const double *rate, double *dy, double *drate, int n, double h, int from, int to, int copies) {
  for (; to > from; to--) {
    long reach = 1, behind = 1; // what can be reversed with the copies if steps are run so many times, and what behind the next copy
    for (long runs = 1; reach < to - from; runs++) {
      reach = reach * (copies + runs) / runs;
      behind = behind * (copies - 1 + runs) / runs;
    }
    int middle = copies == 1 ? to - 1 : behind < to - from ? to - (int)behind : from + 1;
    if (to - from == 1) {
      backward(states, rate, dy, drate, n, h);
      continue;
    }
    memcpy(states + n, states, n * sizeof(double));
    for (int t = from; t < middle; t++) forward(states + n, rate, n, h);
    revolve(states + n, rate, dy, drate, n, h, middle, to, copies - 1);
    to = middle + 1;
  }
}

static void by_hand(const double *y, double *dy, const double *rate, double *drate, int n, int steps, int snapshots, double h) {
  double *states = malloc((snapshots + 1l) * n * sizeof *states);
  memcpy(states, y, n * sizeof(double));
  revolve(states, rate, dy, drate, n, h, 0, steps, snapshots);
  free(states);
}

void set_up(void) {
  n = size(20000, 100);
  steps = size(400, 17);
  snapshots = size(8, 3);
  INOUT(y, n, 0.1, 0.5);
  ACTIVE(rate, n, 0.5, 1.5);
}

PROGRAM(march(y, rate, n, steps, snapshots, H),
        __enzyme_autodiff((void *)march, enzyme_dup, y, dy, enzyme_dup, rate, drate, n, steps, snapshots, enzyme_const, H),
        by_hand(y, dy, rate, drate, n, steps, snapshots, H))
