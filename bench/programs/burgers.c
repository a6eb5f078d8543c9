// burgers: steps of Burgers' equation on a line, upwind by the sign of u, to and fro between two arrays.
#include "../harness.h"

static double *u, *du, *v, *dv;
static int n, steps;
static const double C = 0.2, D = 0.1;

static void step(const double *restrict u, double *restrict v, int n, double c, double d) {
  v[0] = u[0];
  for (int i = 1; i < n - 1; i++) {
    double right = u[i] > 0 ? u[i] : 0, left = u[i] < 0 ? u[i] : 0;
    v[i] = u[i] - c * (right * (u[i] - u[i - 1]) + left * (u[i + 1] - u[i])) + d * (u[i + 1] - 2 * u[i] + u[i - 1]);
  }
  v[n - 1] = u[n - 1];
}

static void burgers(double *u, double *v, int n, int steps, double c, double d) {
  for (int t = 0; t < steps; t += 2) {
    step(u, v, n, c, d);
    step(v, u, n, c, d);
  }
}

static int most(int a, int b) { return a > b ? a : b; }
static int least(int a, int b) { return a < b ? a : b; }

// The adjoint of what a step reads at i, from that of what it writes.
static double back_at(const double *u, const double *from, int i, int n, double c, double d) {
  double g = from[i];
  if (i > 0 && i < n - 1) g *= 1 - c * (u[i] > 0 ? 2 * u[i] - u[i - 1] : u[i + 1] - 2 * u[i]) - 2 * d;
  if (i + 1 < n - 1) g += (c * (u[i + 1] > 0 ? u[i + 1] : 0) + d) * from[i + 1];
  if (i - 1 > 0) g += (d - c * (u[i - 1] < 0 ? u[i - 1] : 0)) * from[i - 1];
  return g;
}

// The same at begin ... end - 1.
static void back(const double *restrict u, const double *restrict from, double *restrict to, int begin, int end, int n,
                 double c, double d) {
  int i = begin, inner = least(end, n - 2);
  for (; i < 2; i++) to[i] = back_at(u, from, i, n, c, d);
#pragma clang loop vectorize(enable)
  for (int j = i; j < inner; j++) {
    double before = u[j - 1], here = u[j], after = u[j + 1];
    double slope = here > 0 ? here - before : after - here;
    slope += here > 0 ? here : -here;
    double from_right = c * (after > 0 ? after : 0) + d, from_left = d - c * (before < 0 ? before : 0);
    to[j] = (1 - c * slope - 2 * d) * from[j] + from_right * from[j + 1] + from_left * from[j - 1];
  }
  for (i = most(i, inner); i < end; i++) to[i] = back_at(u, from, i, n, c, d);
}

static void step_within(const double *restrict u, double *restrict v, int begin, int end, int n, double c, double d) {
  if (begin == 0) v[0] = u[0];
  if (end == n) v[n - 1] = u[n - 1];
  for (int i = most(begin, 1); i < least(end, n - 1); i++) {
    double right = u[i] > 0 ? u[i] : 0, left = u[i] < 0 ? u[i] : 0;
    v[i] = u[i] - c * (right * (u[i] - u[i - 1]) + left * (u[i + 1] - u[i])) + d * (u[i + 1] - 2 * u[i] + u[i - 1]);
  }
}

// Tiles with all steps of their own: what a tile needs beside it is computed again, so states of one tile are kept at a
// time. Row t of states begins at index `origin`.
static void by_hand(const double *u, double *du, int n, int steps, double c, double d) {
  enum { TILE = 2048 };
  int width = TILE + 4 * steps;
  double *memory = malloc((long)(steps + 2) * width * sizeof(double));
  double *before = malloc(steps * sizeof(double)); // what du was before the tile, which has been overwritten
  for (int a = 0; a < n; a += TILE) {
    int b = least(a + TILE, n), origin = a - 2 * steps;
    double *states = memory - origin, *g[2] = {states + (long)steps * width, states + (long)(steps + 1) * width};
    int low = most(a - 2 * steps + 1, 0), high = least(b + 2 * steps - 1, n);
    memcpy(states + low, u + low, (high - low) * sizeof *u);
    for (int t = 1; t < steps; t++)
      step_within(states + (long)(t - 1) * width, states + (long)t * width, most(a - 2 * steps + 1 + t, 0),
                  least(b + 2 * steps - 1 - t, n), n, c, d);
    memcpy(g[steps % 2] + a, du + a, (least(b + steps, n) - a) * sizeof *u);
    if (a > 0) memcpy(g[steps % 2] + a - steps, before, steps * sizeof *u);
    memcpy(before, du + b - steps, steps * sizeof *u);
    for (int t = steps - 1; t >= 0; t--)
      back(states + (long)t * width, g[(t + 1) % 2], g[t % 2], most(a - t, 0), least(b + t, n), n, c, d);
    memcpy(du + a, g[0] + a, (b - a) * sizeof *u);
  }
  free(memory), free(before);
}

void set_up(void) {
  n = size(1500000, 5000);
  steps = size(10, 6);
  INOUT(u, n, -1, 1);
  WORK(v, n);
}

PROGRAM(burgers(u, v, n, steps, C, D),
        __enzyme_autodiff((void *)burgers, enzyme_dup, u, du, enzyme_dup, v, dv, n, steps, enzyme_const, C,
                          enzyme_const, D),
        by_hand(u, du, n, steps, C, D))
