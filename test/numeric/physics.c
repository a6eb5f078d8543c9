// RUN: %numeric %s
// Longer programs: an oscillator by Runge-Kutta, pair forces, a Horner polynomial, a filter.
#include "check.h"

static double oscillator(double *x, int n) { // Van der Pol, stiffness x[2], classical Runge-Kutta
  double q = x[0], p = x[1], mu = x[2], h = 0.05;
  for (int t = 0; t < 20; t++) {
    double k1 = p, l1 = mu * (1 - q * q) * p - q;
    double q2 = q + h / 2 * k1, p2 = p + h / 2 * l1, k2 = p2, l2 = mu * (1 - q2 * q2) * p2 - q2;
    double q3 = q + h / 2 * k2, p3 = p + h / 2 * l2, k3 = p3, l3 = mu * (1 - q3 * q3) * p3 - q3;
    double q4 = q + h * k3, p4 = p + h * l3, k4 = p4, l4 = mu * (1 - q4 * q4) * p4 - q4;
    q += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    p += h / 6 * (l1 + 2 * l2 + 2 * l3 + l4);
  }
  return q * q + p;
}
CHECK_SCALAR_N(oscillator, DIFFERENCES, POINT(1.1, 0.3, 0.8))

static double pairs(double *x, int n) { // n / 3 particles, the potential energy of all pairs
  double e = 0;
  int count = n / 3;
  for (int i = 0; i < count; i++)
    for (int j = 0; j < count; j++) {
      if (i == j) continue;
      double r2 = 0.1;
      for (int k = 0; k < 3; k++) {
        double d = x[3 * i + k] - x[3 * j + k];
        r2 += d * d;
      }
      e += 1 / (r2 * r2) - 1 / r2;
    }
  return e;
}
CHECK_SCALAR_N(pairs, DIFFERENCES, RANGE(15))

static double horner(double *x, int n) {
  double y = 0;
  for (int i = n - 1; i > 0; i--) y = y * x[0] + x[i];
  return y;
}
CHECK_SCALAR_N(horner, DIFFERENCES, RANGE(7))

static double filter(double *x, int n) {
  double state = 0, s = 0;
  for (int i = 2; i < n; i++) {
    state += x[0] * (x[i] - state);
    s += state > 0.9 ? (state - 0.9) * x[1] : state * state;
  }
  return s;
}
CHECK_SCALAR_N(filter, DIFFERENCES, RANGE(12))

static double leapfrog(double *x, int n) { // arrays advanced in time
  double q[4], p[4];
  for (int i = 0; i < 4; i++) q[i] = x[i], p[i] = x[4 + i];
  for (int t = 0; t < 10; t++) {
    for (int i = 0; i < 4; i++) p[i] -= 0.1 * sin(q[i]) * (1 + 0.2 * q[(i + 1) & 3]);
    for (int i = 0; i < 4; i++) q[i] += 0.1 * p[i];
  }
  double s = 0;
  for (int i = 0; i < 4; i++) s += p[i] * p[i] + cos(q[i]);
  return s;
}
CHECK_SCALAR_N(leapfrog, DIFFERENCES, RANGE(8))
