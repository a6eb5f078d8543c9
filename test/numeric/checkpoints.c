// RUN: %numeric %s
// Loops that keep snapshots of their state and run steps again: what a state can be, and where loops are short.
#include "check.h"

// the classical Runge-Kutta method for populations that do not meet, with arrays for its stages
static void slope(const double *y, const double *rate, double *k, int n) {
  for (int i = 0; i < n; i++) k[i] = rate[i] * y[i] * (1 - y[i]);
}
static void advance(const double *y, const double *k, double h, double *next, int n) {
  for (int i = 0; i < n; i++) next[i] = y[i] + h * k[i];
}
static void runge_kutta(const double *restrict x, double *restrict y, int n, int steps, int snapshots) {
  double k1[n], k2[n], k3[n], k4[n], at[n];
  for (int i = 0; i < n; i++) y[i] = 0.1 + 0.2 * x[i];
  for (int t = 0; t < steps; t++) {
    __pardiff_checkpoint(snapshots);
    slope(y, x, k1, n);
    advance(y, k1, 0.05, at, n);
    slope(at, x, k2, n);
    advance(y, k2, 0.05, at, n);
    slope(at, x, k3, n);
    advance(y, k3, 0.1, at, n);
    slope(at, x, k4, n);
    for (int i = 0; i < n; i++) y[i] += 0.1 / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
  }
}
static void thirty_steps(double *x, double *y, int n) { runge_kutta(x, y, n, n + 26, 3); }
CHECK_VECTOR_N(thirty_steps, 4, DIFFERENCES, RANGE(4))
static void one_snapshot(double *x, double *y, int n) { runge_kutta(x, y, n, n + 5, 1); }
CHECK_VECTOR_N(one_snapshot, 4, DIFFERENCES, RANGE(4))
static void fewer_than_one(double *x, double *y, int n) { runge_kutta(x, y, n, n + 1, n - 7); }
CHECK_VECTOR_N(fewer_than_one, 4, DIFFERENCES, RANGE(4))
static void more_than_steps(double *x, double *y, int n) { runge_kutta(x, y, n, n + 2, 1000000 * n); }
CHECK_VECTOR_N(more_than_steps, 4, DIFFERENCES, RANGE(4))
static void as_many_as_steps(double *x, double *y, int n) { runge_kutta(x, y, n, n + 2, n + 2); }
CHECK_VECTOR_N(as_many_as_steps, 4, DIFFERENCES, RANGE(4))
static void two_steps(double *x, double *y, int n) { runge_kutta(x, y, n, n - 2, 1); }
CHECK_VECTOR_N(two_steps, 4, DIFFERENCES, RANGE(4))
static void one_step(double *x, double *y, int n) { runge_kutta(x, y, n, n - 3, 2); }
CHECK_VECTOR_N(one_step, 4, DIFFERENCES, RANGE(4))
static void no_step(double *x, double *y, int n) { runge_kutta(x, y, n, n - 4, 2); }
CHECK_VECTOR_N(no_step, 4, DIFFERENCES, RANGE(4))
static void a_step_of_known_number(double *x, double *y, int n) { runge_kutta(x, y, n, 1, 2); }
CHECK_VECTOR_N(a_step_of_known_number, 4, DIFFERENCES, RANGE(4))

// numbers that are carried from step to step, in changing roles, and a branch
static double carried(double *x, int n) {
  double s = x[0], p = x[1];
  int turns = 0;
  for (int t = 0; t < n + 6; t++) {
    __pardiff_checkpoint(3);
    double q = cos(s) * p + sin(x[t % n]);
    s = 0.5 * p + 0.1 * s * sin(s);
    p = q > 1 ? 0.3 * sin(q) * q : q;
    if (q > 1) turns++;
  }
  return s * p + turns * x[0];
}
CHECK_SCALAR_N(carried, DIFFERENCES, RANGE(5))

// in place, with a part that no step writes, and with work on the state after the loop
static void heat(double *u, int n) {
  for (int t = 0; t < 9; t++) {
    __pardiff_checkpoint(2);
    double left = u[0];
    for (int i = 1; i < n - 1; i++) {
      double here = u[i];
      u[i] += 0.2 * (left - 2 * here + u[i + 1]) + 0.05 * here * here;
      left = here;
    }
  }
  for (int i = 0; i < n; i++) u[i] *= u[i];
}
CHECK_INPLACE_N(heat, DIFFERENCES, RANGE(8))

