// RUN: %numeric %s
// switch with fall-through, default in the middle, break and continue from inside; goto forward.
#include "check.h"

static double fall_through(double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    switch (i % 5) {
    case 0: s += x[i];
    case 1: s *= 1 + x[i]; break;
    case 3: s -= x[i] * x[i]; break;
    default: s += sin(x[i]);
    case 7: s += 2 * x[i];
    }
  }
  return s;
}
CHECK_SCALAR_N(fall_through, DIFFERENCES, RANGE(12))

static double chooses(double *x, int n) {
  double r = 0;
  for (int i = 0; i < n; i++) {
    double v = x[i];
    switch ((int)(v * 4)) {
    case 2: v = v * v; break;
    case 3: continue;
    case 4: v = exp(-v); break;
    case 5: v *= x[0];
    }
    r = r * 0.5 + v;
  }
  return r;
}
CHECK_SCALAR_N(chooses, DIFFERENCES, RANGE(12))

static double jumps(double *x, int n) {
  double y = x[0];
  if (n < 2) goto done;
  y *= x[1];
  if (x[1] > 1) goto scale;
  y += x[0];
  goto done;
scale:
  y *= x[0];
done:
  return y * y;
}
CHECK_SCALAR_N(jumps, DIFFERENCES, POINT(0.7, 1.5))
static double jumps_2(double *x, int n) { return jumps(x, n); }
CHECK_SCALAR_N(jumps_2, DIFFERENCES, POINT(0.7, 0.5))
static double jumps_3(double *x, int n) { return jumps(x, n); }
CHECK_SCALAR_N(jumps_3, DIFFERENCES, POINT(0.7))
