; Rule: what freeze gave is kept, never computed again: two executions of a freeze of poison may choose differently, and without the rule the
; reverse sweep would take another path than the program did.
; RUN: PARDIFF_OPTIONS=print=emit %pardiff-opt -passes=pardiff %s -S -o %t.ll 2>&1 | FileCheck %s
; CHECK: define internal void @pardiff.gradient.f(
; CHECK: = freeze i32
; CHECK-NOT: freeze
; CHECK: {{^}}}
declare double @__enzyme_autodiff(...)

define double @f(ptr noalias %x, ptr noalias %index, ptr noalias %log, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s = phi double [ 0.0, %entry ], [ %t, %loop ]
  %slot = getelementptr inbounds i32, ptr %index, i64 %i
  %k = load i32, ptr %slot
  %maybe = shl nsw i32 %k, 1
  %m = freeze i32 %maybe
  %entry.of.log = getelementptr inbounds i32, ptr %log, i64 %i
  store i32 %m, ptr %entry.of.log
  %p = getelementptr double, ptr %x, i32 %m
  %v = load double, ptr %p
  %square = fmul double %v, %v
  %t = fadd double %s, %square
  %next = add nsw i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret double %t
}
define double @gradient(ptr %x, ptr %dx, ptr %index, ptr %log, i64 %n) {
  %r = call double (...) @__enzyme_autodiff(ptr @f, ptr %x, ptr %dx, metadata !"enzyme_const", ptr %index, metadata !"enzyme_const", ptr %log, i64 %n)
  ret double %r
}