// two dimensions, rows of unknown length, known numbers of rows, and a border that stays
static void plate(double *x, double *y, int n) {
  int m = n / 3;
  double *v = malloc(n * sizeof *v);
  for (int i = 0; i < n; i++) y[i] = x[i];
  for (int t = 0; t < n; t++) {
    __pardiff_checkpoint(3);
    for (int i = 1; i < 2; i++)
      for (int j = 0; j < m; j++) v[i * m + j] = y[i * m + j] + 0.1 * (y[(i - 1) * m + j] + y[(i + 1) * m + j]) * y[i * m + j];
    for (int i = 1; i < 2; i++)
      for (int j = 0; j < m; j++) y[i * m + j] = sin(v[i * m + j]);
    for (int k = 0; k < 3; k++)
      for (int j = 0; j < m; j++) y[k * m + j] *= 0.9 + 0.1 * x[j];
  }
  free(v);
}
CHECK_VECTOR_N(plate, 12, DIFFERENCES, RANGE(12))

// where there is nothing between the ends, nothing is touched
static double inner_loop_not_entered(double *x, int n) {
  double *nowhere = 0, s = x[0];
  int none = n - 3;
  for (int t = 0; t < 5; t++) {
    __pardiff_checkpoint(2);
    for (int i = 0; i < none; i++) nowhere[i] = s;
    if (none > 0) nowhere[1000] = x[1] * s;
    s = sin(s) + x[t % n];
  }
  return s;
}
CHECK_SCALAR_N(inner_loop_not_entered, DIFFERENCES, RANGE(3))

// stores under conditions that a step computes, where it reads in any case
static void clipped(double *x, int n) {
  for (int t = 0; t < 6; t++) {
    __pardiff_checkpoint(2);
    for (int i = 0; i < n; i++)
      if (x[i] > 1) x[i] = 0.9 * x[i] * x[(i + 1) % n];
      else if (x[i] > 0.7) x[i] += 0.1 * x[i] * x[i];
  }
}
CHECK_INPLACE_N(clipped, DIFFERENCES, RANGE(6))

// own memory: a local array, work arrays, memory of the heap
static double own_memory(double *x, int n) {
  double y[4] = {x[0], x[1], 0.5, 1}, k[4], *e = malloc(n * sizeof(double)), sum = 0;
  for (int i = 0; i < n; i++) e[i] = x[i] * x[i];
  for (int t = 0; t < n; t++) {
    __pardiff_checkpoint(n / 2);
    for (int i = 0; i < 4; i++) k[i] = y[i] * y[(i + 1) % 4] * x[t];
    for (int i = 0; i < 4; i++) y[i] += 0.1 * sin(k[i]) + 0.01 * e[t];
    e[(t + 1) % n] += y[t % 4];
    sum += y[0] * y[1];
  }
  for (int i = 0; i < n; i++) sum += e[i] * y[i % 4];
  free(e);
  return sum;
}
CHECK_SCALAR_N(own_memory, DIFFERENCES, RANGE(6))

// memory that a step takes for itself
static void relax(double *y, int n) {
  double k[n], *e = malloc(n * sizeof *e);
  for (int i = 0; i < n; i++) k[i] = sin(y[i] * y[(i + 1) % n]);
  for (int i = 0; i < n; i++) {
    double part[i + 1];
    for (int j = 0; j <= i; j++) part[j] = k[j] * y[i];
    e[i] = part[i] * part[i / 2];
  }
  for (int i = 0; i < n; i++) y[i] += 0.1 * k[i] - 0.05 * e[i];
  free(e);
}
static void own_arrays_of_steps(double *x, int n) {
  for (int t = 0; t < 8; t++) {
    __pardiff_checkpoint(2);
    relax(x, n);
  }
}
CHECK_INPLACE_N(own_arrays_of_steps, DIFFERENCES, RANGE(5))

// two arrays, to and fro; nothing says that they are different memory
static void mix(const double *a, double *b, int n) {
  for (int i = 0; i < n; i++) b[i] = a[i] + 0.1 * a[i] * a[(i + 1) % n];
}
static void two_arrays(double *x, double *y, int n) {
  double *u = malloc(n * sizeof *u);
  for (int i = 0; i < n; i++) y[i] = x[i];
  for (int t = 0; t < 5; t++) {
    __pardiff_checkpoint(2);
    mix(y, u, n);
    mix(u, y, n);
  }
  free(u);
}
CHECK_VECTOR_N(two_arrays, 6, DIFFERENCES, RANGE(6))

