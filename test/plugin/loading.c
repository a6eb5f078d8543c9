// The plugin loads in clang at every level, with and without debug information, and nothing else is needed: no library is
// linked, no symbol is left over. (C++, opt, flang and lld: cpp-wrappers.cpp, options.c, ../tools.)
// RUN: for level in -O0 -O1 -O2 -O3 -Os "-O0 -g" "-O2 -g" "-O1 -gline-tables-only" "-O2 -fcf-protection=full -fPIE -fstack-protector-strong"; do \
// RUN:   %pardiff-clang $level %s -o %t -lm && %t | FileCheck %s; done
// RUN: %pardiff-clang -O0 -c %s -o %t.o && llvm-nm --undefined-only %t.o | FileCheck %s --check-prefix=SYMBOLS
// CHECK: 4 27
// SYMBOLS-NOT: {{pardiff|enzyme}}

// The runtime does not change how the program is compiled: its module flags stay its own.
// RUN: %pardiff-clang -O2 -S -emit-llvm %s -o - | FileCheck %s --check-prefix=FLAGS
// RUN: %pardiff-clang -O2 -fcf-protection=full -S -emit-llvm %s -o - | FileCheck %s --check-prefix=PROTECTED
// FLAGS-NOT: cf-protection
// FLAGS: !llvm.ident = !{![[IDENT:[0-9]+]]}
// PROTECTED: !{i32 8, !"cf-protection-branch", i32 1}
#include <pardiff.h>
#include <stdio.h>
double power(double x, int n) {
  double a[64];
  a[0] = x;
  for (int i = 1; i < n; i++) a[i] = a[i - 1] * x;
  return a[n - 1];
}
/* Needs the tape: each iteration overwrites what the reverse sweep wants. */
double iterate(double x, int n) {
  for (int i = 0; i < n; i++) x = x * x * x;
  return x;
}
int main(void) {
  double a = __pardiff_autodiff((void *)power, pardiff_out, 2.0, pardiff_const, 2);
  double b = __pardiff_autodiff((void *)iterate, pardiff_out, 1.0, pardiff_const, 3);
  printf("%g %g\n", a, b);
  return 0;
}
