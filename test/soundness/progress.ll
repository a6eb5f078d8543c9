; Rule: that a loop makes progress is believed only where the source says so: in the loop's own metadata or by the attribute
; of its function, which an inlined loop keeps as metadata; it is said of no other loop, and of no generated one. Without the rule, loops
; of the function below would be counted that may run for ever, or LLVM could remove such a loop.
; RUN: PARDIFF_OPTIONS="print=prepare+facts+emit verify-each" %pardiff-opt -passes=pardiff -S %s -o %t 2> %t.phases
; RUN: FileCheck %s < %t.phases
; CHECK: define internal double @pardiff.primal.f(
; CHECK-NOT: mustprogress
; CHECK-SAME: {
; CHECK: br i1 %more, label %loop, label %{{[a-z0-9.]+$}}
; CHECK: br i1 %more.i, {{.*}}, !llvm.loop
; CHECK: br i1 %goes, {{.*}}, !llvm.loop
; CHECK: reverse f(
; CHECK: loop L0 b{{[0-9]+}}{{$}}
; CHECK-NEXT: loop L1 b{{[0-9]+}} trip
; CHECK-NEXT: loop L2 b{{[0-9]+}} trip
; CHECK: define internal {{.*}} @pardiff.gradient.f(
; CHECK-NOT: {{mustprogress|llvm.loop}}
; CHECK: {{^}}}
declare double @__pardiff_autodiff(ptr, ...)

define internal double @progresses(ptr %x, double %start, i32 %n) mustprogress {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %s = phi double [ %start, %entry ], [ %t, %loop ]
  %at = zext i32 %i to i64
  %p = getelementptr double, ptr %x, i64 %at
  %v = load double, ptr %p
  %t = fmul double %s, %v
  %next = add i32 %i, 2
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret double %t
}

define double @f(ptr %x, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %s = phi double [ 1.0, %entry ], [ %t, %loop ]
  %at = zext i32 %i to i64
  %p = getelementptr double, ptr %x, i64 %at
  %v = load double, ptr %p
  %t = fmul double %s, %v
  %next = add i32 %i, 2
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %middle
middle:
  %a = call double @progresses(ptr %x, double %t, i32 %n)
  br label %again
again:
  %j = phi i32 [ 0, %middle ], [ %jnext, %again ]
  %u = phi double [ %a, %middle ], [ %w, %again ]
  %jat = zext i32 %j to i64
  %q = getelementptr double, ptr %x, i64 %jat
  %y = load double, ptr %q
  %w = fmul double %u, %y
  %jnext = add i32 %j, 2
  %goes = icmp ult i32 %jnext, %n
  br i1 %goes, label %again, label %exit, !llvm.loop !0
exit:
  ret double %w
}

define double @call(ptr %x, ptr %dx, i32 %n) {
  %r = call double (ptr, ...) @__pardiff_autodiff(ptr @f, ptr %x, ptr %dx, i32 %n)
  ret double %r
}

!0 = distinct !{!0, !1, !2}
!1 = !{!"llvm.loop.mustprogress"}
!2 = !{!"llvm.loop.vectorize.enable", i1 true}
