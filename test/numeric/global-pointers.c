// RUN: %numeric %s
// Pointers in global variables that the function sets itself: their shadows are in the variables' shadows. On entry these
// are empty, whatever an earlier derivative left.
#include "check.h"

static double *buf;
double alloc(double *x, int n) {
  buf = malloc(n * sizeof(double));
  for (int i = 0; i < n; i++) buf[i] = x[i] * x[i];
  double s = 0;
  for (int i = 0; i < n; i++) s += buf[i] * x[(i + 1) % n];
  free(buf);
  return s;
}
CHECK_SCALAR_N(alloc, DIFFERENCES, RANGE(5))

static double *now, *next;
static void exchange(void) { double *t = now; now = next, next = t; }
double swapped(double *x, int n) {
  double a[8], b[8];
  now = a, next = b;
  for (int i = 0; i < n; i++) now[i] = x[i];
  for (int t = 0; t < 3; t++) {
    for (int i = 0; i < n; i++) next[i] = now[i] * now[(i + 1) % n];
    exchange();
  }
  double s = 0;
  for (int i = 0; i < n; i++) s += now[i];
  return s;
}
CHECK_SCALAR_N(swapped, DIFFERENCES, RANGE(4))

static double *arg;
static double look(int i) { return arg[i] * arg[0]; }
double argument(double *x, int n) {
  arg = x;
  double s = 0;
  for (int i = 0; i < n; i++) s += look(i) * i;
  return s;
}
CHECK_SCALAR_N(argument, DIFFERENCES, RANGE(4))

static struct { double *a, *b; int n; double scale; } work;
static void fill(void) { for (int i = 0; i < work.n; i++) work.b[i] = work.scale * work.a[i] * work.a[i]; }
double structure(double *x, int n) {
  double local[8];
  work.a = x, work.b = local, work.n = n, work.scale = x[0];
  fill();
  double s = 0;
  for (int i = 0; i < n; i++) s += work.b[i] * work.a[i];
  return s;
}
CHECK_SCALAR_N(structure, DIFFERENCES, RANGE(4))

static double *tree_data;
static double recursive(int from, int to) {
  if (to - from == 1) return tree_data[from] * tree_data[from];
  int m = (from + to) / 2;
  return recursive(from, m) * 0.7 + recursive(m, to);
}
double tree(double *x, int n) {
  tree_data = x;
  return recursive(0, n);
}
CHECK_SCALAR_N(tree, DIFFERENCES, RANGE(5))

struct cell { double v; struct cell *next; };
static struct cell *head;
static void push(double v) { struct cell *c = malloc(sizeof *c); c->v = v, c->next = head, head = c; }
double stack(double *x, int n) {
  head = 0;
  for (int i = 0; i < n; i++) push(x[i] * x[i]);
  double s = 0;
  for (struct cell *c = head; c; c = c->next) s = s * 0.5 + c->v;
  while (head) { struct cell *c = head; head = c->next; free(c); }
  return s;
}
CHECK_SCALAR_N(stack, DIFFERENCES, RANGE(5))


static double *choice;
double chosen(double *x, int n) {
  double a[8], b[8];
  if (x[0] > x[1]) choice = a; else choice = b;
  for (int i = 0; i < n; i++) choice[i] = x[i] * x[i];
  double s = 0;
  for (int i = 0; i < n; i++) s += choice[i] * x[0];
  return s;
}
CHECK_SCALAR_N(chosen, DIFFERENCES, RANGE(4))

static double outer_data[8] = {1, 2, 3, 4, 5, 6, 7, 8}, *coef = outer_data, *coef2 = outer_data;
__attribute__((constructor)) static void set(void) { coef = outer_data + opaque(0); coef2 = coef; }
double readonly(double *x, int n) { double s = 0; for (int i = 0; i < n; i++) s += coef[i] * x[i] * x[i]; return s; }
CHECK_SCALAR_N(readonly, DIFFERENCES, RANGE(4))
double either(double *x, int n) {
  double a[8]; double *old = coef2; if (x[0] > 1) coef2 = a; for (int i = 0; i < 8; i++) a[i] = x[i % n] * x[0];
  double s = 0; for (int i = 0; i < n; i++) s += coef2[i] * x[i]; coef2 = old; return s; }
