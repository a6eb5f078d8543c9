/* Functions of math.h with several results, and those of old that are other functions in disguise. */

#define _GNU_SOURCE
#include "bodies.h"
#include <math.h>

#define FUNCTIONS(REAL, SUFFIX)                                                                                        \
  void BODY(sincos##SUFFIX)(REAL x, REAL *s, REAL *c) {                                                                \
    *s = sin##SUFFIX(x);                                                                                               \
    *c = cos##SUFFIX(x);                                                                                               \
  }                                                                                                                    \
  REAL BODY(significand##SUFFIX)(REAL x) {                                                                             \
    if (x == 0 || !isfinite(x))                                                                                        \
      return x;                                                                                                        \
    return scalbn##SUFFIX(x, -ilogb##SUFFIX(x));                                                                       \
  }                                                                                                                    \
  REAL BODY(scalb##SUFFIX)(REAL x, REAL n) {                                                                           \
    if (n != rint##SUFFIX(n))                                                                                          \
      return (REAL)NAN;                                                                                                \
    return scalbn##SUFFIX(x, n > 65000 ? 65000 : n < -65000 ? -65000 : (int)n);                                        \
  }

FUNCTIONS(double, )
FUNCTIONS(float, f)
FUNCTIONS(long double, l)
