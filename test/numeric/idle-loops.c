// RUN: %numeric %s
// Inner loops whose results are chosen or not: the reverse sweep passes by those that have nothing to pass on.
#include "check.h"

// the nearest of several points
static double nearest(double *x, int n) {
  double cost = 0;
  for (int i = 0; i < n; i++) {
    double least = 1e300;
    for (int c = 0; c < n; c++) {
      double distance = 0;
      for (int j = 0; j < n; j++) {
        double d = x[j] * (i + 1) - x[(c + j) % n] * (c + 2);
        distance += d * d;
      }
      if (distance < least) least = distance;
    }
    cost += sqrt(least);
  }
  return cost;
}
CHECK_SCALAR_N(nearest, DIFFERENCES, RANGE(6))

// the largest of some norms, of which others are 0, where the root has no derivative
static double largest(double *x, int n) {
  double most = 0;
  for (int c = 0; c < n; c++) {
    double square = 0;
    for (int j = 0; j < n; j++) square += x[j] * x[j] * (c % 3) * (c + j);
    double norm = sqrt(square);
    most = norm > most ? norm : most;
  }
  return most;
}
CHECK_SCALAR_N(largest, DIFFERENCES, RANGE(7))

// two sums of one loop: of one or the other, or of both, something is passed on
static double either(double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    double a = 0, b = 1;
    for (int j = 0; j < n; j++) {
      a += x[j] * x[i];
      b *= 1 + 0.1 * sin(x[j] + i) * a;
    }
    if (i % 3 == 0) sum += a * a;
    if (x[i] > 0.8) sum += b * x[i];
    if (i % 4 == 1) sum += a * b;
  }
  return sum;
}
CHECK_SCALAR_N(either, DIFFERENCES, RANGE(9))

// chosen, and used by all as well
static double chosen_and_used(double *x, int n) {
  double sum = 0, most = -1;
  for (int i = 0; i < n; i++) {
    double s = 0, product = 1;
    for (int j = 0; j < n; j++) s += x[(i + j) % n] * x[j] * (i + 1);
    for (int j = 0; j < n; j++) product *= x[j] + s * 0.01;
    if (s > most) most = s;
    sum += (s < 6 ? 0 : product) + 0.1 * s;
  }
  return sum * most;
}
CHECK_SCALAR_N(chosen_and_used, DIFFERENCES, RANGE(6))

// a state that goes on from one inner loop to the next, read out now and then
static double now_and_then(double *x, int n) {
  double state = 0.5, sum = 0;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) state = sin(state * x[j]) + 0.1 * x[i];
    if (i % 3 == 1) sum += state * state;
    if (i % 3 == 2) state = x[i];
  }
  return sum;
}
CHECK_SCALAR_N(now_and_then, DIFFERENCES, RANGE(9))

// nothing at all is passed on
static double nothing(double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    double s = 0;
    for (int j = 0; j < n; j++) s += x[j] * x[j];
    if (s < 0) sum += s;
  }
  return sum + x[0];
}
CHECK_SCALAR_N(nothing, DIFFERENCES, RANGE(5))