CHECK_SCALAR_N(either, DIFFERENCES, RANGE(4))
double neither(double *x, int n) {
  double a[8]; double *old = coef2; if (x[0] > 100) coef2 = a; for (int i = 0; i < 8; i++) a[i] = x[i % n] * x[0];
  double s = 0; for (int i = 0; i < n; i++) s += coef2[i] * x[i]; coef2 = old; return s; }
CHECK_SCALAR_N(neither, DIFFERENCES, RANGE(4))
static double recread(const double *x, int n) { return n ? coef[n] * x[n - 1] + 0.5 * recread(x, n - 1) : 0; }
double recreads(double *x, int n) { return recread(x, n) * x[0]; }
CHECK_SCALAR_N(recreads, DIFFERENCES, RANGE(4))
static double *space;
static void wfill(const double *x, int n) { if (n) { space[n - 1] = x[n - 1] * x[0]; wfill(x, n - 1); } }
static double wsum(int n) { return n ? space[n - 1] * space[0] + wsum(n - 1) : 0; }
double recboth(double *x, int n) { space = malloc(n * 8); wfill(x, n); double s = wsum(n); free(space); return s; }
CHECK_SCALAR_N(recboth, DIFFERENCES, RANGE(4))
struct w { double *a, *b; double scale; int n; };
static struct w gw, gw2;
double assigned(double *x, int n) { double l[8], m[8]; struct w t = {x, l, x[0], n}; gw = t; for (int i = 0; i < n; i++) gw.b[i] = gw.a[i] * gw.scale;
  gw2 = gw; gw2.a = m; for (int i = 0; i < n; i++) gw2.a[i] = gw2.b[i] * gw2.b[i]; struct w u = gw2; double s = 0; for (int i = 0; i < u.n; i++) s += u.a[i] * u.b[i] * u.scale; return s; }
CHECK_SCALAR_N(assigned, DIFFERENCES, RANGE(5))
static double **pp;
double twofold(double *x, int n) { double *q = x, l[8]; pp = &q; for (int i = 0; i < n; i++) l[i] = (*pp)[i] * (*pp)[0]; *pp = l; double s = 0; for (int i = 0; i < n; i++) s += (*pp)[i] * q[i]; return s; }
CHECK_SCALAR_N(twofold, DIFFERENCES, RANGE(5))
static double *reset;
double again(double *x, int n) { double s = 0; for (int k = 0; k < 3; k++) { reset = malloc(n * sizeof *reset); for (int i = 0; i < n; i++) reset[i] = x[i] * x[k]; for (int i = 0; i < n; i++) s += reset[i] * reset[i]; free(reset); reset = NULL; } return s; }
CHECK_SCALAR_N(again, DIFFERENCES, RANGE(5))
static double *level[3];
double fixedplaces(double *x, int n) { double a[8], b[8]; level[0] = x, level[1] = a, level[2] = b; for (int i = 0; i < n; i++) level[1][i] = level[0][i] * level[0][i]; for (int i = 0; i < n; i++) level[2][i] = level[1][i] * level[0][n - 1 - i]; double s = 0; for (int i = 0; i < n; i++) s += level[2][i] * level[1][0]; return s; }
CHECK_SCALAR_N(fixedplaces, DIFFERENCES, RANGE(5))
struct tree { double v; struct tree *l, *r; };
static struct tree *root;
static struct tree *insert(struct tree *t, double v) { if (!t) { t = calloc(1, sizeof *t); t->v = v; return t; } if (v < t->v) t->l = insert(t->l, v); else t->r = insert(t->r, v); return t; }
static double tsum(const struct tree *t, double k) { return t ? tsum(t->l, k * 0.5) + k * t->v * t->v + tsum(t->r, k * 0.7) : 0; }
static void tfree(struct tree *t) { if (t) { tfree(t->l); tfree(t->r); free(t); } }
double bst(double *x, int n) { root = 0; for (int i = 0; i < n; i++) root = insert(root, x[i]); double s = tsum(root, 1); tfree(root); return s; }
CHECK_SCALAR_N(bst, DIFFERENCES, RANGE(7))
double bstsum(void) { return tsum(root, 1); }
static void ins(double v) { root = insert(root, v); }
double bst2(double *x, int n) { root = 0; for (int i = 0; i < n; i++) ins(x[i] * x[0]); double s = bstsum(); tfree(root); root = 0; return s; }
CHECK_SCALAR_N(bst2, DIFFERENCES, RANGE(7))
static double arena[64]; static double *top;
static double *take(int n) { double *p = top; top += n; return p; }
double arenas(double *x, int n) { top = arena; double *a = take(n), *b = take(n); for (int i = 0; i < n; i++) a[i] = x[i] * x[i]; for (int i = 0; i < n; i++) b[i] = a[i] * a[n - 1 - i]; double s = 0; for (int i = 0; i < n; i++) s += b[i]; return s; }
CHECK_SCALAR_N(arenas, DIFFERENCES, RANGE(6))

