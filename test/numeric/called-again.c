// RUN: %numeric %s
// Gradients called again and again: nothing is left behind, memory does not grow.
#include "check.h"

#include <sys/resource.h>

static double f(const double *x, int n) {
  double s = 1;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) s = s * 0.5 + sin(s * x[i]) * x[j];
  return s;
}
static double g_while(const double *x, int n) {
  double s = 0.1;
  while (s < 20) s = s * (1.2 + 0.1 * sin(x[0] * s)) + 0.1 * x[n - 1];
  return s;
}

static void many(int times, double *sum) {
  double x[4] = {0.3, 0.7, 1.1, 0.2};
  for (int t = 0; t < times; t++) {
    double g[4] = {0};
    __pardiff_autodiff((void *)f, pardiff_dup, x, g, opaque(4));
    __pardiff_autodiff((void *)g_while, pardiff_dup, x, g, opaque(4));
    for (int i = 0; i < 4; i++) sum[i] = g[i];
  }
}

CHECK_BY_HAND(does_not_grow) {
  int times = getenv("SHORT") ? 1000 : 1000000;
  double first[4], last[4];
  struct rusage before, after;
  many(1000, first);
  getrusage(RUSAGE_SELF, &before);
  many(times, last);
  getrusage(RUSAGE_SELF, &after);
  for (int i = 0; i < 4; i++) near_to("same bits", last[i], first[i], 0);
  expect("peak memory grows by less than 1 MiB", getenv("SHORT") || after.ru_maxrss - before.ru_maxrss < 1024);
}

CHECK_BY_HAND(sizes_up_and_down) {
  static double x[200], g[200], h[200];
  for (int i = 0; i < 200; i++) x[i] = 0.3 + 0.001 * i;
  int sizes[6] = {3, 200, 1, 40, 0, 3};
  for (int k = 0; k < 6; k++) {
    memset(g, 0, sizeof g);
    __pardiff_autodiff((void *)f, pardiff_dup, x, g, opaque(sizes[k]));
    if (k == 0) memcpy(h, g, sizeof h);
  }
  for (int i = 0; i < 3; i++) near_to("same bits after other sizes", g[i], h[i], 0);
}
CHECK_SCALAR_N(f, DIFFERENCES, POINT(0.3, 0.7, 1.1, 0.2))
CHECK_SCALAR_N(g_while, DIFFERENCES, POINT(0.3, 0.7, 1.1, 0.2))
