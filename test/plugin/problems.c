// All problems of a file are reported at once, each at its line, in every tool; nothing is written.
// RUN: not %pardiff-clang -gline-tables-only -c %s -o %t.o 2>&1 | FileCheck %s --check-prefixes=CHECK,CLANG
// RUN: test ! -e %t.o
// RUN: %clang -I%include -g -O1 -Xclang -disable-llvm-passes -S -emit-llvm %s -o %t.ll
// RUN: not %pardiff-opt -passes=pardiff %t.ll -S -o %t.out.ll 2>&1 | FileCheck %s --check-prefixes=CHECK,OPT
// RUN: not %pardiff-clang -O2 -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=NOLINES
#include <pardiff.h>
double unknown(double);
static double inner(double x) {
  return x * unknown(x); // line 10
}
double f(double x) { return inner(x); } // line 12
double g(double x) { return x; }
double *h(double *x) { return x; }

double requests(double *x, double *dx) {
  double r = __pardiff_autodiff((void *)f, 1.0);
  r += __pardiff_autodiff((void *)g); // line 18
  r += __pardiff_autodiff((void *)g, 1.0, 2.0);
  r += __pardiff_autodiff((void *)g, "text");
  r += __pardiff_autodiff((void *)unknown, 1.0); // line 21
  return r + __pardiff_autodiff((void *)requests, x);
}
// CHECK-DAG: problems.c:10:{{.*}}'unknown' has no definition here {{.*}}[PD0004]
// CHECK-DAG: problems.c:18:{{.*}}argument 1 of 'g' is missing in the call [PD0001]
// CHECK-DAG: problems.c:19:{{.*}}'g' takes 1 arguments; the call has 1 operands more than they and their shadows need [PD0001]
// CHECK-DAG: problems.c:20:{{.*}}argument 1 of 'g' has type double, the call passes a pointer [PD0001]
// CHECK-DAG: problems.c:21:{{.*}}'unknown' is only declared here; define it in this file{{.*}}[PD0003]
// CHECK-DAG: problems.c:22:{{.*}}argument 1 of 'requests' is a pointer without a shadow; pass its shadow after it, or mark it pardiff_const [PD0001]
// CLANG: 6 errors generated.
// OPT-NOT: warning
// Without line tables the function that the user wrote is named by its own line.
// NOLINES-DAG: problems.c:12:{{.*}}'unknown' has no definition here
// NOLINES-DAG: problems.c:16:{{.*}}argument 1 of 'g' is missing in the call