// variables of the file, and other widths of steps
static double level[3];
static double gain;
static double variables(double *x, int n) {
  gain = 0.25;
  level[0] = x[0], level[1] = x[1] * x[1], level[2] = 1;
  for (long t = 2 * n; t > 0; t -= 2) {
    __pardiff_checkpoint(2);
    level[t % 3] = sin(level[(t + 1) % 3] * x[t % n]) + gain * level[t % 3];
    gain = 0.5 * gain + 0.1 * level[0];
  }
  return level[0] * level[1] + level[2] + gain;
}
CHECK_SCALAR_N(variables, DIFFERENCES, RANGE(7))

// two loops, one after the other, and loops around them that are no time loops
static double two_loops(double *x, int n) {
  double s = x[0];
  for (int t = 0; t < 7; t++) {
    __pardiff_checkpoint(2);
    s = sin(s * x[t % n]);
  }
  double p = s * s;
  for (int t = 0; t < 8; t++) {
    __pardiff_checkpoint(3);
    p = cos(p + s * x[t % n]);
  }
  double sum = 0;
  for (int i = 0; i < n; i++) sum += x[i] * p * s;
  return sum;
}
CHECK_SCALAR_N(two_loops, DIFFERENCES, RANGE(4))

// structs with pointers; a while loop; a loop that does something at its end
struct model {
  double *state, *speed;
  double stiffness;
  int n;
};
static void move_bodies(struct model *m, double h) {
  for (int i = 0; i < m->n; i++) {
    m->speed[i] -= h * m->state[i] * m->stiffness;
    m->state[i] += h * m->speed[i];
  }
}
static double bodies(double *x, int n) {
  double state[4], speed[4] = {0, 0.1, 0.2, 0.3};
  for (int i = 0; i < 4; i++) state[i] = x[i];
  struct model m = {state, speed, x[4] * x[5], 4};
  int t = 0;
  double energy = 0;
  while (t < 2 * n) {
    __pardiff_checkpoint(3);
    move_bodies(&m, 0.1);
    energy += state[t % 4] * speed[(t + 1) % 4];
    t++;
  }
  return energy + state[0] * t;
}
CHECK_SCALAR_N(bodies, DIFFERENCES, RANGE(6))

// the caller's memory holds what it holds after a plain call, also where it is looked at in the end through other pointers
static void sum_over_it(double *u, double *error, int n) {
  for (int t = 0; t < 6; t++) {
    __pardiff_checkpoint(2);
    for (int i = 0; i < n; i++) u[i] = sin(u[i] + 0.1 * u[0]);
  }
  double sum = 0;
  for (int i = 0; i < n; i++) sum += u[i] * u[i];
  *error = sum;
}
CHECK_BY_HAND(result_in_the_state) {
  double u[5] = {1, 0.8, 0.6, 1.2, 0.3}, du[5] = {0, 1, 0, 0, 2}, v[5] = {1, 0.8, 0.6, 1.2, 0.3}, got[5] = {0};
  sum_over_it(v, v + 2, 5);
  __pardiff_autodiff((void *)sum_over_it, pardiff_dup, u, du, pardiff_dup, u + 2, du + 2, pardiff_const, 5);
  for (int i = 0; i < 5; i++) near("result", u[i], v[i]);
  for (int i = 0; i < 5; i++) {
    double value[2];
    for (int side = 0; side < 2; side++) {
      double w[5] = {1, 0.8, 0.6, 1.2, 0.3};
      w[i] += side ? 1e-6 : -1e-6;
      sum_over_it(w, w + 2, 5);
      value[side] = w[1] + 2 * w[4];
    }
    got[i] = (value[1] - value[0]) / 2e-6;
  }
  for (int i = 0; i < 5; i++) near_to("gradient", du[i], got[i], 1e-6);
}

// split mode and recursion keep all steps
static double square_sum(double *x, int n) {
  double s = 0;
  for (int t = 0; t < n; t++) {
    __pardiff_checkpoint(2);
    s = sin(s) + x[t] * x[t];
  }
  return s;
}
static double itself(double *x, int n) { return n < 3 ? square_sum(x, 2) : itself(x, n - 1) * square_sum(x, n); }
CHECK_SCALAR_N(itself, DIFFERENCES, RANGE(5))
CHECK_BY_HAND(split_mode) {
  double x[4] = {1, 2, 0.5, 0.2}, d[4] = {0}, e[4] = {0};
  void *tape = __pardiff_augmentfwd((void *)square_sum, pardiff_dup, x, d, pardiff_const, 4);
  __pardiff_reverse((void *)square_sum, pardiff_dup, x, d, pardiff_const, 4, 1.0, tape);
  __pardiff_autodiff((void *)square_sum, pardiff_dup, x, e, pardiff_const, 4);
  for (int i = 0; i < 4; i++) near("gradient", d[i], e[i]);
}
