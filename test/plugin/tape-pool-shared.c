// Modules of a program share a pool; shared objects have one each, and give back what another took.
// RUN: %pardiff-clang -O1 -fPIC -shared %s -o %t.one.so -DPART=one -lm
// RUN: %pardiff-clang -O1 -fPIC -shared %s -o %t.two.so -DPART=two -lm
// RUN: %pardiff-clang -O1 -c %s -o %t.o -DPART=other
// RUN: %pardiff-clang -O1 %s %t.o -o %t -DPART=own -DMAIN -lm -ldl
// RUN: %t %t.one.so %t.two.so
// RUN: nm %t | FileCheck %s --implicit-check-not=pool_1
// RUN: %pardiff-clang -O1 -flto -fuse-ld=lld %s -c -o %t.o -DPART=other
// RUN: %pardiff-clang -O1 -flto -fuse-ld=lld %s %t.o -o %t -DPART=own -DMAIN -lm -ldl
// RUN: %t %t.one.so %t.two.so
// CHECK: __pardiff_pool_1
#include "pardiff.h"
#include <assert.h>
#include <dlfcn.h>
#include <math.h>
#include <stdlib.h>

#define JOIN(a, b) a##b
#define NAME(a, b) JOIN(a, b)

// The same function everywhere, so that a tape of one part fits the reverse sweep of another.
static double f(const double *x, long n) {
  double s = *x;
  for (long i = 0; i < n; i++) s = sin(s);
  return s;
}
void *NAME(PART, _forward)(const double *x, double *dx, long n) { return __pardiff_augmentfwd((void *)f, x, dx, n); }
void NAME(PART, _reverse)(const double *x, double *dx, long n, void *tape) {
  __pardiff_reverse((void *)f, x, dx, n, 1.0, tape);
}
unsigned long NAME(PART, _keep)(unsigned long bytes) { return __pardiff_keep_memory(bytes); }

#ifdef MAIN
typedef void *forward(const double *, double *, long);
typedef void reverse(const double *, double *, long, void *);
void *other_forward(const double *x, double *dx, long n);
void other_reverse(const double *x, double *dx, long n, void *tape);
unsigned long other_keep(unsigned long bytes);

static void *find(const char *file, const char *name) {
  void *object = dlopen(file, RTLD_NOW | RTLD_LOCAL), *found = object ? dlsym(object, name) : NULL;
  assert(found);
  return found;
}

static double slope(forward *go, reverse *back, long n) {
  double x = 0.7, dx = 0;
  back(&x, &dx, n, go(&x, &dx, n));
  return dx;
}

int main(int argc, char **argv) {
  assert(argc == 3);
  forward *go[] = {own_forward, other_forward, (forward *)find(argv[1], "one_forward"), (forward *)find(argv[2], "two_forward")};
  reverse *back[] = {own_reverse, other_reverse, (reverse *)find(argv[1], "one_reverse"), (reverse *)find(argv[2], "two_reverse")};
  for (long n = 1; n <= 1000000; n *= 1000)
    for (int i = 0; i < 16; i++) {
      double here = slope(go[i % 4], back[i / 4], n), there = slope(own_forward, own_reverse, n);
      assert(here > 0 && fabs(here - there) <= 1e-12 * there);
    }
  own_keep(12345);
  assert(other_keep(54321) == 12345 && own_keep(0) == 54321);
  unsigned long (*keep)(unsigned long) = (unsigned long (*)(unsigned long))find(argv[1], "one_keep");
  assert(keep(0) != 0);
  for (int k = 0; k < 4; k++) // twice each, as found above
    dlclose(dlopen(argv[1 + k % 2], RTLD_NOW | RTLD_LOCAL));
  assert(slope(own_forward, own_reverse, 1000000) > 0);
}
#endif
