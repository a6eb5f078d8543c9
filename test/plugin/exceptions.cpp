// Exceptions in differentiated code: what throws leaves through the gradient; what cannot throw needs no handler; a
// handler that goes on is refused.
// RUN: for level in -O0 -O1 -O2; do %clang++ $level -std=c++17 -fpass-plugin=%plugin %s -o %t && %t | FileCheck %s; done
// RUN: not %clang++ -std=c++17 -gline-tables-only -DREFUSED -fpass-plugin=%plugin -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=ERROR
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
double __enzyme_autodiff(void *, ...);
extern void opaque(const char *);
struct Guard {
  double &x;
  ~Guard() { x = 1; }
};

double checked(double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    if (x[i] < 0) throw std::domain_error("negative");
    s += std::sqrt(x[i]);
  }
  return s;
}
double cleaned(double *x, int n) noexcept {
  double unused = 0;
  Guard g{unused};
  double s = 0;
  for (int i = 0; i < n; i++) s += std::exp(x[i]);
  std::puts("in the primal");
  return s;
}
double handled(double x) {
  try {
    return std::sin(x) * x;
  } catch (...) {
    return 0;
  }
}
#ifdef REFUSED
double caught(double x) {
  try {
    opaque("x"); // line 42
  } catch (const std::exception &) {
    return 0;
  }
  return x;
}
double request(double x) { return __enzyme_autodiff((void *)caught, x); }
// ERROR: exceptions.cpp:42:{{.*}}an exception thrown here is caught in differentiated code, which is not supported yet [PD0018]
#endif
int main() {
  double x[2] = {4, 0}, dx[2] = {0, 0};
  __enzyme_autodiff((void *)checked, x, dx, 1);
  // CHECK: 0.25
  std::printf("%g\n", dx[0]);
  x[1] = -1;
  try {
    __enzyme_autodiff((void *)checked, x, dx, 2);
  } catch (const std::domain_error &e) {
    // CHECK: thrown: negative
    std::printf("thrown: %s\n", e.what());
  }
  dx[0] = dx[1] = x[0] = x[1] = 0;
  __enzyme_autodiff((void *)cleaned, x, dx, 2);
  // CHECK: in the primal
  // CHECK: 1 1
  std::printf("%g %g\n", dx[0], dx[1]);
  // CHECK: 0
  std::printf("%g\n", __enzyme_autodiff((void *)handled, 0.0));
}
