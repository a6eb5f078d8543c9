// Rule: a pointer that may lead to memory with a shadow or to memory without one is tested while running, where it was
// loaded or chosen; null and the primal's own pointer in the caller's shadow both say that there is none. Without the rule
// updates go to a null shadow, or into the primal itself.
// RUN: %numeric %s
#include "check.h"

static double chosen(const double *x, const double *table, int n, int which) {
  double s = 0;
  const double *p = which ? x : table;
  for (int i = 0; i < n; i++) s += p[i] * p[i];
  return s;
}
CHECK_BY_HAND(by_the_path) {
  double x[2] = {2, 3}, table[2] = {5, 7}, d[2] = {0};
  __pardiff_autodiff((void *)chosen, pardiff_dup, x, d, pardiff_const, table, opaque(2), opaque(0));
  expect("no derivative of the table", d[0] == 0 && d[1] == 0 && table[0] == 5 && table[1] == 7);
  __pardiff_autodiff((void *)chosen, pardiff_dup, x, d, pardiff_const, table, opaque(2), opaque(1));
  near("d0", d[0], 4), near("d1", d[1], 6);
}

struct layer {
  double *weights, *scratch;
};
static double through_scratch(const struct layer *l, const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) l->scratch[i] = l->weights[i] * x[i];
  for (int i = 0; i < n; i++) s += l->scratch[i] * l->scratch[i];
  return s;
}
CHECK_BY_HAND(in_a_struct) {
  double w[2] = {2, 3}, t[2], x[2] = {5, 7}, dw[2] = {0}, dt[2] = {0}, dx[2] = {0};
  struct layer l = {w, t}, whole = {dw, dt}, weights_constant = {w, dt};
  __pardiff_autodiff((void *)through_scratch, pardiff_dup, &l, &whole, pardiff_dup, x, dx, opaque(2));
  near("w0", dw[0], 2 * 2 * 25), near("w1", dw[1], 2 * 3 * 49), near("x0", dx[0], 2 * 5 * 4), near("x1", dx[1], 2 * 7 * 9);
  __pardiff_autodiff((void *)through_scratch, pardiff_dup, &l, &weights_constant, pardiff_dup, x, dx, opaque(2));
  near("x0 again", dx[0], 4 * 5 * 4), near("x1 again", dx[1], 4 * 7 * 9);
  expect("the weights are as they were", w[0] == 2 && w[1] == 3);
}
