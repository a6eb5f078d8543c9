// heat: explicit steps of the heat equation on a square, to and fro between two grids with a fixed rim.
#include "../harness.h"

static double *u, *du, *v, *dv;
static int n, steps;
static const double C = 0.2;

static void step(const double *restrict u, double *restrict v, int n, double c) {
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++)
      v[i * n + j] = u[i * n + j] + c * (u[(i - 1) * n + j] + u[(i + 1) * n + j] + u[i * n + j - 1] +
                                         u[i * n + j + 1] - 4 * u[i * n + j]);
}

static void heat(double *u, double *v, int n, int steps, double c) {
  for (int t = 0; t < steps; t += 2) {
    step(u, v, n, c);
    step(v, u, n, c);
  }
}

// The adjoint of the interior is the same stencil on grids whose rim is 0, so the rims of the shadows are moved aside
// and what belongs to them is summed there.
struct rim {
  double *top, *bottom, *left, *right;
};

static void take_rim(double *g, int n, struct rim *r) {
  r->top = malloc(4 * n * sizeof(double));
  r->bottom = r->top + n;
  r->left = r->top + 2 * n;
  r->right = r->top + 3 * n;
  memcpy(r->top, g, n * sizeof *g);
  memcpy(r->bottom, g + (long)(n - 1) * n, n * sizeof *g);
  memset(g, 0, n * sizeof *g);
  memset(g + (long)(n - 1) * n, 0, n * sizeof *g);
  for (int i = 1; i < n - 1; i++) {
    r->left[i] = g[(long)i * n];
    r->right[i] = g[(long)i * n + n - 1];
    g[(long)i * n] = g[(long)i * n + n - 1] = 0;
  }
}

static void give_rim(double *g, int n, struct rim *r) {
  memcpy(g, r->top, n * sizeof *g);
  memcpy(g + (long)(n - 1) * n, r->bottom, n * sizeof *g);
  for (int i = 1; i < n - 1; i++) {
    g[(long)i * n] = r->left[i];
    g[(long)i * n + n - 1] = r->right[i];
  }
  free(r->top);
}

// from is the shadow of what a step has written, to that of what it has read.
static void gather(const double *restrict from, double *restrict to, struct rim *rim, int n, double c, int add) {
  for (int i = 1; i < n - 1; i++) {
    const double *f = from + (long)i * n;
    double *t = to + (long)i * n;
    if (add)
      for (int j = 1; j < n - 1; j++) t[j] += f[j] + c * (f[j - n] + f[j + n] + f[j - 1] + f[j + 1] - 4 * f[j]);
    else
      for (int j = 1; j < n - 1; j++) t[j] = f[j] + c * (f[j - n] + f[j + n] + f[j - 1] + f[j + 1] - 4 * f[j]);
    rim->left[i] += c * f[1];
    rim->right[i] += c * f[n - 2];
  }
  for (int j = 1; j < n - 1; j++) {
    rim->top[j] += c * from[n + j];
    rim->bottom[j] += c * from[(long)(n - 2) * n + j];
  }
}

static void by_hand(double *du, double *dv, int n, int steps, double c) {
  struct rim of_u, of_v;
  take_rim(du, n, &of_u);
  take_rim(dv, n, &of_v);
  for (int t = 0; t < steps; t += 2) {
    gather(du, dv, &of_v, n, c, t == 0);
    gather(dv, du, &of_u, n, c, 0);
  }
  for (int i = 1; i < n - 1; i++) memset(dv + (long)i * n, 0, n * sizeof *dv);
  give_rim(du, n, &of_u);
  give_rim(dv, n, &of_v);
}

void set_up(void) {
  n = size(1000, 19);
  steps = size(10, 4);
  INOUT(u, n * n, -1, 1);
  INOUT(v, n * n, -1, 1);
}

PROGRAM(heat(u, v, n, steps, C),
        __enzyme_autodiff((void *)heat, enzyme_dup, u, du, enzyme_dup, v, dv, n, steps, enzyme_const, C),
        by_hand(du, dv, n, steps, C))
