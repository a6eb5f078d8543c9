// RUN: %numeric %s
// Inner loops whose number of iterations is known only when they are entered, or only when they are left.
#include "check.h"

static double while_in_for(double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    double t = x[i];
    while (t < 4 + i) t = t * (1 + 0.3 * x[i]) + 0.2 * sin(t);
    s += t * x[n - 1 - i];
  }
  return s;
}
CHECK_SCALAR_N(while_in_for, DIFFERENCES, RANGE(7))

static const int row[] = {0, 3, 3, 4, 9, 9, 11}, column[] = {1, 0, 4, 2, 5, 0, 3, 1, 2, 4, 4};

static double sparse_rows(double *x, int n) { // the product of each row is carried along
  double s = 0;
  for (int i = 0; i < n; i++) {
    double p = 1;
    for (int k = row[i]; k < row[i + 1]; k++) p = p * x[column[k]] + sin(p);
    s += p * s * 0.1 + p;
  }
  return s;
}
CHECK_SCALAR_N(sparse_rows, DIFFERENCES, RANGE(6))

static double while_in_while(double *x, int n) {
  double s = 0.3, t = 1;
  while (s < 9) {
    int k = 0;
    double u = t;
    while (u > 0.2) {
      u *= 0.5 + 0.1 * sin(x[k % n] * s);
      k++;
    }
    s += 0.5 + u * x[0];
    t += 0.4 * x[1] * u;
  }
  return s * t;
}
CHECK_SCALAR_N(while_in_while, DIFFERENCES, RANGE(4))

static double four_deep(double *x, int n) { // counted, running, triangular, running
  double s = 0.1;
  for (int i = 0; i < n; i++) {
    double a = 0.2 + 0.1 * i;
    while (a < 1.5) {
      for (int j = 0; j <= i; j++) {
        double b = x[j];
        do b = b * 0.6 + 0.1 * cos(s * a);
        while (b > 0.45);
        s = 0.8 * s + sin(b + a) * x[i];
      }
      a = a * 1.4 + 0.1 * x[i] * s * s;
    }
  }
  return s;
}
CHECK_SCALAR_N(four_deep, DIFFERENCES, RANGE(5))

static double rows_in_rows(double *x, int n) { // extents known on entry, at two depths, and a constant one inside
  double s = 1;
  for (int i = 0; i < n; i++)
    for (int j = row[i]; j < row[i + 1]; j++)
      for (int k = 0; k < column[j]; k++)
        for (int c = 0; c < 3; c++) s = s * 0.9 + sin(s * x[(j + k + c) % n]);
  return s;
}
CHECK_SCALAR_N(rows_in_rows, DIFFERENCES, RANGE(6))

static double triangle_in_while(double *x, int n) { // a whole triangle for each iteration
  double s = 0.2;
  while (s < 3) {
    double t = 0;
    for (int i = 0; i < n; i++)
      for (int j = i; j < n; j++) t = t * 0.7 + sin(t + x[i] * x[j]);
    s += 0.3 + 0.05 * t * t;
  }
  return s;
}
CHECK_SCALAR_N(triangle_in_while, DIFFERENCES, RANGE(4))

static double growing_rows(double *x, int n) { // rows that grow with the iterations of a loop that is not counted
  double s = 0.2;
  for (int k = 1; s < 6; k++)
    for (int j = 0; j < k; j++) s = s * 0.97 + 0.2 + 0.1 * sin(s * x[j % n]);
  return s;
}
CHECK_SCALAR_N(growing_rows, DIFFERENCES, RANGE(4))

static double left_early(double *x, int n) { // break, continue and return from inner loops
  double s = 0;
  for (int i = 0; i < n; i++) {
    double t = x[i];
    for (int j = 0; j < 1000000; j++) {
      if (t > 3) break;
      if (j % 3 == 1) {
        t += 0.3;
        continue;
      }
      t = t * 1.2 + 0.1 * sin(t * x[j % n]);
      if (t * s > 40) return t * s * x[0];
    }
    s += t * t;
  }
  return s;
}
static double returns_inside(double *x, int n) { return left_early(x, n) + left_early(x + 2, n - 3); }
CHECK_SCALAR_N(left_early, DIFFERENCES, POINT(0.4, 0.5, 1.1))
CHECK_SCALAR_N(returns_inside, DIFFERENCES, POINT(0.4, 0.5, 1.1, 0.7, 0.6))

static double not_entered(double *x, int n) { // branches around ragged loops, zero trips, rows of no length
  double s = 1;
  for (int i = 0; i < n; i++) {
    if (i % 2)
      for (int k = row[i]; k < row[i + 1]; k++) s = s * 0.9 + sin(s * x[k % n]);
    else if (x[i] > 100)
      while (s < 50) s = s * s + x[i];
    for (int k = i; k < 2; k++) {
      double t = x[k];
      while (t > 0.5) t *= t * 0.4;
      s += t * t;
    }
  }
  return s;
}
CHECK_SCALAR_N(not_entered, DIFFERENCES, RANGE(6))

static double exits_of_both(double *x, int n) { // which way each loop was left decides about the next
  double s = 0.5;
  int i = 0;
  while (1) {
    int k = 0;
    double t = s;
    while (1) {
      t = t * 0.8 + 0.2 * sin(x[(i + k) % n]);
      if (++k > 2 + i % 3) break;
      if (t < 0.45) goto low;
    }
    s += t * x[i % n];
    if (++i == 9) break;
    continue;
  low:
    s = s * s * 0.9 + t;
    if (++i == 9) return s * t;
  }
  return s;
}
CHECK_SCALAR_N(exits_of_both, DIFFERENCES, RANGE(5))

static double lengths(const double *x, const int *length, int n) { // very different rows
  double s = 0.5;
  for (int i = 0; i < n; i++) {
    double t = 0.1;
    for (int k = 0; k != length[i]; k++) t = t * 0.99 + 0.01 * sin(t * x[k % 4]);
    s = s * 0.9 + 0.1 * t * s;
  }
  return s;
}
CHECK_BY_HAND(thousands_of_rows) {
  enum { N = 3000 };
  static int length[N];
  for (int i = 0; i < N; i++) length[i] = i % 97 == 5 ? 1500 : i % 4 ? i % 5 : 0;
  int n = getenv("SHORT") ? 300 : N;
  double x[4] = {0.3, 0.9, 1.4, 0.7}, g[4] = {0}, d[4] = {0.5, -0.2, 0.1, 0.7};
  __pardiff_autodiff((void *)lengths, pardiff_dup, x, g, pardiff_const, length, opaque(n));
  double tangent = __pardiff_fwddiff((void *)lengths, pardiff_dup, x, d, pardiff_const, length, opaque(n));
  near_to("reverse against forward", g[0] * d[0] + g[1] * d[1] + g[2] * d[2] + g[3] * d[3], tangent, 1e-11);
}
CHECK_BY_HAND(nothing_at_all) {
  double x[4] = {1, 2, 3, 4}, g[4] = {0};
  int none[3] = {0};
  __pardiff_autodiff((void *)lengths, pardiff_dup, x, g, pardiff_const, none, opaque(0));
  __pardiff_autodiff((void *)lengths, pardiff_dup, x, g, pardiff_const, none, opaque(3));
  for (int i = 0; i < 4; i++) near("nothing depends on x", g[i], 0);
}
