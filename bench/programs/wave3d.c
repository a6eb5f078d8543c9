// wave3d: leapfrog steps of the wave equation in a box with a fixed rim, where the coefficient is 0; each step
// overwrites the older of two grids.
#include "../harness.h"

static double *a, *da, *b, *db, *c;
static int n, steps;

static void step(double *restrict old, const double *restrict u, const double *restrict c, int n) {
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++)
      for (int k = 1; k < n - 1; k++) {
        int at = (i * n + j) * n + k;
        old[at] = 2 * u[at] - old[at] +
                  c[at] * (u[at - 1] + u[at + 1] + u[at - n] + u[at + n] + u[at - n * n] + u[at + n * n] - 6 * u[at]);
      }
}

static void wave3d(double *a, double *b, const double *c, int n, int steps) {
  for (int t = 0; t < steps; t += 2) {
    step(a, b, c, n);
    step(b, a, c, n);
  }
}

// What a step's result passes on to a point of the rim: through the one neighbour that is not in the rim, if any.
static void rim_point(const double *g, double *du, const double *c, int n, int i, int j, int k) {
  int at = (i * n + j) * n + k, edges = (i == 0 || i == n - 1) + (j == 0 || j == n - 1) + (k == 0 || k == n - 1);
  if (edges != 1) return;
  int inner = at + (i == 0 ? n * n : i == n - 1 ? -n * n : 0) + (j == 0 ? n : j == n - 1 ? -n : 0) +
              (k == 0 ? 1 : k == n - 1 ? -1 : 0);
  du[at] += c[inner] * g[inner];
}

static void rim(const double *g, double *du, const double *c, int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      int whole = i == 0 || i == n - 1 || j == 0 || j == n - 1;
      for (int k = 0; k < n; k += whole ? 1 : n - 1) rim_point(g, du, c, n, i, j, k);
    }
}

// From the adjoint g of what a step writes to that of u. That of the old grid is -g, which is left to the step before:
// there g is du, and negated on the way.
static void back(const double *restrict g, double *restrict du, const double *restrict c, int n, double sign) {
  long plane = (long)n * n;
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++) {
      long row = (long)(i * n + j) * n;
      const double *s = g + row, *w = c + row;
      double *d = du + row;
      for (int k = 1; k < n - 1; k++)
        d[k] = sign * d[k] + (2 - 6 * w[k]) * s[k] + w[k - 1] * s[k - 1] + w[k + 1] * s[k + 1] + w[k - n] * s[k - n] +
               w[k + n] * s[k + n] + w[k - plane] * s[k - plane] + w[k + plane] * s[k + plane];
    }
  rim(g, du, c, n);
}

static void by_hand(double *da, double *db, const double *c, int n, int steps) {
  for (int t = 0; t < steps; t += 2) {
    back(db, da, c, n, t == 0 ? 1 : -1);
    back(da, db, c, n, -1);
  }
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++)
      for (int k = 1; k < n - 1; k++) da[(i * n + j) * n + k] *= -1;
}

void set_up(void) {
  n = size(128, 9);
  steps = 4;
  INOUT(a, n * n * n, -1, 1);
  INOUT(b, n * n * n, -1, 1);
  DATA(c, n * n * n, 0.1, 0.2);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        if (i % (n - 1) == 0 || j % (n - 1) == 0 || k % (n - 1) == 0) c[(i * n + j) * n + k] = 0;
}

PROGRAM(wave3d(a, b, c, n, steps),
        __enzyme_autodiff((void *)wave3d, enzyme_dup, a, da, enzyme_dup, b, db, enzyme_const, c, n, steps),
        by_hand(da, db, c, n, steps))
