// Rule: a store is left out of the forward sweep only if nobody else can see it and nothing reads it that is run: a call, a load
// that the reverse sweep repeats, a load under another name. What speaks to the outside is run though nobody wants a value of it.
// Without the rule these read what was in memory before.
// RUN: %numeric %s
#include "check.h"

// The library reads a text, whose length is a factor.
static double length(double *x, int n) {
  char text[32];
  for (int i = 0; i < n; i++) text[i] = x[i] > 0.7 ? 'l' : 's';
  text[n] = 0;
  size_t head = strspn(text, "l");
  return x[0] * x[0] * (double)strlen(text) + x[1] * (double)head;
}
CHECK_SCALAR_N(length, DIFFERENCES, RANGE(7))

// Factors are loaded again by the reverse sweep, and by nothing else that is run.
static double factors(double *x, int n) {
  double f[8], s = 0;
  for (int i = 0; i < n; i++) f[i] = (double)(int)(7 * x[i] + 0.37);
  for (int i = 0; i < n; i++) s += f[i] * x[i];
  return s;
}
CHECK_SCALAR_N(factors, DIFFERENCES, RANGE(7))

// A function that stays a call finds local memory through a global variable, and through memory that was passed on before.
static const double *weights;
struct list {
  const struct list *next;
  double weight;
};
static double weighted(const double *x, const struct list *l, int n) {
  return n == 0 ? 0 : weights[n] * x[n - 1] * x[n - 1] * l->weight + weighted(x, l->next, n - 1);
}
static double behind_pointers(double *x, int n) {
  double w[9];
  struct list l[9];
  for (int i = 0; i < 9; i++) l[i] = (struct list){l + (i + 1) % 9, i + 0.5}, w[i] = 1.0 / (i + 1);
  weights = w;
  return weighted(x, l, n);
}
CHECK_SCALAR_N(behind_pointers, DIFFERENCES, RANGE(7))

// What is under an integer's address.
static double through_an_integer(double *x, int n) {
  double w[8], s = 0;
  for (int i = 0; i < n; i++) w[i] = i + 1;
  size_t at = (size_t)w;
  for (int i = 0; i < n; i++) s += *(const double *)(at + 8 * (size_t)i) * x[i];
  return s;
}
CHECK_SCALAR_N(through_an_integer, DIFFERENCES, RANGE(7))

static int said;
__attribute__((noinline)) static int say(const int *what) { return said = 10 * said + *what; }
void *__pardiff_inactivefn_say[1] = {(void *)say};
static double speaks(const double *x, double *restrict y, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    int what = i + 1;
    if (x[i] > 0) say(&what);
    s += x[i] * x[i];
  }
  for (int i = 0; i < n; i++) y[i] = s;
  return s;
}
CHECK_BY_HAND(effects_are_there_once) {
  double x[3] = {1, -2, 3}, g[3] = {0}, y[3] = {0}, seed[3] = {0, 1, 0};
  said = 0;
  __pardiff_autodiff((void *)speaks, pardiff_dup, x, g, pardiff_dupnoneed, y, seed, opaque(3));
  for (int i = 0; i < 3; i++) near("gradient", g[i], 4 * x[i]);
  expect("said", said == 13);
}

// A result is read by a function that has its address from elsewhere.
static double *elsewhere;
__attribute__((noinline)) static double look(int i) { return elsewhere[i]; }
void *__pardiff_inactivefn_look[1] = {(void *)look};
static double seen_elsewhere(const double *x, double *restrict y, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) y[i] = 2;
  for (int i = 0; i < n; i++) s += look(i) * x[i];
  return s;
}
CHECK_BY_HAND(a_result_that_a_call_reads) {
  double x[3] = {1, -2, 3}, g[3] = {0}, y[3] = {0}, seed[3] = {0};
  elsewhere = y;
  __pardiff_autodiff((void *)seen_elsewhere, pardiff_dup, x, g, pardiff_dupnoneed, y, seed, opaque(3));
  for (int i = 0; i < 3; i++) near("gradient", g[i], 2);
}
