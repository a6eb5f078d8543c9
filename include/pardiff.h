/* pardiff.h: how a C or C++ program asks for derivatives.
 *
 * Compile with the plugin; nothing else is linked:
 *
 *     clang-19 -O2 -fpass-plugin=/path/to/libpardiff.so program.c -lm
 *
 * A request is a call to one of the functions declared here. Its first argument is the function to differentiate,
 * the rest are that function's arguments. The plugin replaces each request by generated code. Add
 * -gline-tables-only (or -g) to see error messages at the line that causes them.
 *
 *     __pardiff_autodiff(f, ...)   reverse mode: all partial derivatives of one result
 *     __pardiff_fwddiff(f, ...)    forward mode: the derivative of all results along one direction
 *
 * A marker says what the argument after it is:
 *
 *     pardiff_dup, p, dp          a pointer and its shadow, memory of the same shape that holds derivatives
 *     pardiff_dupnoneed, p, dp    the same for a result whose own value is not wanted: *p may be left unwritten
 *     pardiff_const, v            not differentiated
 *     pardiff_out, v              a number passed by value; its derivative is returned (reverse mode)
 *
 * Without a marker, a floating-point number is pardiff_out in reverse mode and a pair (x, dx) in forward mode, a
 * pointer is pardiff_dup, an integer is pardiff_const.
 *
 * Reverse mode, in short: a float or double that f returns is seeded with 1. Shadows of inputs are ADDED to: clear
 * them first, or let several calls sum up. The shadow of a result is its seed going in, and is 0 afterwards (where f
 * overwrites the result, what it held before does not matter, so its derivative is 0).
 * Forward mode: shadows of inputs hold the direction, shadows of results receive the derivative along it.
 *
 * The functions mean the same under Enzyme's names (__enzyme_autodiff, __enzyme_fwddiff, enzyme_dup, enzyme_const,
 * enzyme_out, enzyme_dupnoneed), so programs written for Enzyme need no change; those names are declared by the
 * program itself, as there.
 *
 * A name may carry any suffix, to give each return type a declaration of its own: see PARDIFF_AUTODIFF below.
 *
 *
 * 1. The derivative of a function of one number
 *
 *     double square(double x) { return x * x; }
 *
 *     double slope = __pardiff_autodiff((void *)square, 3.0);                        // 6
 *
 * 2. The gradient with respect to an array
 *
 *     double norm2(const double *x, int n) {
 *       double s = 0;
 *       for (int i = 0; i < n; i++) s += x[i] * x[i];
 *       return s;
 *     }
 *
 *     double x[3] = {1, 2, 3}, dx[3] = {0, 0, 0};
 *     __pardiff_autodiff((void *)norm2, pardiff_dup, x, dx, pardiff_const, 3);       // dx is {2, 4, 6}
 *
 * 3. Some arguments held fixed
 *
 *     double dot(const double *w, const double *x, int n);
 *
 *     __pardiff_autodiff((void *)dot, pardiff_dup, w, dw, pardiff_const, x, pardiff_const, n);
 *
 * 4. Several numbers by value: their derivatives come back in a struct, in the order of the arguments
 *
 *     double ratio(double a, int k, double b) { return k * a / b; }
 *
 *     struct pair { double da, db; };
 *     PARDIFF_AUTODIFF(struct pair, pair);
 *     struct pair d = __pardiff_autodiff_pair((void *)ratio, pardiff_out, 1.0, pardiff_const, 2, pardiff_out, 4.0);
 *                                                                                    // {0.5, -0.125}
 *
 * 5. Results in memory: the shadow of the result holds the seed, here the weights 1 and 10
 *
 *     void polar(const double *p, double *xy) { xy[0] = p[0] * cos(p[1]); xy[1] = p[0] * sin(p[1]); }
 *
 *     double p[2] = {2, 0}, dp[2] = {0, 0}, xy[2], seed[2] = {1, 10};
 *     __pardiff_autodiff((void *)polar, pardiff_dup, p, dp, pardiff_dup, xy, seed);
 *                                                        // xy is {2, 0}, dp is {1, 20}, seed is {0, 0}
 *
 * 6. The same where only the derivative is wanted: xy may be left unwritten
 *
 *     __pardiff_autodiff((void *)polar, pardiff_dup, p, dp, pardiff_dupnoneed, xy, seed);
 *
 * 7. Forward mode: the derivative along (dx, dy); a pointer's shadow gives the direction or receives the result
 *
 *     double product(double x, double y) { return x * y; }
 *
 *     double t = __pardiff_fwddiff((void *)product, 3.0, 1.0, 5.0, 0.0);             // 5, d/dx
 *
 *     double direction[2] = {0, 1}, txy[2];
 *     __pardiff_fwddiff((void *)polar, pardiff_dup, p, direction, pardiff_dup, xy, txy);   // txy is {0, 2}
 *
 *    A function that returns a struct or a complex number has a struct or complex number of tangents. In reverse mode
 *    each number of such a result is seeded with 1; split mode (9) and results in memory (5) take other seeds.
 *
 *     struct two { double a, b; } turn(double r, double t);
 *     PARDIFF_FWDDIFF(struct two, two);
 *     struct two along = __pardiff_fwddiff_two((void *)turn, r, dr, t, dt);
 *
 * 8. A gradient function to call from elsewhere: wrap the request
 *
 *     void norm2_gradient(const double *x, double *dx, int n) {
 *       __pardiff_autodiff((void *)norm2, pardiff_dup, x, dx, pardiff_const, n);
 *     }
 *
 * 9. Split mode: the two sweeps of reverse mode as two calls, with other work between them
 *
 *     void *tape = __pardiff_augmentfwd((void *)norm2, x, dx, 3);
 *     ...                                                        // x may change here
 *     __pardiff_reverse((void *)norm2, x, dx, 3, 1.0, tape);     // dx is {2, 4, 6}
 *
 * The first runs the function and returns the tape, then what the function returns, then the shadow of a returned
 * pointer: declared with a struct of these, or as here with the tape only. The second takes the same arguments, the
 * seed of a floating-point result (or a struct of seeds), and the tape; it returns the derivatives of pardiff_out arguments. Both calls must
 * have the same markers. Each tape is for one reverse sweep, which gives its memory back; one that gets none leaks.
 * With pardiff_allocated, SIZE, pardiff_tape, BUFFER in both calls instead, the tape is kept in a buffer of the program,
 * of at least __pardiff_augmentsize((void *)norm2, ...) bytes.
 *
 * 10. A declaration for each type that these return
 *
 *     struct result { void *tape; double value; };
 *     PARDIFF_AUGMENTFWD(struct result, value);
 *     PARDIFF_REVERSE(void, nothing);
 *
 * 11. Derivatives of the program's own, for functions that are not to be differentiated by their bodies. Calls of f in
 *     differentiated functions then call these. The variables may have any suffix, and must not be static (clang drops
 *     those that nothing uses; with libpardiff-clang.so, see below, it does not).
 *     They hold for their own file; with -flto for all files, which must then all be compiled with the plugin.
 *
 *     double f(double a, const double *p, int n);
 *
 *     struct kept { void *tape; double result; };
 *     struct kept forward(double a, const double *p, double *dp, int n);       // does what f does
 *     double reverse(double a, const double *p, double *dp, int n, double seed, void *tape);  // df/da * seed
 *     void *__pardiff_register_gradient_f[3] = {(void *)f, (void *)forward, (void *)reverse};
 *
 *     double tangent(double a, double da, const double *p, double *dp, int n);
 *     void *__pardiff_register_derivative_f[2] = {(void *)f, (void *)tangent};
 *
 * Each pointer is followed by its shadow, which is null where the pointer has no derivative, and a small struct by value
 * that holds a pointer (in forward mode: or a number) by a struct of shadows and tangents. forward may leave out the
 * tape (then reverse takes none) and, where f changes no memory, the result of f. tangent may return a struct of
 * result and tangent. A forward-mode derivative does what f does, too.
 *
 *     void *__pardiff_inactivefn_g[1] = {(void *)g};                       // results of g have no derivative
 *     void *__pardiff_inactive_global_v[1] = {(void *)&v};                 // nor has what is read from the variable v
 *     void *__pardiff_allocation_like_a[4] =                               // a(kind, bytes) gives memory as malloc does:
 *         {(void *)a, (void *)1, (void *)"-1", (void *)b};                 // argument 1 is its size, b(memory) takes it back
 *     void *__pardiff_function_like_h[2] = {(void *)h, (void *)"log1p"};   // h has the derivative of log1p
 *
 * or, on the functions and the variable, annotate("pardiff_inactive") and annotate("pardiff_function_like=log1p").
 * Memory that an inactive variable leads to is inactive too. Shadows of what a gives come from a too, and b is called
 * after the reverse sweep, for memory and shadow.
 *
 * With -fplugin=/path/to/libpardiff-clang.so before -fpass-plugin=..., clang knows attributes that say the same, also
 * under Enzyme's names. Without it clang warns of them (-Wunknown-attributes) and they say nothing.
 *
 *     __attribute__((pardiff_inactive)) double g(double x);
 *     __attribute__((pardiff_inactive)) static double v;
 *     __attribute__((pardiff_function_like("log1p"))) double h(double x) { ... }
 *
 * 12. Series that are cut off: where n terms are enough for a function, its derivative needs k more
 *
 *     unsigned long terms = __pardiff_iter(12, 1);    // 12; 13 in its derivative, 14 in the second
 *
 * 13. Long loops over time steps: a loop with this call in its body keeps at most so many snapshots of its state in reverse mode, and runs
 *     steps again from them, as few as can be (Griewank and Walther's binomial schedule), instead of keeping something of every step
 *
 *     void march(double *u, int n, int steps) {
 *       for (int t = 0; t < steps; t++) {
 *         __pardiff_checkpoint(20);                              // 20 snapshots: 1000 steps take 3 runs each at most
 *         step(u, n);
 *       }
 *     }
 *
 * The number is known before the loop and at least 1. The loop is in no other loop, its number of steps is known before it, and a step
 * can be repeated: it calls nothing with other effects and stores no pointers. Which part of memory a step overwrites is known before the loop.
 * What cannot be served is an error. One more copy of the state is kept beside the snapshots. In forward mode and outside of gradients the
 * call does nothing; in split mode and in functions that call themselves all steps are kept.
 *
 * 14. Memory that a gradient needs is kept for the next one, since fresh memory is slow: never more than was in use at
 *     once, and by default at most a quarter of the machine's memory
 *
 *     unsigned long before = __pardiff_keep_memory(1 << 30);    // at most so many bytes from now on
 *     __pardiff_keep_memory(0);                                 // gives back all that is kept, and keeps nothing
 *     __pardiff_keep_memory(before);                            // keeps again
 *
 * The environment variable PARDIFF_KEEP_MEMORY says the first limit, in bytes. Both are for the program; a shared object
 * with gradients keeps memory of its own, to which calls in it belong. Under sanitizers and valgrind, and on other
 * systems than Linux, nothing is kept.
 */
