// How requests are understood: markers in all their forms, defaults by type, equal ones share one function.
// RUN: %clang -O0 -Xclang -disable-O0-optnone -Xclang -disable-llvm-passes -S -emit-llvm %s -o %t.ll
// RUN: %pardiff-opt -passes='pardiff<print=requests>' %t.ll -S -o %t.out.ll 2>&1 | FileCheck %s --match-full-lines
// RUN: FileCheck %s --check-prefix=SHARED < %t.out.ll
// RUN: FileCheck %s --check-prefix=GONE < %t.out.ll
extern int enzyme_dup, enzyme_const, enzyme_out, enzyme_dupnoneed, enzyme_primal_return, enzyme_const_return;
extern int pardiff_dup;
double __enzyme_autodiff(void *, ...);
double __enzyme_autodiff_by_suffix(void *, ...);
double __pardiff_fwddiff(void *, ...);

double f(double *x, int n, double y) { return n * x[0] * y; }
float g(float x) { return x * x; }
void h(double *x, double *y) { y[0] = x[0] * x[0]; }

void requests(double *x, double *dx, double *y, double *dy) {
  void *pointer = (void *)f;
  // CHECK: pardiff: requests of the module
  // CHECK-NEXT:   in requests: Reverse f(dup, const, out) active_return
  __enzyme_autodiff((void *)f, x, dx, 3, 2.0);
  // CHECK-NEXT:   in requests: Reverse f(dup, const, const) active_return
  __enzyme_autodiff(pointer, enzyme_dup, x, dx, enzyme_const, 3, enzyme_const, 2.0);
  // CHECK-NEXT:   in requests: Reverse f(const, const, out) active_return primal_return
  __enzyme_autodiff(pointer, enzyme_primal_return, enzyme_const, x, 3, enzyme_out, 2.0);
  // CHECK-NEXT:   in requests: Reverse f(dup, const, out)
  __enzyme_autodiff(f, enzyme_const_return, pardiff_dup, x, dx, 3, enzyme_out, 2.0);
  // CHECK-NEXT:   in requests: Reverse f(dup, const, out) active_return
  __enzyme_autodiff((void *)f, pardiff_dup, x, dx, 3, 2.0);
  // CHECK-NEXT:   in requests: Reverse g(out) active_return
  __enzyme_autodiff_by_suffix((void *)g, 3.0f);
  // CHECK-NEXT:   in requests: Reverse h(dup, dupnoneed)
  __enzyme_autodiff_by_suffix((void *)h, x, dx, enzyme_dupnoneed, y, dy);
  // CHECK-NEXT:   in requests: Forward f(dup, const, dup) active_return
  __pardiff_fwddiff((void *)f, x, dx, 3, 2.0, 1.0);
  // CHECK-NEXT:   in requests: Forward f(dup, const, const)
  __pardiff_fwddiff((void *)f, enzyme_const_return, x, dx, 3, enzyme_const, 2.0);
}
// SHARED-COUNT-2: call {{.*}}@[[FIRST:pardiff.gradient.f]](
// GONE-NOT: @{{_*}}{{enzyme|pardiff_}}
