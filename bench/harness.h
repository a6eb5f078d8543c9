// harness.h: what a program of the bench is written against.
//
// A program is one file in programs/: a primal as a user would write it, its gradient written by hand, and the data.
// It is compiled once per variant and linked with harness.c, so that each variant is a process with a peak memory of
// its own:
//
//   void set_up(void) { ... }                 gets arrays with ACTIVE, RESULT, INOUT and DATA
//   PROGRAM(primal, gradient, hand)           three statements; `value = ` takes what the primal returns
//
// Gradients follow the calling convention of pardiff.h: they are added to the shadows of inputs, and the seeds of
// results are in the shadows of these. A gradient written by hand may leave seeds and results as they like.
#ifndef HARNESS_H
#define HARNESS_H

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

// VARIANT is one of these.
#define PRIMAL 0
#define GRADIENT 1
#define HAND 2

// The markers are named as Enzyme names them, since its plugin is one to compare with.
extern int enzyme_dup, enzyme_dupnoneed, enzyme_const;
extern void __enzyme_autodiff(void *, ...);

// The sum that the primal computes, or nothing if all results are in memory.
extern double value;

// A size of this run. The optimiser does not see it.
int size(int full, int small);

// A number between low and high, and one of 0 ... n - 1, from a fixed sequence.
double uniform(double low, double high);
int below(int n);

enum kind { INPUT_KIND, RESULT_KIND, INOUT_KIND, WORK_KIND };
void *harness_data(int is_float, long n, double low, double high);
void *harness_shadow(void *primal, int is_float, long n, enum kind);

#define HARNESS_FLOAT(x) (sizeof *(x) == sizeof(float))
#define HARNESS_BLOCK(x, n, low, high, kind)                                                                          \
  (x = harness_data(HARNESS_FLOAT(x), n, low, high), d##x = harness_shadow(x, HARNESS_FLOAT(x), n, kind))

// Each takes a pointer to float or double and lets it point to n numbers, uniform between low and high. All but the last
// also do this for the pointer dx to its shadow.
#define ACTIVE(x, n, low, high) HARNESS_BLOCK(x, n, low, high, INPUT_KIND) // the primal reads it
#define RESULT(x, n) HARNESS_BLOCK(x, n, 0, 0, RESULT_KIND)                // the primal assigns it; seeded
#define INOUT(x, n, low, high) HARNESS_BLOCK(x, n, low, high, INOUT_KIND)  // both; seeded
#define WORK(x, n) HARNESS_BLOCK(x, n, 0, 0, WORK_KIND)                    // assigned before it is read; not seeded
#define DATA(x, n, low, high) (x = harness_data(HARNESS_FLOAT(x), n, low, high))

#if VARIANT == PRIMAL
#define HARNESS_RUN(primal, gradient, hand) primal
#elif VARIANT == GRADIENT
#define HARNESS_RUN(primal, gradient, hand) gradient
#else
#define HARNESS_RUN(primal, gradient, hand) hand
#endif

#define PROGRAM(primal, gradient, hand)                                                                               \
  void run_primal(void) { primal; }                                                                                   \
  void run(void) { HARNESS_RUN(primal, gradient, hand); }

// First in a block of a gradient written by hand: sums in it may be vectorised.
#define FREE_SUMS _Pragma("clang fp reassociate(on) contract(fast)")

#endif
