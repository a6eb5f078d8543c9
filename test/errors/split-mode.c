// Calls of a split derivative that do not fit each other or the function.
// RUN: not %pardiff-clang -O0 -gline-tables-only -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %pardiff-clang -O2 -gline-tables-only -c %s -o /dev/null 2>&1 | FileCheck %s
extern int pardiff_allocated, pardiff_tape, pardiff_const, pardiff_dup;
void *__pardiff_augmentfwd(void *, ...);
void *__pardiff_autodiff(void *, ...);
void __pardiff_reverse(void *, ...);
void f(double *x) { *x = *x * *x; }
double g(double x, double y) { return x * y; }
double h(double x, double y) { return x * x * y; }
void small(double *x, double *dx, void *tape) {
  // CHECK-DAG: split-mode.c:[[#@LINE+1]]:{{.*}}the tape needs 8 bytes, the buffer has 1 [PD0001]
  __pardiff_reverse((void *)f, x, dx, pardiff_allocated, 1, pardiff_tape, tape);
}
void unknown(double *x, double *dx, void *tape, int n) {
  // CHECK-DAG: split-mode.c:[[#@LINE+1]]:{{.*}}the size after pardiff_allocated is not known at compile time [PD0001]
  __pardiff_augmentfwd((void *)f, x, dx, pardiff_allocated, n, pardiff_tape, tape);
}
void half(double *x, double *dx, void *tape) {
  // CHECK-DAG: split-mode.c:[[#@LINE+1]]:{{.*}}pardiff_allocated, size and pardiff_tape, buffer belong together [PD0001]
  __pardiff_augmentfwd((void *)f, x, dx, pardiff_tape, tape);
}
void other(double *x, double *dx, void *tape) {
  // CHECK-DAG: split-mode.c:[[#@LINE+1]]:{{.*}}pardiff_tape belongs to __pardiff_augmentfwd and __pardiff_reverse [PD0001]
  __pardiff_autodiff((void *)f, x, dx, pardiff_allocated, 8, pardiff_tape, tape);
}
void missing(double *x, double *dx) {
  // CHECK-DAG: split-mode.c:[[#@LINE+1]]:{{.*}}after the arguments of 'f' and their shadows this call takes the tape [PD0001]
  __pardiff_reverse((void *)f, x, dx);
}
void seedless(void *tape) {
  // CHECK-DAG: split-mode.c:[[#@LINE+1]]:{{.*}}after the arguments of 'g' and their shadows this call takes the seed of its result, then the tape [PD0001]
  __pardiff_reverse((void *)g, 1.0, 2.0, tape);
}
void no_tape(void) {
  // CHECK-DAG: split-mode.c:[[#@LINE+1]]:{{.*}}the last operand of this call is the tape, a pointer [PD0001]
  __pardiff_reverse((void *)g, 1.0, 2.0, 1.0, 1.0);
}
void disagree(void) {
  void *tape = __pardiff_augmentfwd((void *)h, 1.0, pardiff_const, 2.0);
  // CHECK-DAG: split-mode.c:[[#@LINE+1]]:{{.*}}no forward sweep of 'h' leaves a tape for this reverse sweep: both calls must give its arguments and its result the same markers [PD0001]
  __pardiff_reverse((void *)h, 1.0, 2.0, 1.0, tape);
}

// Several tapes would share the shadow of the variable.
static double *place;
double through(double *x) {
  place = x;
  return *place * *place;
}
void global(double *x, double *dx) {
  // CHECK-DAG: split-mode.c:[[#@LINE+1]]:{{.*}}the global variable 'place' holds pointers to active memory; that is not supported in split mode yet, pass it as an argument [PD0012]
  void *tape = __pardiff_augmentfwd((void *)through, x, dx);
}
