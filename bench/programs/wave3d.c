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

// What a step's result passes on to two opposite faces of the rim: from the points beside them. Strides: `across` from
// face to face, `down` and `along` within one.
static void faces(const double *restrict g, double *restrict du, const double *restrict c, int n, long across, long down,
                  long along) {
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++) {
      long first = i * down + j * along, last = first + (n - 1) * across;
      du[first] += c[first + across] * g[first + across];
      du[last] += c[last - across] * g[last - across];
    }
}

// A row of du from that of g and the products c g around it.
static void row_back(const double *restrict g, double *restrict du, const double *restrict q, const double *restrict before,
                     const double *restrict after, int n, double sign) {
  for (int k = 1; k < n - 1; k++)
    du[k] = sign * du[k] + 2 * g[k] - 6 * q[k] + q[k - 1] + q[k + 1] + q[k - n] + q[k + n] + before[k] + after[k];
}

// From the adjoint g of what a step writes to that of u. That of the old grid is -g, which is left to the step before:
// there g is du, and negated on the way. Products c g are had for three planes at a time.
static void back(const double *restrict g, double *restrict du, const double *restrict c, double *planes, int n,
                 double sign) {
  long plane = (long)n * n;
  double *q[3] = {planes, planes + plane, planes + 2 * plane};
  for (int i = 0; i < n; i++) {
    for (long at = 0; at < plane; at++) q[i % 3][at] = c[i * plane + at] * g[i * plane + at];
    for (int j = 1; i >= 2 && j < n - 1; j++) {
      long at = (i - 1) * plane + j * n;
      row_back(g + at, du + at, q[(i - 1) % 3] + j * n, q[(i - 2) % 3] + j * n, q[i % 3] + j * n, n, sign);
    }
  }
  faces(g, du, c, n, plane, n, 1);
  faces(g, du, c, n, n, plane, 1);
  faces(g, du, c, n, 1, plane, n);
}

static void by_hand(double *da, double *db, const double *c, int n, int steps) {
  double *planes = malloc(3L * n * n * sizeof(double));
  for (int t = 0; t < steps; t += 2) {
    back(db, da, c, planes, n, t == 0 ? 1 : -1);
    back(da, db, c, planes, n, -1);
  }
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++)
      for (int k = 1; k < n - 1; k++) da[(i * n + j) * n + k] *= -1;
  free(planes);
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
