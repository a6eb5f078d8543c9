// Derivatives that the program registers and that do not fit the function; none is left out in silence.
// RUN: not %pardiff-clang -O0 -gline-tables-only -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %pardiff-clang -O2 -gline-tables-only -c %s -o /dev/null 2>&1 | FileCheck %s
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
double __pardiff_autodiff(void *, ...);
double one_more(double x) { return x + 1; }
void augmented(double x) {}
double gradient(double x, double seed) { return 7 * seed; }
struct pair { double a, b; };

// CHECK-DAG: registered-derivatives.c:[[#@LINE+1]]:{{.*}}'__enzyme_register_gradient_types': the type of 'no_seed' does not fit 'one_more'; expected: double no_seed(double argument, double seed) [PD0001]
double no_seed(double x) { return 7; }
void *__enzyme_register_gradient_types[] = {(void *)one_more, (void *)augmented, (void *)no_seed};

void fill(double *x, int n, float s) { x[n] = s; }
// CHECK-DAG: registered-derivatives.c:[[#@LINE+1]]:{{.*}}'__enzyme_register_gradient_fill': the type of 'fill_forward' does not fit 'fill'; expected: void * fill_forward(void * argument, void * shadow, int argument, float argument) [PD0001]
void fill_forward(double *x, double *dx, int n, float s) {}
float fill_reverse(double *x, double *dx, int n, float s, void *tape) { return 0; }
void *__enzyme_register_gradient_fill[] = {(void *)fill, (void *)fill_forward, (void *)fill_reverse};

double product(double a, double b) { return a * b; }
// CHECK-DAG: registered-derivatives.c:[[#@LINE+1]]:{{.*}}'__enzyme_register_derivative_product': the type of 'product_tangent' does not fit 'product'; expected: struct { double result; double tangent; } or double product_tangent(double argument, double tangent, double argument, double tangent) [PD0001]
double product_tangent(double a, double b, double da, float db) { return 0; }
void *__enzyme_register_derivative_product[] = {(void *)product, (void *)product_tangent};

// CHECK-DAG: '__enzyme_register_gradient_short' must be an array of 3 functions of this file, initialised with constants; entry 2 is none [PD0001]
double lonely(double x) { return x; }
void *__enzyme_register_gradient_short[] = {(void *)lonely, (void *)augmented};

// CHECK-DAG: registered-derivatives.c:[[#@LINE+1]]:{{.*}}'__enzyme_register_gradient_pair': 'norm' takes or returns a struct or vector by value, or a variable number of arguments; a derivative of its own is not supported for such a function yet [PD0002]
struct pair norm(double a) { return (struct pair){a, a}; }
void *__enzyme_register_gradient_pair[] = {(void *)norm, (void *)augmented, (void *)gradient};

// CHECK-DAG: registered-derivatives.c:[[#@LINE+1]]:{{.*}}'__pardiff_register_gradient_again' gives 'scaled' a derivative that it has already [PD0001]
double scaled(double x) { return 2 * x; }
void *__pardiff_register_gradient_scaled[] = {(void *)scaled, (void *)augmented, (void *)gradient};
void *__pardiff_register_gradient_again[] = {(void *)scaled, (void *)augmented, (void *)gradient};
double f(double x) { return scaled(x); }
// CHECK-DAG: registered-derivatives.c:{{.*}}'scaled' has a gradient of its own and no derivative for forward mode; give it one with '__pardiff_register_derivative_scaled' [PD0001]
double forward(double x) { return __enzyme_fwddiff((void *)f, x, 1.0); }

// The function is not called a second time for its result where that would write to memory again.
double increment(double *x) { return *x += 1; }
void increment_forward(double *x, double *dx) { *x += 1; }
void increment_reverse(double *x, double *dx, double seed) { *dx += seed; }
void *__pardiff_register_gradient_increment[] = {(void *)increment, (void *)increment_forward, (void *)increment_reverse};
double g(double *x) { return increment(x); }
// CHECK-DAG: 'increment_forward' must return the result of 'increment' too: calling 'increment' for it would repeat what it writes to memory [PD0001]
double reverse(double *x, double *dx) { return __enzyme_autodiff((void *)g, x, dx); }

// CHECK-DAG: '__enzyme_inactive_global_part' must be an array of addresses of global variables, initialised with constants [PD0001]
double state;
void *__enzyme_inactive_global_part[] = {(void *)&state, (void *)(&state + 1)};
// CHECK-DAG: registered-derivatives.c:[[#@LINE+1]]:{{.*}}'odd' cannot have the derivative of 'hypot': no rule of that name takes its arguments [PD0001]
double odd(double x) { return x; }
void *__enzyme_function_like_odd[2] = {(void *)odd, (void *)"hypot"};
// CHECK-DAG: '__enzyme_inactivefn_none' must be an array of functions of this file, initialised with constants [PD0001]
void *__enzyme_inactivefn_none[1] = {(void *)&state};
// CHECK-DAG: '__enzyme_function_like_nothing' must hold a function of this file and the name of another, as constants [PD0001]
void *__enzyme_function_like_nothing[1] = {(void *)odd};
// CHECK-DAG: '__pardiff_allocation_like_vague' must hold a function that returns memory, which of its arguments is the size, what the function that takes the memory back is called with, such as "-1", and that function, as constants [PD0001]
void *pool(int kind, unsigned long bytes);
void unpool(int kind, void *memory);
void *__pardiff_allocation_like_vague[4] = {(void *)pool, (void *)1, (void *)"-1", (void *)unpool};

// CHECK-DAG: registered-derivatives.c:[[#@LINE+3]]:{{.*}}'__pardiff_register_derivative_elsewhere': 'elsewhere_tangent' takes a struct by value, and 'elsewhere' is only declared here, which does not show its structs; define it in this file [PD0002]
struct z { double a, b; };
double elsewhere(struct z);
double elsewhere_tangent(struct z x, struct z dx) { return x.a * dx.a; }
void *__pardiff_register_derivative_elsewhere[2] = {(void *)elsewhere, (void *)elsewhere_tangent};
