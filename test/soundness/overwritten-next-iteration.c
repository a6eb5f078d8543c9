// Rule: "overwritten later" is asked from the load to the reverse sweep, back edges included, whatever alias analysis says
// of one iteration. In each iteration below the read and the written element differ; the next iteration overwrites what
// this one read. Without the rule x[i + 1] is loaded again in the reverse sweep, where it is 0 (or its new value).
// RUN: %numeric %s
#include "check.h"

static double cleared_behind(double *x, int n) {
  double s = 0;
  for (int i = 0; i + 1 < n; i++) {
    x[i] = 0;
    s += x[i + 1] * x[i + 1];
  }
  return s;
}
static void want(const double *x, const double *w, double *g) {
  g[0] = 0;
  for (int i = 1; i < 6; i++) g[i] = 2 * x[i];
}
CHECK_SCALAR_N(cleared_behind, want, RANGE(6))

static void running_product(double *x, int n) {
  for (int i = 1; i < n; i++) x[i] = x[i] * x[i - 1] + sin(x[i]);
}
CHECK_INPLACE_N(running_product, DIFFERENCES, RANGE(6))
