// ode: logistic growth of many populations by steps of the classical Runge-Kutta method, with respect to their rates
// and starts.
#include "../harness.h"
#include "../lanes.h"

static double *y, *dy, *rate, *drate;
static int n, steps;
static const double H = 0.05;

static double slope(double rate, double y) { return rate * y * (1 - y); }

static void ode(double *restrict y, const double *restrict rate, int n, int steps, double h) {
  for (int t = 0; t < steps; t++)
    for (int i = 0; i < n; i++) {
      double k1 = slope(rate[i], y[i]);
      double k2 = slope(rate[i], y[i] + 0.5 * h * k1);
      double k3 = slope(rate[i], y[i] + 0.5 * h * k2);
      double k4 = slope(rate[i], y[i] + h * k3);
      y[i] += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    }
}

enum { GROUP = 4 }; // vectors that go together, to fill the time that one takes to come out

static inline void forward(const lanes *rate, const lanes *y, lanes *next, double h) {
  for (int v = 0; v < GROUP; v++) {
    lanes r = rate[v], k1 = r * y[v] * (1 - y[v]), y2 = y[v] + 0.5 * h * k1, k2 = r * y2 * (1 - y2);
    lanes y3 = y[v] + 0.5 * h * k2, k3 = r * y3 * (1 - y3), y4 = y[v] + h * k3, k4 = r * y4 * (1 - y4);
    next[v] = y[v] + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
}

static inline void backward(const lanes *rate, const lanes *y, lanes *dy, lanes *drate, double h) {
  for (int v = 0; v < GROUP; v++) {
    lanes r = rate[v], p1 = y[v] * (1 - y[v]), y2 = y[v] + 0.5 * h * r * p1, p2 = y2 * (1 - y2);
    lanes y3 = y[v] + 0.5 * h * r * p2, p3 = y3 * (1 - y3), y4 = y[v] + h * r * p3, p4 = y4 * (1 - y4);
    lanes d4 = h / 6 * dy[v], dy4 = d4 * r * (1 - 2 * y4);
    lanes d3 = h / 3 * dy[v] + h * dy4, dy3 = d3 * r * (1 - 2 * y3);
    lanes d2 = h / 3 * dy[v] + 0.5 * h * dy3, dy2 = d2 * r * (1 - 2 * y2);
    lanes d1 = h / 6 * dy[v] + 0.5 * h * dy2;
    drate[v] += d1 * p1 + d2 * p2 + d3 * p3 + d4 * p4;
    dy[v] += dy4 + dy3 + dy2 + d1 * r * (1 - 2 * y[v]);
  }
}

// Populations do not meet, so a few go through all steps and back before the next: their states stay in the cache.
static void by_hand(const double *y, double *dy, const double *rate, double *drate, int n, int steps, double h) {
  enum { WIDE = GROUP * LANES };
  lanes *states = aligned_alloc(64, (long)(steps + 1) * GROUP * sizeof(lanes));
  for (int i = 0; i < n; i += WIDE) {
    long bytes = (n - i < WIDE ? n - i : WIDE) * sizeof(double);
    lanes r[GROUP] = {0}, d[GROUP] = {0}, dr[GROUP] = {0};
    memset(states, 0, WIDE * sizeof(double));
    memcpy(states, y + i, bytes);
    memcpy(r, rate + i, bytes);
    memcpy(d, dy + i, bytes);
    memcpy(dr, drate + i, bytes);
    for (int t = 0; t < steps; t++) forward(r, states + t * GROUP, states + (t + 1) * GROUP, h);
    for (int t = steps - 1; t >= 0; t--) backward(r, states + t * GROUP, d, dr, h);
    memcpy(dy + i, d, bytes);
    memcpy(drate + i, dr, bytes);
  }
  free(states);
}

void set_up(void) {
  n = size(100000, 100);
  steps = size(100, 7);
  INOUT(y, n, 0.1, 0.5);
  ACTIVE(rate, n, 0.5, 1.5);
}

PROGRAM(ode(y, rate, n, steps, H),
        __enzyme_autodiff((void *)ode, enzyme_dup, y, dy, enzyme_dup, rate, drate, n, steps, enzyme_const, H),
        by_hand(y, dy, rate, drate, n, steps, H))
