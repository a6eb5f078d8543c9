// A rule that the program registers for a function is not left out in silence.
// RUN: not %pardiff-clang -O0 -gline-tables-only -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %pardiff-clang -O2 -gline-tables-only -c %s -o /dev/null 2>&1 | FileCheck %s
double __enzyme_autodiff(void *, ...);
double one_more(double x) { return x + 1; }
void augmented(double x) {}
double reverse(double x, double seed) { return 7 * seed; }
void *__enzyme_register_gradient_one_more[] = {(void *)one_more, (void *)augmented, (void *)reverse};
double f(double x) { return one_more(x); }
// CHECK: registered-derivative.c:[[#@LINE+1]]:{{.*}}'__enzyme_register_gradient_one_more' gives a function a derivative of its own, which is not supported yet [PD0002]
double slope(double x) { return __enzyme_autodiff((void *)f, x); }
