// RUN: %numeric %s
// Pointers that are themselves in memory: structs, lists, rows, buffers that change places.
#include "check.h"

struct body {
  double *position, *velocity;
  int count;
};

static double through_struct(double *x, int n) {
  double v[8];
  struct body b = {x, v, n};
  for (int i = 0; i < b.count; i++) b.velocity[i] = b.position[i] * b.position[0];
  double s = 0;
  for (int i = 0; i < b.count; i++) s += b.velocity[i] * b.velocity[i];
  return s;
}
CHECK_SCALAR_N(through_struct, DIFFERENCES, RANGE(6))

static double swapped(double *x, int n) {
  double a[8], b[8], *from = a, *to = b;
  for (int i = 0; i < n; i++) a[i] = x[i];
  for (int t = 0; t < 5; t++) {
    for (int i = 1; i < n - 1; i++) to[i] = from[i] + 0.3 * from[i] * (from[i - 1] - from[i + 1]);
    to[0] = from[0], to[n - 1] = from[n - 1];
    double *other = from;
    from = to, to = other;
  }
  double s = 0;
  for (int i = 0; i < n; i++) s += from[i] * from[i];
  return s;
}
CHECK_SCALAR_N(swapped, DIFFERENCES, RANGE(6))

struct buffers {
  double *now, *next;
};
static void swap(struct buffers *b) {
  double *t = b->now;
  b->now = b->next, b->next = t;
}
static double swapped_in_memory(double *x, int n) {
  struct buffers b = {malloc(n * sizeof(double)), malloc(n * sizeof(double))};
  for (int i = 0; i < n; i++) b.now[i] = x[i], b.next[i] = 0;
  for (int t = 0; t < 4; t++) {
    for (int i = 0; i < n; i++) b.next[i] = b.now[i] * b.now[(i + 1) % n];
    swap(&b);
  }
  double s = 0;
  for (int i = 0; i < n; i++) s += b.now[i];
  free(b.now), free(b.next);
  return s;
}
CHECK_SCALAR_N(swapped_in_memory, DIFFERENCES, RANGE(4))

struct node {
  double value;
  struct node *next;
};
static double list(double *x, int n) {
  struct node *head = NULL;
  for (int i = 0; i < n; i++) {
    struct node *added = malloc(sizeof *added);
    added->value = x[i] * x[i], added->next = head;
    head = added;
  }
  double s = 1;
  for (struct node *p = head; p; p = p->next) s = s * p->value + p->value;
  while (head) {
    struct node *rest = head->next;
    free(head);
    head = rest;
  }
  return s;
}
CHECK_SCALAR_N(list, DIFFERENCES, RANGE(5))

static double list_sum(const struct node *p) {
  double s = 0;
  for (; p; p = p->next) s += p->value * p->value;
  return s;
}
CHECK_BY_HAND(list_of_the_caller) {
  struct node c = {4, NULL}, b = {3, &c}, a = {2, &b}, dc = {0, NULL}, db = {0, &dc}, da = {0, &db};
  __pardiff_autodiff((void *)list_sum, pardiff_dup, &a, &da);
  near("first", da.value, 4), near("second", db.value, 6), near("third", dc.value, 8);
  expect("the shadow's pointers stay", da.next == &db && db.next == &dc && dc.next == NULL);
}

// Parts of the shadow may be left out: by null, or by the primal's own pointer.
struct pair {
  double *a, *b;
};
static double product(const struct pair *p, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += p->a[i] * p->b[i];
  return s;
}
CHECK_BY_HAND(constant_by_pointer) {
  double a[2] = {1, 2}, b[2] = {3, 4}, da[2] = {0}, db[2] = {0};
  struct pair p = {a, b}, whole = {da, db}, null = {da, NULL}, same = {a, db};
  __pardiff_autodiff((void *)product, pardiff_dup, &p, &whole, opaque(2));
  near("a0", da[0], 3), near("a1", da[1], 4), near("b0", db[0], 1), near("b1", db[1], 2);
  __pardiff_autodiff((void *)product, pardiff_dup, &p, &null, opaque(2));
  near("a0 again", da[0], 6), near("a1 again", da[1], 8), near("b0 stays", db[0], 1);
  __pardiff_autodiff((void *)product, pardiff_dup, &p, &same, opaque(2));
  near("b0 again", db[0], 2), near("b1 again", db[1], 4), near("a stays", da[0], 6);
  expect("the primal is as it was", a[0] == 1 && a[1] == 2 && b[0] == 3 && b[1] == 4);
}

static double either(const double *x, const double *table, int n, int which) {
  const double *p = which ? x : table;
  double s = 0;
  for (int i = 0; i < n; i++) s += p[i] * p[i] * x[i];
  return s;
}
CHECK_BY_HAND(active_or_constant) {
  double x[2] = {2, 3}, table[2] = {5, 7}, d[2] = {0};
  __pardiff_autodiff((void *)either, pardiff_dup, x, d, pardiff_const, table, opaque(2), opaque(1));
  near("cube 0", d[0], 12), near("cube 1", d[1], 27);
  __pardiff_autodiff((void *)either, pardiff_dup, x, d, pardiff_const, table, opaque(2), opaque(0));
  near("table 0", d[0], 12 + 25), near("table 1", d[1], 27 + 49);
  expect("the table is as it was", table[0] == 5 && table[1] == 7);
}

static void through_pointer_to_pointer(double **p, double *x) { *p = x + 1; }
static double moved_pointer(double *x, int n) {
  double *p = x, s = 0;
  through_pointer_to_pointer(&p, x);
  double **q = &p;
  for (int i = 0; i + 1 < n; i++) s += (*q)[i] * x[i];
  return s;
}
CHECK_SCALAR_N(moved_pointer, DIFFERENCES, RANGE(5))

struct particle {
  double x, y;
  int id;
  double *weight;
};
static double sorted_particles(double *x, int n) {
  struct particle p[6], t;
  for (int i = 0; i < 6; i++) p[i] = (struct particle){x[i], x[i] * x[0], (i * 5) % 6, &x[(i + 2) % n]};
  for (int i = 0; i < 6; i++)
    for (int k = i + 1; k < 6; k++)
      if (p[k].id < p[i].id) t = p[i], p[i] = p[k], p[k] = t;
  double s = 0;
  for (int i = 0; i < 6; i++) s += (i + 1) * p[i].x * p[i].y * *p[i].weight;
  return s;
}
CHECK_SCALAR_N(sorted_particles, DIFFERENCES, RANGE(6))

static double copied_table(double *x, int n) {
  double *rows[4], *copy[4], s = 0;
  for (int i = 0; i < 4; i++) rows[i] = x + i;
  memcpy(copy, rows, sizeof rows);
  for (int i = 0; i < 4; i++) s += *copy[i] * *copy[3 - i] * *copy[i];
  return s + n;
}
CHECK_SCALAR_N(copied_table, DIFFERENCES, RANGE(4))