#ifndef PARDIFF_H
#define PARDIFF_H

/* The linker reports this name when the plugin was not loaded, so the name says what to do. */
#define PARDIFF_REQUEST(name) __asm__(name "__is_still_here__compile_with_fpass_plugin_libpardiff_so")

/* Declares __pardiff_autodiff_SUFFIX with the given return type, e.g. PARDIFF_AUTODIFF(float, f32); */
#define PARDIFF_AUTODIFF(type, suffix) \
  type __pardiff_autodiff_##suffix(void *, ...) PARDIFF_REQUEST("__pardiff_autodiff_" #suffix)

/* Declares __pardiff_fwddiff_SUFFIX with the given return type. */
#define PARDIFF_FWDDIFF(type, suffix) \
  type __pardiff_fwddiff_##suffix(void *, ...) PARDIFF_REQUEST("__pardiff_fwddiff_" #suffix)

/* Declare __pardiff_augmentfwd_SUFFIX and __pardiff_reverse_SUFFIX, for split mode (10 above). */
#define PARDIFF_AUGMENTFWD(type, suffix) \
  type __pardiff_augmentfwd_##suffix(void *, ...) PARDIFF_REQUEST("__pardiff_augmentfwd_" #suffix)
#define PARDIFF_REVERSE(type, suffix) \
  type __pardiff_reverse_##suffix(void *, ...) PARDIFF_REQUEST("__pardiff_reverse_" #suffix)

