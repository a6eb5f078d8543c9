// RUN: %numeric %s
// Functions that call themselves and each other.
#include "check.h"

static double power(double x, int n) { return n == 0 ? 1 : x * power(x, n - 1); }
static double powers(double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += power(x[i], i + 1);
  return s;
}
static void want_powers(const double *x, const double *w, double *g) {
  for (int i = 0; i < 5; i++) g[i] = w[0] * (i + 1) * pow(x[i], i);
}
CHECK_SCALAR_N(powers, want_powers, RANGE(5))

// The function that is differentiated calls itself.
static double sum_of_halves(double *x, int n) {
  if (n == 1) return x[0] * x[0];
  int half = n / 2;
  return sum_of_halves(x, half) * x[n - 1] + sum_of_halves(x + half, n - half);
}
CHECK_SCALAR_N(sum_of_halves, DIFFERENCES, RANGE(7))

static double odd(double *x, int n);
static double even(double *x, int n) { return n == 0 ? 1 : x[n - 1] * odd(x, n - 1); }
static double odd(double *x, int n) { return n == 0 ? 0.5 : x[n - 1] * x[n - 1] + even(x, n - 1); }
static double alternating(double *x, int n) { return even(x, n); }
CHECK_SCALAR_N(alternating, DIFFERENCES, RANGE(6))

static void transform(double *x, int n) {
  if (n == 1) return;
  double t[16];
  int half = n / 2;
  for (int i = 0; i < half; i++) {
    t[i] = x[2 * i] + 0.3 * x[2 * i + 1];
    t[half + i] = x[2 * i] * x[2 * i + 1];
  }
  for (int i = 0; i < n; i++) x[i] = t[i];
  transform(x, half);
  transform(x + half, half);
}
static void transformed(double *x, int n) { transform(x, n); }
CHECK_INPLACE_N(transformed, DIFFERENCES, RANGE(8))

struct tree {
  double value;
  struct tree *left, *right;
};
static struct tree *build(const double *x, int n) {
  if (n == 0) return NULL;
  struct tree *t = malloc(sizeof *t);
  int half = n / 2;
  t->value = x[half] * x[half];
  t->left = build(x, half);
  t->right = build(x + half + 1, n - half - 1);
  return t;
}
static double depth_sum(const struct tree *t, double weight) {
  if (!t) return 0;
  return weight * t->value + depth_sum(t->left, weight * 0.5) + depth_sum(t->right, weight * t->value);
}
static void destroy(struct tree *t) {
  if (!t) return;
  destroy(t->left);
  destroy(t->right);
  free(t);
}
static double tree(double *x, int n) {
  struct tree *t = build(x, n);
  double s = depth_sum(t, x[0]);
  destroy(t);
  return s;
}
CHECK_SCALAR_N(tree, DIFFERENCES, RANGE(7))

static double total(const struct tree *t) { return t ? t->value * t->value + total(t->left) * t->value + total(t->right) : 1; }
CHECK_BY_HAND(tree_of_the_caller) {
  struct tree leaf = {2, NULL, NULL}, root = {3, &leaf, NULL}, dleaf = {0, NULL, NULL}, droot = {0, &dleaf, NULL};
  __pardiff_autodiff((void *)total, pardiff_dup, &root, &droot);
  // total(leaf) = 4 + 2 + 1, total(root) = 9 + 3 total(leaf) + 1
  near("root", droot.value, 6 + 7);
  near("leaf", dleaf.value, 3 * (4 + 1));
}

// Its own result is its argument again.
static double folded(double x, int m, int n) {
  if (m == 0) return x * (1 + 0.1 * n);
  if (n == 0) return folded(x * 1.1, m - 1, 1);
  return folded(sin(folded(x, m, n - 1)), m - 1, n);
}
static double nested(double *x, int n) { return folded(x[0], 2, n) * x[1]; }
CHECK_SCALAR_N(nested, DIFFERENCES, RANGE(2))
