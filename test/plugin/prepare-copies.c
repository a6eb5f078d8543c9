// Copies of structs stay copies of numbers: no pass makes integers of them.
// RUN: for level in -O0 -O2; do PARDIFF_OPTIONS="print=prepare verify-each" \
// RUN:   %pardiff-clang $level -fno-discard-value-names -c %s -o %t.o 2>&1 | FileCheck %s; done
#include <pardiff.h>
#include <string.h>
struct one { double v; };
struct two { float a, b; };
struct mixed { double a; int k; struct one inner[2]; };

// CHECK-LABEL: define internal double @pardiff.primal.small
// CHECK-NOT: {{load i64|store i64}}
// CHECK: {{^}}}
double small(struct one *a, struct two *b, struct one *c) {
  struct one t = a[0];
  a[0] = a[1];
  a[1] = t;
  b[0] = b[1];
  *c = *a;
  return a[0].v * b[0].a + c->v;
}

// CHECK-LABEL: define internal double @pardiff.primal.whole
// CHECK-NOT: {{load i64|store i64|alloca|memcpy}}
// CHECK: {{^}}}
double whole(struct mixed *q, int n) {
  struct mixed r = *q;
  struct one w = n > 2 ? r.inner[0] : q->inner[1];
  return r.a * w.v;
}

// Nothing says what is copied: it stays one block, for the phases that know better.
// CHECK-LABEL: define internal double @pardiff.primal.untyped
// CHECK: call void @llvm.memcpy.p0.p0.i64(ptr {{.*}}%to, ptr {{.*}}%from, i64 8, i1 false)
// CHECK: call void @llvm.memset.p0.i64(ptr {{.*}}%from, i8 0, i64 8, i1 false)
// CHECK: {{^}}}
double untyped(void *to, void *from) {
  memcpy(to, from, 8);
  memset(from, 0, 8);
  return *(double *)to;
}

double d[8];
double requests(double *x) {
  return __pardiff_autodiff((void *)small, x, d, x, d, x, d) + __pardiff_autodiff((void *)whole, x, d, 3) +
         __pardiff_autodiff((void *)untyped, x, d, x, d);
}
