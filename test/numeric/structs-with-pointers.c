// RUN: %numeric %s
// Structs with small integers, characters and pointers, copied by assignment, also in functions that stay calls: shadows of
// the pointers are copied along.
#include "check.h"

struct a { short k; double *p; };
double shorts(double *x, int n) {
  struct a t[8]; double s = 0;
  for (int i = 0; i < n; i++) { t[i].k = i; t[i].p = &x[i]; }
  for (int i = 0; i < n; i++) { struct a q = t[i]; t[i] = t[n - 1 - i]; t[n - 1 - i] = q; }
  for (int i = 0; i < n; i++) s += *t[i].p * t[i].k * *t[0].p;
  return s;
}
CHECK_SCALAR_N(shorts, DIFFERENCES, RANGE(6))
struct b { char name[4]; double *p; };
double chars(double *x, int n) {
  struct b t[8]; double s = 0;
  for (int i = 0; i < n; i++) { t[i].name[0] = 'a' + i; t[i].name[1] = 0; t[i].p = &x[i]; }
  for (int i = 0; i < n; i++) { struct b q = t[i]; t[i] = t[n - 1 - i]; t[n - 1 - i] = q; }
  for (int i = 0; i < n; i++) s += *t[i].p * (t[i].name[0] - 'a') * *t[0].p;
  return s;
}
CHECK_SCALAR_N(chars, DIFFERENCES, RANGE(6))
struct c { int k; double *p; };
double ints(double *x, int n) {
  struct c t[8]; double s = 0;
  for (int i = 0; i < n; i++) { t[i].k = i; t[i].p = &x[i]; }
  for (int i = 0; i < n; i++) { struct c q = t[i]; t[i] = t[n - 1 - i]; t[n - 1 - i] = q; }
  for (int i = 0; i < n; i++) s += *t[i].p * t[i].k * *t[0].p;
  return s;
}
CHECK_SCALAR_N(ints, DIFFERENCES, RANGE(6))
struct r { int key; double *p; };
static double walk(struct r *r, int n) {
  if (n == 0) return 1;
  struct r t = r[n - 1];
  return t.key * *t.p * walk(r, n - 1) + *t.p;
}
double recursed(double *x, int n) {
  struct r r[8];
  for (int i = 0; i < n; i++) r[i] = (struct r){i + 1, &x[i]};
  return walk(r, n);
}
CHECK_SCALAR_N(recursed, DIFFERENCES, RANGE(5))
static void rsort(struct r *a, int n) {
  if (n < 2) return;
  for (int i = 1; i < n; i++) if (*a[i].p < *a[0].p) { struct r t = a[0]; a[0] = a[i]; a[i] = t; }
  rsort(a + 1, n - 1);
}
double sorted_by_calls(double *x, int n) {
  struct r r[8]; double s = 0;
  for (int i = 0; i < n; i++) { r[i].key = i; r[i].p = &x[i]; }
  rsort(r, n);
  for (int i = 0; i < n; i++) s += (i + 1) * *r[i].p * r[i].key;
  return s;
}
CHECK_SCALAR_N(sorted_by_calls, DIFFERENCES, RANGE(5))
struct e { char c; short k; int j; double *p; char name[12]; double v; };
double mixed(double *x, int n) {
  struct e t[8]; double s = 0;
  for (int i = 0; i < n; i++) { t[i].c = i; t[i].k = i; t[i].j = 2; t[i].p = &x[i]; strcpy(t[i].name, "abc"); t[i].v = x[i]; }
  for (int i = 0; i < n; i++) { struct e q = t[i]; t[i] = t[n - 1 - i]; t[n - 1 - i] = q; }
  for (int i = 0; i < n; i++) s += *t[i].p * t[i].k * *t[0].p * t[i].v + t[i].j * t[i].v * (t[i].name[1] - 'a');
  return s;
}
CHECK_SCALAR_N(mixed, DIFFERENCES, RANGE(6))
