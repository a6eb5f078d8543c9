; Markers as metadata strings and as addresses of variables, in IR that a front end other than clang may make.
; RUN: %pardiff-opt -passes='pardiff<print=requests>' %s -S -o %t.ll 2>&1 | FileCheck %s
; RUN: FileCheck %s --check-prefix=OUT < %t.ll
; CHECK: in gradient: Reverse f(out, const) active_return
; CHECK: in address: Reverse f(const, out) active_return
; OUT-NOT: enzyme
@enzyme_const = external global i32
declare double @__enzyme_autodiff(...)

define double @f(double %x, double %y) {
  %z = fmul double %x, %y
  ret double %z
}
define double @gradient(double %x) {
  %r = call double (...) @__enzyme_autodiff(ptr @f, metadata !"enzyme_out", double %x, metadata !"enzyme_const", double 3.0)
  ret double %r
}
define double @address(double %x) {
  %r = call double (...) @__enzyme_autodiff(ptr @f, ptr @enzyme_const, double 3.0, double %x)
  ret double %r
}
