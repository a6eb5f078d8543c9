; Rule: noalias scopes are fresh per copy of the code that they speak of. Inlining a function with restrict parameters makes
; scopes that hold for one call; a scope declaration in the loop tells LLVM so. Without the rule, scopes that stay on
; copied accesses when the declaration is gone claim, once the loop is unrolled, that one iteration's store never meets another's load: here
; x[k], loaded in iteration 0, is taken for the x[k] that iteration 1 has overwritten, and the gradient of x[1] is
; 2 x1 2 x0^2 = 24 instead of 2 x1 2 x1^2 = 108.
; RUN: %pardiff-opt -passes="pardiff,default<O3>" %s -S -o %t.ll
; RUN: lli %t.ll
; RUN: %pardiff-opt -passes=pardiff %s -S | FileCheck %s
; CHECK: define internal {{.*}} @pardiff.gradient.three
; CHECK-NOT: !"step
declare double @__enzyme_autodiff(...)

define internal void @step(ptr noalias %to, ptr noalias %from) {
  %v = load double, ptr %from
  %square = fmul double %v, %v
  store double %square, ptr %to
  ret void
}
define internal double @three(ptr %x, ptr %targets, i64 %k, i64 %j) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %slot = getelementptr inbounds i64, ptr %targets, i64 %i
  %t = load i64, ptr %slot
  %to = getelementptr inbounds double, ptr %x, i64 %t
  %bit = and i64 %i, 1
  %odd = icmp ne i64 %bit, 0
  %f = select i1 %odd, i64 %j, i64 %k
  %from = getelementptr inbounds double, ptr %x, i64 %f
  call void @step(ptr %to, ptr %from)
  %next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %next, 3
  br i1 %more, label %loop, label %exit
exit:
  %last = getelementptr inbounds i64, ptr %targets, i64 2
  %l = load i64, ptr %last
  %p = getelementptr inbounds double, ptr %x, i64 %l
  %r = load double, ptr %p
  ret double %r
}
define void @gradient(ptr %x, ptr %dx, ptr %targets, i64 %k, i64 %j) noinline {
  %r = call double (...) @__enzyme_autodiff(ptr @three, ptr %x, ptr %dx, metadata !"enzyme_const", ptr %targets, i64 %k, i64 %j)
  ret void
}
@x = global [4 x double] [double 2.0, double 3.0, double 0.0, double 0.0]
@dx = global [4 x double] zeroinitializer
@targets = global [3 x i64] [i64 3, i64 0, i64 2]
define i32 @main() {
  call void @gradient(ptr @x, ptr @dx, ptr @targets, i64 0, i64 1)
  %p = getelementptr inbounds double, ptr @dx, i64 1
  %d = load double, ptr %p
  %right = fcmp oeq double %d, 108.0
  %status = select i1 %right, i32 0, i32 1
  ret i32 %status
}
