// RUN: %numeric %s
// Iterations that can be run again in the reverse sweep: temporary arrays filled in each iteration, inner loops of all kinds,
// values from earlier iterations and overwritten memory among what they read.
#include "check.h"

// a temporary array that every iteration fills before it is read, as in many programs
static double filled_first(double *x, int n) {
  double *t = malloc(sizeof(double) * n), sum = 0;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) t[j] = x[j] * x[i] - sin(x[j]);
    for (int j = 0; j < n; j++)
      for (int k = j + 1; k < n; k++) t[k] += 0.1 * t[j] * x[i];
    double norm = 0;
    for (int j = 0; j < n; j++) norm += t[j] * t[j];
    sum += log(1 + norm) * x[i];
  }
  free(t);
  return sum;
}
CHECK_SCALAR_N(filled_first, DIFFERENCES, RANGE(7))

// what is read was filled by an earlier iteration in part
static double filled_partly(double *x, int n) {
  double t[16] = {0}, sum = 0;
  for (int i = 0; i < n; i++) {
    for (int j = i; j < n; j++) t[j] = x[j] * x[i] + 0.5 * t[(j + 1) % 16];
    for (int j = 0; j < n; j++) sum += exp(-t[j] * t[j]) * x[j];
  }
  return sum + t[1] * t[1];
}
CHECK_SCALAR_N(filled_partly, DIFFERENCES, RANGE(7))

// filled on one path, under a condition that also guards the reader
static double filled_under_condition(double *x, int n) {
  double t[8], sum = 0;
  for (int i = 0; i < n; i++) {
    int some = x[i] > 0.9;
    if (some)
      for (int j = 0; j < 8; j++) t[j] = x[i] * j + x[(i + j) % n] * x[i];
    sum += x[i];
    if (some)
      for (int j = 0; j < 8; j++) sum += t[j] * t[j] * t[7 - j];
  }
  return sum;
}
CHECK_SCALAR_N(filled_under_condition, DIFFERENCES, RANGE(9))

// a counted loop of unknown length inside, with a state carried from iteration to iteration
static double fixed_points(double *x, int n) {
  double state = 1, sum = 0;
  for (int i = 0; i < n; i++) {
    double r = x[i] + state * 0.1;
    int steps = 0;
    while (fabs(r * r - x[i]) > 1e-3 && steps < 40) {
      r = 0.5 * (r + x[i] / r);
      steps++;
    }
    state = state * 0.5 + r * steps;
    sum += sin(state) * r;
  }
  return sum;
}
CHECK_SCALAR_N(fixed_points, DIFFERENCES, RANGE(8))

// rows of a matrix in compressed form, whose lengths are data
static double rows(double *x, int n) {
  int start[] = {0, 3, 3, 5, 9}, column[] = {0, 2, 3, 1, 2, 0, 1, 2, 3};
  double sum = 0;
  for (int i = 0; i < 4; i++) {
    double dot = 0, most = 0;
    for (int k = start[i]; k < start[i + 1]; k++) {
      double v = exp(x[k] * x[column[k]]);
      dot += v;
      if (v > most) most = v;
    }
    sum += dot * dot + sqrt(most + x[i]);
  }
  return sum;
}
CHECK_SCALAR_N(rows, DIFFERENCES, RANGE(9))

// the last value of an inner loop, of which nothing else is run again
static double last_of_inner(double *x, int n) {
  double a = x[2];
  for (int i = 0; i < n; i++) {
    for (int j = 1; j <= n; j++) {
      x[1] = x[0] - a;
      a = tanh(x[i]);
    }
    x[0] = exp(0.5 * sin(x[i]));
  }
  return a * x[0] + x[1];
}
CHECK_SCALAR_N(last_of_inner, DIFFERENCES, RANGE(4))

// in place: an iteration overwrites what it read
static void in_place(double *x, int n) {
  for (int i = 0; i + 1 < n; i++) {
    double a = x[i], b = x[i + 1], t[2] = {a * b, sin(a)};
    for (int k = 0; k < 3; k++) t[k % 2] += t[(k + 1) % 2] * b;
    x[i] = t[0];
    x[i + 1] = t[1] + b;
  }
}
CHECK_INPLACE_N(in_place, DIFFERENCES, POINT(0.6, 0.4, 0.8, 0.5))

// left early, from inside two loops
static double left_early(double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    double p = 1;
    for (int j = 0; j < n; j++) {
      p *= 0.5 + x[j] * x[i];
      if (p > 4) goto next;
      if (p < 0.01) return sum * p;
    }
    sum += exp(-p);
  next:
    sum += p * p * x[i];
    if (sum > 60) break;
  }
  return sum * sum;
}
CHECK_SCALAR_N(left_early, DIFFERENCES, RANGE(9))