static double *work2;
static double *get2(int d) { return d ? get2(d - 1) : work2; }
double getter2(double *x, int n) { double l[8]; work2 = l; double *p = get2(3); for (int i = 0; i < n; i++) p[i] = x[i] * x[i]; double s = 0; for (int i = 0; i < n; i++) s += l[i] * p[0]; return s; }
CHECK_SCALAR_N(getter2, DIFFERENCES, RANGE(4))
static struct { double *p; } gh;
static void sg(double *q, int d) { if (d) sg(q, d - 1); else gh.p = q; }
double setg(double *x, int n) { gh.p = 0; sg(x, 2); return gh.p[0] * gh.p[1]; }
CHECK_SCALAR_N(setg, DIFFERENCES, RANGE(4))

// Tables of pointers: whether an element was set is seen while running.
static double *rows[4];
double table(double *x, int n) {
  double local[4][2];
  for (int i = 0; i < 4; i++) rows[i] = local[i];
  for (int i = 0; i < 4; i++) rows[i][0] = x[i % n] * x[0], rows[i][1] = x[i % n];
  double s = 0;
  for (int i = 0; i < 4; i++) s += rows[i][0] * rows[3 - i][1];
  return s;
}
CHECK_SCALAR_N(table, DIFFERENCES, RANGE(4))
static double **grid; static int rowsn;
double matrix(double *x, int n) {
  grid = malloc(n * sizeof *grid);
  for (int i = 0; i < n; i++) { grid[i] = malloc(n * sizeof(double)); for (int k = 0; k < n; k++) grid[i][k] = x[i] * x[k]; }
  double s = 0;
  for (int i = 0; i < n; i++) for (int k = 0; k < n; k++) s += grid[i][k] * grid[k][0];
  for (int i = 0; i < n; i++) free(grid[i]);
  free(grid);
  return s;
}
CHECK_SCALAR_N(matrix, DIFFERENCES, RANGE(4))
static struct cell *heads[3];
double hashed(double *x, int n) {
  for (int i = 0; i < 3; i++) heads[i] = NULL;
  for (int i = 0; i < n; i++) { struct cell *c = malloc(sizeof *c); c->v = x[i] * x[0]; c->next = heads[i % 3]; heads[i % 3] = c; }
  double s = 0;
  for (int i = 0; i < 3; i++) for (struct cell *c = heads[i]; c; c = c->next) s = s * 0.5 + c->v * c->v;
  for (int i = 0; i < 3; i++) while (heads[i]) { struct cell *c = heads[i]; heads[i] = c->next; free(c); }
  return s;
}
CHECK_SCALAR_N(hashed, DIFFERENCES, RANGE(7))
static struct { double *in, *out; int n; } layers[3];
double network(double *x, int n) {
  double v[4][8];
  for (int i = 0; i < n; i++) v[0][i] = x[i];
  for (int k = 0; k < 3; k++) layers[k].in = v[k], layers[k].out = v[k + 1], layers[k].n = n;
  for (int k = 0; k < 3; k++) for (int i = 0; i < layers[k].n; i++) layers[k].out[i] = layers[k].in[i] * layers[k].in[(i + 1) % n] + x[0];
  double s = 0; for (int i = 0; i < n; i++) s += layers[2].out[i]; return s;
}
CHECK_SCALAR_N(network, DIFFERENCES, RANGE(4))
static double recrow(int n) { return n < 0 ? 0 : rows[n][0] * rows[n][1] + recrow(n - 1); }
double by_recursion(double *x, int n) { double l[4][2]; for (int i = 0; i < 4; i++) rows[i] = l[i]; for (int i = 0; i < 4; i++) l[i][0] = x[i], l[i][1] = x[0]; return recrow(3); }
CHECK_SCALAR_N(by_recursion, DIFFERENCES, RANGE(4))
