// RUN: not %pardiff-clang++ -std=c++17 %pardiff-attributes -fsyntax-only %s 2>&1 | FileCheck %s
// Attributes that stand on what they cannot be about, or lack the name that they need.

double f() {
  // CHECK: [[@LINE+1]]:{{.*}} error: this attribute is for functions and global variables
  __attribute__((pardiff_inactive)) double local = 1;
  return local;
}
// CHECK: [[@LINE+1]]:{{.*}} error: this attribute is for functions
__attribute__((enzyme_function_like("exp"))) double variable;
// CHECK: [[@LINE+1]]:{{.*}} error: this attribute takes the name of a function as a string
__attribute__((pardiff_function_like(3))) double g(double);
// CHECK: [[@LINE+1]]:{{.*}} error: this attribute takes the name of a function; a namespace before it hides the name
[[pardiff::function_like("exp")]] double h(double);
[[pardiff_function_like("exp"), enzyme::inactive]] double k(double);
// CHECK: 4 errors generated
