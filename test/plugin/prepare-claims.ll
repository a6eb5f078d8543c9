; What a clone must not claim is gone: attributes about memory and floating point, facts that hold for one execution,
; lifetimes, access groups, hints. Kept are the target, sanitizers, noalias, TBAA.
; RUN: PARDIFF_OPTIONS=print=prepare %pardiff-opt -passes=pardiff %s -S -o %t.ll 2>&1 | FileCheck %s
; CHECK: define internal double @pardiff.primal.f(ptr noalias %x, ptr %y, i32 %n) [[F:#[0-9]+]] {
; CHECK-NOT: {{lifetime|llvm.assume|access.group|llvm.loop|!range|!noundef|!invariant|nonnull|dereferenceable}}
; CHECK: load double, ptr {{.*}}, align 8, !tbaa
; CHECK: {{^}}}
; The generated function says what the target is and that it is to be instrumented, and nothing about memory.
; RUN: FileCheck %s --check-prefix=OUT < %t.ll
; OUT: define internal {{.*}}@pardiff.gradient.f({{.*}}) [[G:#[0-9]+]]
; OUT: attributes [[G]] = {
; OUT-NOT: {{memory|nosync|nofree|willreturn|noinline|optnone|no-nans}}
; OUT-SAME: sanitize_address
; OUT-SAME: "target-cpu"="x86-64"
; OUT-SAME: }
declare double @__enzyme_autodiff(...)
declare void @llvm.lifetime.start.p0(i64, ptr)
declare void @llvm.assume(i1)

define double @f(ptr noalias nocapture noundef nonnull readonly dereferenceable(8) %x, ptr nocapture readonly %y, i32 noundef %n) #0 {
entry:
  %local = alloca double
  call void @llvm.lifetime.start.p0(i64 8, ptr %local)
  %positive = icmp sgt i32 %n, 0
  call void @llvm.assume(i1 %positive)
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %s = phi double [ 0.0, %entry ], [ %t, %loop ]
  %k = load i32, ptr %y, !range !3, !noundef !4, !invariant.load !4, !llvm.access.group !5
  %index = add nsw i32 %k, %i
  %p = getelementptr inbounds double, ptr %x, i32 %index
  %v = load double, ptr %p, !tbaa !0, !llvm.access.group !5
  %square = fmul nnan nsz double %v, %v
  %t = fadd double %s, %square
  %next = add nsw i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %exit, !llvm.loop !6
exit:
  ret double %t
}
define double @gradient(ptr %x, ptr %dx, ptr %y, ptr %dy) #0 {
  %r = call double (...) @__enzyme_autodiff(ptr @f, ptr %x, ptr %dx, metadata !"enzyme_const", ptr %y, i32 3)
  ret double %r
}
attributes #0 = { noinline optnone nounwind nosync nofree willreturn memory(argmem: read) sanitize_address uwtable "no-nans-fp-math"="true" "target-cpu"="x86-64" }
!0 = !{!1, !1, i64 0}
!1 = !{!"double", !2}
!2 = !{!"root"}
!3 = !{i32 0, i32 10}
!4 = !{}
!5 = distinct !{}
!6 = distinct !{!6, !7}
!7 = !{!"llvm.loop.parallel_accesses", !5}