// a block is copied from memory that has changed when the iteration is replayed
enum { WIDE = 600 };
static double copy_of_state(double *x, int n) {
  double state[WIDE], t[WIDE], sum = 0;
  for (int j = 0; j < WIDE; j++) state[j] = x[j % n] * (1 + 0.01 * j);
  for (int i = 0; i < n; i++) {
    memcpy(t, state, sizeof t);
    for (int j = 0; j < WIDE; j++) sum += sin(t[j]) * x[i];
    for (int j = 0; j < WIDE; j++) state[j] = 0.9 * sin(t[WIDE - 1 - j]) + 0.1 * x[i];
  }
  return sum;
}
CHECK_SCALAR_N(copy_of_state, DIFFERENCES, RANGE(5))

// or from memory that the iteration has filled itself
static double copy_of_temporary(double *x, int n) {
  double t[WIDE], u[WIDE], sum = 0;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < WIDE; j++) t[j] = x[j % n] * x[i];
    memcpy(u, t, sizeof t);
    for (int j = 0; j < WIDE; j++) sum += sin(u[j]) * u[WIDE - 1 - j] * x[i];
  }
  return sum;
}
CHECK_SCALAR_N(copy_of_temporary, DIFFERENCES, RANGE(5))

// a temporary array that the caller gets in the end holds what the last iteration put there
struct work {
  double *memory;
};
static double keeps_work(double *x, int n, struct work *w) {
  double *t = malloc(sizeof(double) * n), sum = 0;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) t[j] = x[j] * x[i] * (i + 1);
    for (int j = 0; j < n; j++) sum += sin(t[j]) * t[j];
  }
  w->memory = t;
  return sum;
}
CHECK_BY_HAND(work_that_stays) {
  double x[4] = {0.3, 0.5, 0.7, 0.9}, dx[4] = {0};
  struct work w = {0}, dw = {0};
  __pardiff_autodiff((void *)keeps_work, pardiff_dup, x, dx, 4, pardiff_dup, &w, &dw);
  for (int j = 0; j < 4; j++) near("work", w.memory[j], x[j] * x[3] * 4);
  free(w.memory), free(dw.memory);
}

// filled by a loop that may end early, so that the rest is from earlier iterations
static double filled_up_to_a_bound(double *x, int n) {
  double t[16] = {0}, sum = 0;
  for (int i = 0; i < n; i++) {
    double left = 2 + i % 3 * 4;
    int j = 0;
    do {
      t[j] = sin(x[i] * (j + 1));
      j++;
      left -= 1;
    } while ((j < 16) & (left > 0));
    for (int k = 0; k < 16; k++) sum += t[k] * t[k] * (k + 1) * x[i];
  }
  return sum;
}
CHECK_SCALAR_N(filled_up_to_a_bound, DIFFERENCES, RANGE(7))

// read right before the loop that fills it
static double read_before_filled(double *x, int n) {
  double t[4] = {1, 2, 3, 4}, sum = 0;
  for (int i = 0; i < n; i++) {
    double first = t[0], last = t[3];
    for (int j = 0; j < 4; j++) t[j] = sin(x[i] * (j + 1)) * first + 0.1 * last * last;
    for (int j = 0; j < 4; j++) sum += t[j] * t[j] * x[i];
  }
  return sum;
}
CHECK_SCALAR_N(read_before_filled, DIFFERENCES, RANGE(7))

// found in memory after the replay, but for what the rest of the iteration overwrites
static double attention_row(double *x, int n) {
  double weight[n], sum_all = 0;
  for (int i = 0; i < n; i++) {
    double most = -1e9, sum = 0;
    for (int j = 0; j <= i; j++) {
      weight[j] = x[i] * x[j] - 0.3 * x[j] * x[j];
      if (weight[j] > most) most = weight[j];
    }
    for (int j = 0; j <= i; j++) sum += weight[j] = exp(weight[j] - most);
    for (int j = 0; j <= i; j++) sum_all += weight[j] / sum * sin(x[j]) * weight[i - j];
  }
  return sum_all;
}
CHECK_SCALAR_N(attention_row, DIFFERENCES, RANGE(9))

// an inner loop that can be replayed too, and writes where the outer iteration reads
static double rewritten_inside(double *x, int n) {
  double *t = malloc(n * sizeof(double)), *u = malloc(n * sizeof(double)), sum = 0;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) t[j] = sin(x[j] * x[i]);
    for (int j = 0; j < n; j++) sum += t[j] * t[n - 1 - j];
    for (int k = 0; k < n; k++) {
      for (int j = 0; j < n; j++) u[j] = exp(-x[k] * (j + 1)) * sin(x[i] + j);
      for (int j = 0; j < n; j++) sum += u[j] * u[j] * u[n - 1 - j] * x[i];
      for (int j = 0; j < n; j++) t[j] = u[j] * u[j] * x[k];
      for (int j = 0; j < n; j++) sum += t[j] * t[j] * u[j];
    }
    for (int j = 0; j < n; j++) sum += t[j] * u[j] * t[n - 1 - j];
  }
  free(t), free(u);
  return sum;
}
CHECK_SCALAR_N(rewritten_inside, DIFFERENCES, RANGE(6))