#ifdef __cplusplus
extern "C" {
#endif

/* Markers: only their names are read; no object of these names exists. */
extern int pardiff_dup;
extern int pardiff_dupnoneed;
extern int pardiff_const;
extern int pardiff_out;
extern int pardiff_allocated;
extern int pardiff_tape;

double __pardiff_autodiff(void *, ...) PARDIFF_REQUEST("__pardiff_autodiff");
double __pardiff_fwddiff(void *, ...) PARDIFF_REQUEST("__pardiff_fwddiff");
void *__pardiff_augmentfwd(void *, ...) PARDIFF_REQUEST("__pardiff_augmentfwd");
double __pardiff_reverse(void *, ...) PARDIFF_REQUEST("__pardiff_reverse");
unsigned long __pardiff_iter(unsigned long n, unsigned long k) PARDIFF_REQUEST("__pardiff_iter");
void __pardiff_checkpoint(long snapshots) PARDIFF_REQUEST("__pardiff_checkpoint");
unsigned long __pardiff_augmentsize(void *, ...) PARDIFF_REQUEST("__pardiff_augmentsize");
unsigned long __pardiff_keep_memory(unsigned long bytes) PARDIFF_REQUEST("__pardiff_keep_memory");

#ifdef __cplusplus
}
#endif

#endif
