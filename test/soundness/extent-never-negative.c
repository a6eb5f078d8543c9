// Rule: points are numbered by sums of extents only where no extent can be negative. The rows below have i - 3 or n - 2 i
// elements, or none where that is less than none; sums of these numbers go down again, and without the rule rows share
// places or have theirs outside the tape.
// RUN: %numeric %s
#define STEP 2e-4
#include "check.h"

static double later(double *x, int n) {
  double s = 1;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i - 3; j++) s = s * 0.5 + sin(s * x[j]) * x[i];
  return s;
}
static double earlier(double *x, int n) {
  double s = 1;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n - 2 * i; j++) s = s * 0.5 + sin(s * x[j]) * x[i];
  return s;
}
static double wide(double *x, int n) {
  double s = 1;
  long from = opaque(-4);
  for (long i = 0; i < n; i++)
    for (long j = 0; j < from + i; j++) s = s * 0.5 + sin(s * x[j]) * x[i];
  return s;
}
CHECK_SCALAR_N(later, DIFFERENCES, RANGE(8))
CHECK_SCALAR_N(earlier, DIFFERENCES, RANGE(8))
CHECK_SCALAR_N(wide, DIFFERENCES, RANGE(8))
