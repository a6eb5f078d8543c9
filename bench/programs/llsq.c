// llsq: squared residuals of a polynomial at given points, with respect to its coefficients.
#include "../harness.h"
#include "../lanes.h"

static double *x, *dx, *t, *y;
static int n, m;

static double llsq(const double *x, const double *t, const double *y, int n, int m) {
  double loss = 0;
  for (int i = 0; i < n; i++) {
    double s = -y[i], power = 1;
    for (int j = 0; j < m; j++) {
      s += x[j] * power;
      power *= t[i];
    }
    loss += s * s;
  }
  return loss;
}

// Points in lanes, four vectors of them at a time; sums of gradients per lane. Powers are computed again.
static void by_hand(const double *x, double *dx, const double *t, const double *y, int n, int m) {
  enum { WIDE = 4 };
  lanes *sums = calloc(m, sizeof(lanes));
  for (int i = 0; i < n; i += WIDE * LANES) {
    lanes ts[WIDE], s[WIDE], power[WIDE];
    for (int v = 0; v < WIDE; v++)
      for (int l = 0; l < LANES; l++) {
        int at = i + v * LANES + l;
        ts[v][l] = at < n ? t[at] : 0;
        s[v][l] = at < n ? -y[at] : -x[0]; // a residual of 0
        power[v][l] = 1;
      }
    for (int j = 0; j < m; j++)
      for (int v = 0; v < WIDE; v++) {
        s[v] += x[j] * power[v];
        power[v] *= ts[v];
      }
    for (int v = 0; v < WIDE; v++) power[v] = 2 * s[v]; // times the power, from here on
    for (int j = 0; j < m; j++) {
      sums[j] += (power[0] + power[1]) + (power[2] + power[3]);
      for (int v = 0; v < WIDE; v++) power[v] *= ts[v];
    }
  }
  for (int j = 0; j < m; j++) dx[j] += total(sums[j]);
  free(sums);
}

void set_up(void) {
  n = size(50001, 70);
  m = size(128, 9);
  ACTIVE(x, m, -1, 1);
  DATA(t, n, -1, 1);
  DATA(y, n, -1, 1);
}

PROGRAM(value = llsq(x, t, y, n, m),
        __enzyme_autodiff((void *)llsq, enzyme_dup, x, dx, enzyme_const, t, enzyme_const, y, n, m),
        by_hand(x, dx, t, y, n, m))
