// Requests that C++ wraps: templates that take the function as an argument, lambdas, calls that may throw (invoke),
// marker names inside namespaces and mangled names.
// RUN: for level in -O0 -O1 -O2; do %clang++ $level -std=c++17 -fpass-plugin=%plugin %s -o %t -lm && %t | FileCheck %s; done
#include <cmath>
#include <cstdio>
#include <string>
#include <utility>

extern int enzyme_dup, enzyme_const, enzyme_out;
double __enzyme_autodiff(void *, ...);
template <typename R, typename... A> R __enzyme_autodiff(A...);
template <typename R, typename... A> R __enzyme_fwddiff(A...);
namespace names {
extern int enzyme_const;
template <typename R, typename... A> R __pardiff_autodiff(A...);
} // namespace names

double square(double x) { return x * x; }
double weighted(const double *x, double w) { return w * x[0] * x[1]; }
namespace { double cube(double x) { return x * x * x; } }

template <class F> double derivative(F f, double x) { return __enzyme_autodiff<double>(f, x); }
template <class F, class... A> double forwarded(F &&f, A &&...a) {
  return __enzyme_autodiff<double>((void *)+f, std::forward<A>(a)...);
}
template <class F> double outer(F f, double x) { return derivative(f, x) + derivative(cube, x); }
static double plain(double (*f)(double), double x) { return __enzyme_autodiff((void *)f, x); }
template <double (*F)(double)> double by_value(double x) { return __enzyme_fwddiff<double>((void *)F, x, 1.0); }

int main() {
  std::string name = "for the clean-up that makes the calls below invokes";
  // CHECK: template 6
  std::printf("template %g\n", derivative(square, 3.0));
  // CHECK: anonymous 27
  std::printf("anonymous %g\n", derivative(cube, 3.0));
  // CHECK: nested wrappers 33
  std::printf("nested wrappers %g\n", outer(square, 3.0));
  // CHECK: function pointer 6 27
  std::printf("function pointer %g %g\n", plain(square, 3.0), plain(cube, 3.0));
  // CHECK: template argument 6
  std::printf("template argument %g\n", by_value<square>(3.0));
  auto lambda = [](double x) { return std::exp(x) * 2; };
  // CHECK: lambda 2
  std::printf("lambda %g\n", __enzyme_autodiff<double>((void *)+lambda, 0.0));
  // CHECK: forwarded lambda 2
  std::printf("forwarded lambda %g\n", forwarded(lambda, 0.0));
  double x[2] = {3, 5}, dx[2] = {};
  names::__pardiff_autodiff<double>((void *)weighted, enzyme_dup, x, dx, names::enzyme_const, 2.0);
  // CHECK: namespace 10 6
  std::printf("namespace %g %g\n", dx[0], dx[1]);
  return name.empty();
}
