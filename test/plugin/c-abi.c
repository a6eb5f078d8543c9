// What C makes of the operands and results of a request: promotion of numbers, structs in registers, structs through
// memory. Every line says what it should print.
// RUN: for level in -O0 -O1 -O2; do %clang $level -fpass-plugin=%plugin %s -o %t -lm && %t | FileCheck %s; done
#include <stdbool.h>
#include <stdio.h>

extern int enzyme_dup, enzyme_const, enzyme_out, enzyme_primal_return, enzyme_noret, enzyme_interleave;
struct d2 { double a, b; };
struct d3 { double a, b, c; };
struct f2 { float a, b; };
struct f3 { float a, b, c; };
struct f4 { float a, b, c, d; };
struct df { double a; float b; };
struct nested { struct d2 first; double second[2]; };

double __enzyme_autodiff(void *, ...);
void __enzyme_autodiff_void(void *, ...);
float __enzyme_autodiff_f(void *, ...);
struct d2 __enzyme_autodiff_d2(void *, ...);
struct d3 __enzyme_autodiff_d3(void *, ...);
struct f2 __enzyme_autodiff_f2(void *, ...);
struct f3 __enzyme_autodiff_f3(void *, ...);
struct f4 __enzyme_autodiff_f4(void *, ...);
struct df __enzyme_autodiff_df(void *, ...);
struct nested __enzyme_autodiff_nested(void *, ...);
double __enzyme_autodiff_typed(double (*)(double), double);
double __enzyme_fwddiff(void *, ...);
float __enzyme_fwddiff_f(void *, ...);
struct d2 __enzyme_fwddiff_d2(void *, ...);

double square(double x) { return x * x; }
float square_f(float x) { return x * x; }
double prod2(double x, double y) { return x * y; }
double prod3(double x, double y, double z) { return x * y * z; }
float prod2_f(float x, float y) { return x * y; }
float prod3_f(float x, float y, float z) { return x * y * z; }
float prod4_f(float x, float y, float z, float w) { return x * y * z * w; }
double mixed(double x, float y) { return x * y; }
double prod4(double x, double y, double z, double w) { return x * y * z * w; }
double integers(char c, unsigned short s, bool b, long n, double x) { return b ? (c + s + n) * x : -x; }
double small_struct(struct d2 s, double x) { return s.a * s.b * x; }
double large_struct(struct d3 s, double x) { s.a *= 2; return s.a * s.b * s.c * x; }
void outputs(const double *x, double *y) { y[0] = x[0] * x[1]; }

int main(void) {
  double x[2] = {3, 5}, dx[2] = {0, 0}, y = 0, dy = 1;
  // CHECK: double 6
  printf("double %g\n", __enzyme_autodiff((void *)square, 3.0));
  // CHECK: typed 6
  printf("typed %g\n", __enzyme_autodiff_typed(square, 3.0));
  // CHECK: float 6
  printf("float %g\n", __enzyme_autodiff_f((void *)square_f, 3.0f));
  // CHECK: float as double 6
  printf("float as double %g\n", __enzyme_autodiff((void *)square_f, 3.0f));
  struct d2 d2 = __enzyme_autodiff_d2((void *)prod2, 2.0, 3.0);
  // CHECK: d2 3 2
  printf("d2 %g %g\n", d2.a, d2.b);
  struct d3 d3 = __enzyme_autodiff_d3((void *)prod3, 2.0, enzyme_out, 3.0, 5.0);
  // CHECK: d3 15 10 6
  printf("d3 %g %g %g\n", d3.a, d3.b, d3.c);
  d2 = __enzyme_autodiff_d2((void *)prod3, 2.0, enzyme_const, 3.0, 5.0);
  // CHECK: d2 of three 15 6
  printf("d2 of three %g %g\n", d2.a, d2.b);
  struct f2 f2 = __enzyme_autodiff_f2((void *)prod2_f, 2.0f, 3.0f);
  // CHECK: f2 3 2
  printf("f2 %g %g\n", f2.a, f2.b);
  struct f3 f3 = __enzyme_autodiff_f3((void *)prod3_f, 2.0f, 3.0f, 5.0f);
  // CHECK: f3 15 10 6
  printf("f3 %g %g %g\n", f3.a, f3.b, f3.c);
  struct f4 f4 = __enzyme_autodiff_f4((void *)prod4_f, 2.0f, 3.0f, 5.0f, 7.0f);
  // CHECK: f4 105 70 42 30
  printf("f4 %g %g %g %g\n", f4.a, f4.b, f4.c, f4.d);
  struct df df = __enzyme_autodiff_df((void *)mixed, 2.0, 3.0f);
  // CHECK: df 3 2
  printf("df %g %g\n", df.a, df.b);
  struct nested nested = __enzyme_autodiff_nested((void *)prod4, 2.0, 3.0, 5.0, 7.0);
  // CHECK: nested 105 70 42 30
  printf("nested %g %g %g %g\n", nested.first.a, nested.first.b, nested.second[0], nested.second[1]);
  d2 = __enzyme_autodiff_d2((void *)square, enzyme_primal_return, enzyme_out, 3.0);
  // CHECK: primal and gradient 9 6
  printf("primal and gradient %g %g\n", d2.a, d2.b);
  // CHECK: integers 210
  printf("integers %g\n", __enzyme_autodiff((void *)integers, 'd', 10, true, 100L, 3.0));
  // CHECK: not taken -1
  printf("not taken %g\n", __enzyme_autodiff((void *)integers, 'd', 10, false, 100L, 3.0));
  // CHECK: struct in two registers 6
  printf("struct in two registers %g\n",
         __enzyme_autodiff((void *)small_struct, enzyme_const, (struct d2){2, 3}, enzyme_out, 5.0));
  d3 = __enzyme_autodiff_d3((void *)small_struct, enzyme_out, (struct d2){2, 3}, enzyme_out, 5.0);
  // CHECK: active struct 15 10 6
  printf("active struct %g %g %g\n", d3.a, d3.b, d3.c);
  struct d3 s = {2, 3, 5};
  // CHECK: struct in memory 60 2
  double big = __enzyme_autodiff((void *)large_struct, enzyme_const, s, enzyme_out, 7.0);
  printf("struct in memory %g %g\n", big, s.a);
  // CHECK: nothing to return 0
  printf("nothing to return %g\n", __enzyme_autodiff((void *)outputs, enzyme_dup, x, dx, enzyme_dup, &y, &dy));
  // CHECK: through memory 15 5 3 0
  printf("through memory %g %g %g %g\n", y, dx[0], dx[1], dy);
  dx[0] = dx[1] = 0, dy = 1;
  __enzyme_autodiff_void((void *)outputs, enzyme_dup, x, enzyme_dup, &y, enzyme_interleave, dx, &dy);
  return 0;
}
