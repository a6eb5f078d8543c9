// RUN: %numeric %s
// Active values that pass through global and static variables. Their shadows start from zero in each call.
#include "check.h"

static double total, cells[8];
double visible[4];

static void accumulate(double v) { total += v * v; }
static double through_scalar(double *x, int n) {
  total = 0;
  for (int i = 0; i < n; i++) accumulate(x[i] * x[0]);
  return total * x[1];
}
CHECK_SCALAR_N(through_scalar, DIFFERENCES, RANGE(5))

static double through_array(double *x, int n) {
  for (int i = 0; i < n; i++) cells[i] = x[i] * x[i];
  for (int i = 1; i < n; i++) cells[i] += cells[i - 1] * x[i];
  return cells[n - 1];
}
CHECK_SCALAR_N(through_array, DIFFERENCES, RANGE(6))

static double through_visible(double *x, int n) {
  for (int i = 0; i < 4; i++) visible[i] = x[i % n];
  double *p = visible, s = 1;
  for (int i = 0; i < 4; i++) s *= *p++ * x[0];
  return s;
}
CHECK_SCALAR_N(through_visible, DIFFERENCES, RANGE(3))

static double previous(double v) {
  static double last;
  double r = last * v;
  last = v * v;
  return r;
}
static double through_static(double *x, int n) {
  double s = 0;
  previous(0);
  for (int i = 0; i < n; i++) s += previous(x[i]);
  return s;
}
CHECK_SCALAR_N(through_static, DIFFERENCES, RANGE(5))

static const double weights[4] = {1, -2, 3, 0.5};
static double by_table(double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += weights[i % 4] * x[i] * x[i];
  return s;
}
CHECK_SCALAR_N(by_table, DIFFERENCES, RANGE(6))

struct state {
  double value;
  int steps;
  double history[4];
};
static struct state state;
static double through_struct(double *x, int n) {
  state.value = x[0], state.steps = 0;
  for (int i = 0; i < 4; i++) {
    state.history[i] = state.value;
    state.value = state.value * x[i % n] + 0.1;
    state.steps++;
  }
  return state.value * state.history[state.steps - 2];
}
CHECK_SCALAR_N(through_struct, DIFFERENCES, RANGE(3))


// Functions that stay calls work on the shadows of the variables that have one in their callers.
static double factor;
static double rec(int n) { return n ? factor * rec(n - 1) : 1; }
double readrec(double *x, int n) { factor = x[0] * x[1]; return rec(n) * x[2]; }
CHECK_SCALAR_N(readrec, DIFFERENCES, RANGE(4))
static double kept[8];
static double rec2(int n) { return n ? kept[n] * rec2(n - 1) : 1; }
double readrec2(double *x, int n) { for (int i = 0; i < n; i++) kept[i] = x[i] * x[i]; return rec2(n - 1); }
CHECK_SCALAR_N(readrec2, DIFFERENCES, RANGE(4))
static double acc;
static void rec3(const double *x, int n) { if (n) { acc += x[n - 1] * x[n - 1] * acc; rec3(x, n - 1); } }
double accrec(double *x, int n) { acc = 1; rec3(x, n); return acc * x[0]; }
CHECK_SCALAR_N(accrec, DIFFERENCES, RANGE(4))
static void rec4(int n) { if (n) { kept[n] = kept[n - 1] * kept[0]; rec4(n - 1); } }
double passrec(double *x, int n) { for (int i = 0; i < n; i++) kept[i] = x[i] * x[i]; rec4(n - 1); double s = 0; for (int i = 0; i < n; i++) s += kept[i]; return s; }
CHECK_SCALAR_N(passrec, DIFFERENCES, RANGE(4))
static void rec5(double v, int n) { if (n) { kept[n] = v * n; rec5(v * v, n - 1); } }
double writerec(double *x, int n) { rec5(x[0] * x[1], n - 1); double s = 0; for (int i = 0; i < n; i++) s += kept[i]; return s; }
CHECK_SCALAR_N(writerec, DIFFERENCES, RANGE(4))
