// Rule: a call through a pointer runs one of the functions whose address the module takes; a pointer to any other
// ends the program with a message.
// Without the rule: the call would be skipped, or run without its derivative, and the gradient would be 0 instead of 3.
// RUN: %clang -DELSEWHERE -c %s -o %t.elsewhere.o
// RUN: for level in -O0 -O2; do
// RUN:   %pardiff-clang $level -gline-tables-only %s %t.elsewhere.o -o %t; %t known;
// RUN:   not --crash %t unknown 2>&1 | FileCheck %s; done
typedef double (*function)(double);
#ifdef ELSEWHERE
static double triple(double x) { return 3 * x; }
function hidden = triple;
#else
#include "pardiff.h"
#include <string.h>
extern function hidden;
static double twice(double x) { return 2 * x; }
static function table[2] = {twice, 0};
static double f(double x, int k) { return table[k](x); }
int main(int argc, char **argv) {
  table[1] = hidden;
  return __pardiff_autodiff((void *)f, 1.0, strcmp(argv[argc - 1], "known") ? 1 : 0) == 2 ? 0 : 1;
}
#endif
// CHECK: pardiff: 'f', line [[#@LINE-6]], calls a function through a pointer that was not known
