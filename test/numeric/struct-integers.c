// RUN: %numeric %s
// Structs with integers beside numbers, copied by assignment and in blocks: the integers carry no derivative.
#include "check.h"
struct ints { int a; double v; int b[3]; };
double sorting(double *x, int n) {
  struct ints t[8];
  for (int i = 0; i < n; i++) t[i] = (struct ints){i, x[i] * x[i], {i, 2 * i, 3}};
  for (int i = 0; i < n; i++) for (int k = i + 1; k < n; k++) if (t[k].v < t[i].v) { struct ints q = t[i]; t[i] = t[k]; t[k] = q; }
  double s = 0;
  for (int i = 0; i < n; i++) s += t[i].v * (i + 1) + t[i].b[1] * x[t[i].a];
  return s;
}
CHECK_SCALAR_N(sorting, DIFFERENCES, RANGE(7))
double heapstruct(double *x, int n) {
  struct ints *t = malloc(n * sizeof *t), *u = malloc(n * sizeof *u);
  for (int i = 0; i < n; i++) { t[i].a = i; t[i].v = x[i] * x[i]; t[i].b[0] = t[i].b[1] = t[i].b[2] = i; }
  memcpy(u, t, n * sizeof *t);
  for (int i = 0; i < n; i++) { struct ints q = u[(i + 1) % n]; q.v *= t[i].v; u[i] = q; }
  double s = 0;
  for (int i = 0; i < n; i++) s += u[i].v * u[i].b[2];
  free(t); free(u);
  return s;
}
CHECK_SCALAR_N(heapstruct, DIFFERENCES, RANGE(7))
struct gs { double a; int k; double b[2]; };
static struct gs tab[4];
double gtab(double *x, int n) {
  for (int i = 0; i < n; i++) { struct gs *p = &tab[i % 4]; p->a = x[i] * x[i]; p->k = i; p->b[i & 1] = x[i]; p->b[1 - (i & 1)] = 2; }
  double s = 0;
  for (int i = 0; i < 4; i++) { struct gs c = tab[i]; s += c.a * c.b[0] + c.k * c.b[1]; tab[(i + 1) % 4] = c; }
  return s + tab[0].a;
}
CHECK_SCALAR_N(gtab, DIFFERENCES, RANGE(6))

struct rec { int key; double v; int *ref; };
static void sort(struct rec *a, int n) {
  if (n < 2) return;
  struct rec p = a[n / 2]; a[n / 2] = a[0]; a[0] = p;
  int m = 0;
  for (int i = 1; i < n; i++) if (a[i].v < p.v) { m++; struct rec t = a[i]; a[i] = a[m]; a[m] = t; }
  a[0] = a[m]; a[m] = p;
  sort(a, m); sort(a + m + 1, n - m - 1);
}
double quick(double *x, int n) {
  struct rec *a = malloc(n * sizeof *a); int k[16];
  for (int i = 0; i < n; i++) { k[i] = i; a[i].key = i; a[i].v = x[i] * x[i]; a[i].ref = &k[i]; }
  sort(a, n);
  double s = 0;
  for (int i = 0; i < n; i++) s += (i + 1) * a[i].v + a[i].key * x[*a[i].ref];
  free(a);
  return s;
}
CHECK_SCALAR_N(quick, DIFFERENCES, RANGE(8))
