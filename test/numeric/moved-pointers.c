// RUN: %numeric %s
// Functions that stay calls and move pointers: the shadows move with them, though these functions touch no number.
#include "check.h"
static double *pick(double *a, double *b, int d) { return d == 0 ? a : pick(b, a + 1, d - 1); }
double picks(double *x, int n) { double l[4] = {x[0], x[1] * x[1], x[2], x[0]}, m[4] = {x[1], 2, x[2] * x[0], 1}; double s = 0; for (int d = 0; d < 4; d++) { double *p = pick(l, m, d); s += *p * x[d % n]; *p += x[0]; } return s + l[0] * m[0] + l[1] * m[1]; }
CHECK_SCALAR_N(picks, DIFFERENCES, RANGE(3))
static void turn(double **p, int n) { if (n < 2) return; double *t = p[0]; p[0] = p[n - 1]; p[n - 1] = t; turn(p + 1, n - 2); }
double turned(double *x, int n) { double *p[8]; for (int i = 0; i < n; i++) p[i] = &x[i]; turn(p, n); double s = 0; for (int i = 0; i < n; i++) { s += (i + 1) * *p[i] * *p[i]; } return s; }
CHECK_SCALAR_N(turned, DIFFERENCES, RANGE(5))
struct list { double v; struct list *next; };
static struct list *reversed(struct list *l, struct list *done) { if (!l) return done; struct list *next = l->next; l->next = done; return reversed(next, l); }
double backwards(double *x, int n) { struct list c[8], *l = 0; for (int i = 0; i < n; i++) { c[i].v = x[i]; c[i].next = l; l = &c[i]; } l = reversed(l, 0); double s = 0; for (; l; l = l->next) s = 0.5 * s + l->v * l->v; return s; }
CHECK_SCALAR_N(backwards, DIFFERENCES, RANGE(6))
struct hold { double *p; };
static void tie(struct hold *h, double *b, int d) { if (d) { tie(h, b + 1, d - 1); return; } h->p = b; }
double tied(double *x, int n) { struct hold h = {x}; tie(&h, x, 2); return *h.p * x[0] * x[1]; }
CHECK_SCALAR_N(tied, DIFFERENCES, RANGE(4))
static struct list *last(struct list *l) { return l->next ? last(l->next) : l; }
double appended(double *x, int n) { struct list c[8]; for (int i = 0; i < n; i++) { c[i].v = x[i]; c[i].next = 0; if (i) last(c)->next = &c[i]; } double s = 0; for (struct list *l = c; l; l = l->next) s = s * 0.3 + sin(l->v); return s + last(c)->v; }
CHECK_SCALAR_N(appended, DIFFERENCES, RANGE(6))
static void set(struct hold *h, double *b) { h->p = b; }
CHECK_BY_HAND(top) { double b = 1, db = 0; struct hold h = {0}, dh = {0}; __pardiff_autodiff((void *)set, pardiff_dup, &h, &dh, pardiff_dup, &b, &db); expect("shadow", dh.p == &db); }
// What calls pass on of memory that only they look at.
static struct list *lastnext(struct list *l, int d) { return d ? lastnext(l, d - 1) : l->next; }
static double use_last(struct list *l) { struct list *p = last(l); return p->v * p->v; }
static double use_next(struct list *l) { struct list *p = lastnext(l, 2); return p->v * p->v; }
CHECK_BY_HAND(lists) {
  struct list b = {2, 0}, a = {3, &b}, db = {0}, da = {0, &db};
  __pardiff_autodiff((void *)use_last, pardiff_dup, &a, &da); near("last", db.v, 4); near("first", da.v, 0);
  __pardiff_autodiff((void *)use_next, pardiff_dup, &a, &da); near("last", db.v, 8); near("first", da.v, 0);
}
static void outh(struct hold *h, double **p, int d) { if (d) outh(h, p, d - 1); else *p = h->p; }
static double use_h(struct hold *h) { double *p; outh(h, &p, 2); return p[0] * p[1]; }
CHECK_BY_HAND(holder) {
  double a[2] = {2, 3}, da[2] = {0}; struct hold h = {a}, dh = {da};
  __pardiff_autodiff((void *)use_h, pardiff_dup, &h, &dh); near("0", da[0], 3); near("1", da[1], 2);
}
