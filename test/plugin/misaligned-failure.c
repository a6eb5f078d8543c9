// The message of a failing allocation comes out although the stack is not aligned as functions expect it.
// RUN: %clang -O1 %s -I%repository/runtime/src -o %t
// RUN: not --crash %t 2>&1 | FileCheck %s
// CHECK: pardiff: cannot allocate 9223372036854775807 bytes of tape for f at f.c:3
#include "pool.c"
#include "tape.c"

int main(void) {
#ifdef __x86_64__
  void *(*volatile allocate)(uint64_t, const char *) = __pardiff_tape_allocate;
  const char *what = "f at f.c:3";
  __asm__ volatile("andq $-16, %%rsp; subq $8, %%rsp; call *%0"
                   :
                   : "r"(allocate), "D"(INT64_MAX), "S"(what)
                   : "memory", "rax", "rcx", "rdx", "cc");
#endif
  __pardiff_tape_allocate(INT64_MAX, "f at f.c:3");
}
