// RUN: %numeric %s
// qsort, qsort_r and bsearch: what is sorted takes its derivatives and the shadows of its pointers along.
#include "check.h"

static int up(const void *a, const void *b) { double p = *(const double *)a, q = *(const double *)b; return (p > q) - (p < q); }
double doubles(double *x, int n) {
  double s = 0;
  qsort(x, n, sizeof *x, up);
  for (int i = 0; i < n; i++) s += (i + 1) * x[i] * x[i];
  return s;
}
CHECK_SCALAR_N(doubles, DIFFERENCES, RANGE(7))
struct rec { double key, value; };
static int by_key(const void *a, const void *b) { const struct rec *p = a, *q = b; return p->key < q->key ? -1 : p->key > q->key; }
double records(double *x, int n) {
  struct rec r[16]; double s = 0;
  for (int i = 0; i < n; i++) r[i] = (struct rec){sin(5 * x[i]), x[i] * x[0]};
  qsort(r, n, sizeof *r, by_key);
  for (int i = 0; i < n; i++) s += (i + 1) * r[i].value * r[i].key;
  return s;
}
CHECK_SCALAR_N(records, DIFFERENCES, RANGE(9))
struct item { double v; int id; };
static int by_v(const void *a, const void *b) { const struct item *p = a, *q = b; return p->v < q->v ? -1 : p->v > q->v; }
double items(double *x, int n) {
  struct item *r = malloc(n * sizeof *r); double s = 0;
  for (int i = 0; i < n; i++) r[i].v = x[i] * x[i], r[i].id = i;
  qsort(r, n, sizeof *r, by_v);
  for (int i = 0; i < n; i++) s += (i + 1) * r[i].v * r[i].v + r[i].id * x[r[i].id];
  free(r);
  return s;
}
CHECK_SCALAR_N(items, DIFFERENCES, RANGE(9))
static int by_pointer(const void *a, const void *b) { double p = **(double *const *)a, q = **(double *const *)b; return (p > q) - (p < q); }
double pointers(double *x, int n) {
  double *p[16], s = 0;
  for (int i = 0; i < n; i++) p[i] = &x[i];
  qsort(p, n, sizeof *p, by_pointer);
  for (int i = 0; i < n; i++) s += (i + 1) * *p[i] * *p[i];
  return s;
}
CHECK_SCALAR_N(pointers, DIFFERENCES, RANGE(9))
static const double *keys;
static int by_index(const void *a, const void *b) { int i = *(const int *)a, j = *(const int *)b; return keys[i] < keys[j] ? -1 : keys[i] > keys[j]; }
double indices(double *x, int n) {
  int k[16]; double s = 0;
  for (int i = 0; i < n; i++) k[i] = i;
  keys = x;
  qsort(k, n, sizeof *k, by_index);
  for (int i = 0; i < n; i++) s += (i + 1) * x[k[i]] * x[k[i]];
  return s;
}
CHECK_SCALAR_N(indices, DIFFERENCES, RANGE(9))
static int upf(const void *a, const void *b) { float p = *(const float *)a, q = *(const float *)b; return (p > q) - (p < q); }
float floats(float *x, int n) {
  float f[16], s = 0;
  for (int i = 0; i < n; i++) f[i] = x[i] * 2;
  qsort(f, n, sizeof *f, upf);
  for (int i = 0; i < n; i++) s += f[i] * (i + 1);
  return s * x[0];
}
CHECK_FLOAT_N(floats, DIFFERENCES, RANGE(5))
double searched(double *x, int n) {
  double grid[8] = {0, 1, 2, 3, 4, 5, 6, 7}, key = floor(x[0] * 3);
  double *at = bsearch(&key, grid, 8, sizeof *grid, up);
  return at ? x[1] * x[1] * (at - grid) : x[2];
}
CHECK_SCALAR_N(searched, DIFFERENCES, RANGE(4))
double found(double *x, int n) {
  double key = x[2];
  qsort(x, n, sizeof *x, up);
  double *at = bsearch(&key, x, n, sizeof *x, up);
  return at ? *at * *at * x[0] : x[2];
}
CHECK_SCALAR_N(found, DIFFERENCES, RANGE(4))
struct full { char name[12]; double v; double *w; int id; short k; };
static int by_vw(const void *a, const void *b) { const struct full *p = a, *q = b; double x = p->v * *p->w, y = q->v * *q->w; return x < y ? -1 : x > y; }
double fulls(double *x, int n) {
  struct full r[16]; double s = 0;
  for (int i = 0; i < n; i++) { strcpy(r[i].name, "ab"); r[i].v = x[i]; r[i].w = &x[(i + 2) % n]; r[i].id = i; r[i].k = 2; }
  qsort(r, n, sizeof *r, by_vw);
  for (int i = 0; i < n; i++) s += (i + 1) * r[i].v * *r[i].w + r[i].id * r[i].v * r[i].k + (r[i].name[1] - 'a') * r[i].v;
  return s;
}
CHECK_SCALAR_N(fulls, DIFFERENCES, RANGE(9))
static int down(const void *a, const void *b) { return up(b, a); }
double repeated(double *x, int n) {
  double s = 0;
  for (int k = 0; k < 3; k++) {
    qsort(x, n, sizeof *x, k % 2 ? up : down);
    for (int i = 0; i < n; i++) { s += (i + 1) * x[i] * x[i]; x[i] = sin(x[i] + i); }
  }
  return s;
}
CHECK_SCALAR_N(repeated, DIFFERENCES, RANGE(7))
double halves(double *x, int n) {
  qsort(x, n / 2, sizeof *x, up); qsort(x + n / 2, n - n / 2, sizeof *x, down); qsort(x, 0, sizeof *x, up); qsort(x, 1, 8, up);
  double s = 0; for (int i = 0; i < n; i++) s = s * 0.5 + x[i] * x[n - 1 - i]; return s;
}
CHECK_SCALAR_N(halves, DIFFERENCES, RANGE(7))
static double quantile(double *x, int n, double q) { double c[64]; memcpy(c, x, n * sizeof *c); qsort(c, n, sizeof *c, up); double at = q * (n - 1); int i = at; return c[i] + (at - i) * (c[i + 1] - c[i]); }
double quantiles(double *x, int n) { return quantile(x, n, 0.3) * quantile(x, n, 0.75); }
CHECK_SCALAR_N(quantiles, DIFFERENCES, RANGE(12))
struct ctx { const double *keys; double sign; };
static int by_ctx(const void *a, const void *b, void *c) { struct ctx *k = c; double d = k->sign * (k->keys[*(const int *)a] - k->keys[*(const int *)b]); return (d > 0) - (d < 0); }
void qsort_r(void *, size_t, size_t, int (*)(const void *, const void *, void *), void *);
double with_context(double *x, int n) { int k[16]; struct ctx c = {x, -1}; for (int i = 0; i < n; i++) k[i] = i; qsort_r(k, n, sizeof *k, by_ctx, &c); double s = 0; for (int i = 0; i < n; i++) s += (i + 1) * x[k[i]] * x[k[0]]; return s; }
CHECK_SCALAR_N(with_context, DIFFERENCES, RANGE(8))
struct pair { float a; int b; };
static int by_a(const void *p, const void *q) { float a = ((const struct pair *)p)->a, b = ((const struct pair *)q)->a; return (a > b) - (a < b); }
float pairs(float *x, int n) { struct pair p[16]; for (int i = 0; i < n; i++) p[i].a = x[i] * x[i], p[i].b = i; qsort(p, n, sizeof *p, by_a); float s = 0; for (int i = 0; i < n; i++) s += p[i].a * p[i].b + x[p[i].b] * i; return s; }
CHECK_FLOAT_N(pairs, DIFFERENCES, RANGE(6))
struct spot { double c[3]; };
static int by_norm(const void *p, const void *q) { const struct spot *a = p, *b = q; double x = 0, y = 0; for (int i = 0; i < 3; i++) x += a->c[i] * a->c[i], y += b->c[i] * b->c[i]; return (x > y) - (x < y); }
double points(double *x, int n) { struct spot *p = malloc(n / 3 * sizeof *p); for (int i = 0; i < n / 3 * 3; i++) p[i / 3].c[i % 3] = x[i] * x[0]; qsort(p, n / 3, sizeof *p, by_norm); double s = 0; for (int i = 0; i < n / 3; i++) s += (i + 1) * p[i].c[0] * p[i].c[1] * p[i].c[2]; free(p); return s; }
CHECK_SCALAR_N(points, DIFFERENCES, RANGE(15))
static double nth(double *x, int n) { qsort(x, n, sizeof *x, up); return n < 3 ? x[0] : x[0] * nth(x + 1, n - 1) + x[n - 1]; }
double inrecursion(double *x, int n) { return nth(x, n); }
CHECK_SCALAR_N(inrecursion, DIFFERENCES, RANGE(6))
static double look(const double *grid, const double *y, int n, double at) { int i = 0; const double *p = bsearch(&at, grid, n, sizeof *grid, up); if (p) return y[p - grid]; while (i + 2 < n && grid[i + 1] < at) i++; double t = (at - grid[i]) / (grid[i + 1] - grid[i]); return y[i] * (1 - t) + y[i + 1] * t; }
double interpolated(double *x, int n) { double g[8], y[8]; for (int i = 0; i < 8; i++) g[i] = i * 0.3 + 0.01 * x[0], y[i] = x[i % n] * i; return look(g, y, 8, x[1]) * look(g, y, 8, g[3]); }
CHECK_SCALAR_N(interpolated, DIFFERENCES, RANGE(6))
extern int strcmp(const char *, const char *);
static int names(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }
double bynames(double *x, int n) { const char *k[3] = {"b", "c", "a"}; qsort(k, 3, sizeof *k, names); return x[k[0][0] - 'a'] * x[k[2][0] - 'a']; }
CHECK_SCALAR_N(bynames, DIFFERENCES, RANGE(4))
