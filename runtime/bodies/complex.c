/* Functions of complex.h and the arithmetic that compilers call, in terms of real functions.
 *
 * The plugin inlines these in place of calls of the library, so that derivatives are those of the real and imaginary
 * part as functions of two reals. Formulas stay smooth where the function is: a value that a special case returns has
 * the derivative of the special case. Values agree with the C library's to a few units in the last place where they
 * are finite; signs of zeros may differ, and NaN may stand for infinity. Source: ISO C99 7.3. */

#include "bodies.h"
#include <complex.h>
#include <math.h>

#define PAIR(RE, IM) __builtin_complex(RE, IM)

/* 1 with the sign of a number: a constant for derivatives. */
#define SIGN(SUFFIX, V) __builtin_copysign##SUFFIX(1, V)

/* Compilers call these where the plain product is not a number, and for quotients. Where the operands are finite
 * and the divisor is not 0 that is all there is; the infinities that annex G makes of other products and quotients would cost
 * each of them branches in the reverse sweep, and are left NaN. */
#define ARITHMETIC(REAL, SUFFIX, LETTER)                                                                               \
  REAL _Complex BODY(__mul##LETTER##c3)(REAL a, REAL b, REAL c, REAL d) {                                              \
    return PAIR(a * c - b * d, a * d + b * c);                                                                         \
  }                                                                                                                    \
  REAL _Complex BODY(__div##LETTER##c3)(REAL a, REAL b, REAL c, REAL d) {                                              \
    REAL largest = fmax##SUFFIX(fabs##SUFFIX(c), fabs##SUFFIX(d));                                                     \
    /* A power of two, which changes no digit, keeps the squares in range. */                                          \
    int power = largest > 0 && isfinite(largest) ? -ilogb##SUFFIX(largest) : 0;                                        \
    c = scalbn##SUFFIX(c, power), d = scalbn##SUFFIX(d, power);                                                        \
    REAL square = c * c + d * d;                                                                                       \
    REAL re = (a * c + b * d) / square, im = (b * c - a * d) / square;                                                 \
    return PAIR(scalbn##SUFFIX(re, power), scalbn##SUFFIX(im, power));                                                 \
  }

/* `LIMIT` is where exp overflows, rounded down; from `LARGE` on sizes overflow, below 1 / `LARGE` they lose digits, which
 * two to the power `BOUND` brings back. */
#define FUNCTIONS(REAL, SUFFIX, LIMIT, BOUND, LARGE)                                                                   \
  REAL BODY(creal##SUFFIX)(REAL _Complex z) { return __real__ z; }                                                     \
  REAL BODY(cimag##SUFFIX)(REAL _Complex z) { return __imag__ z; }                                                     \
  REAL BODY(cabs##SUFFIX)(REAL _Complex z) { return hypot##SUFFIX(__real__ z, __imag__ z); }                           \
  REAL BODY(carg##SUFFIX)(REAL _Complex z) { return atan2##SUFFIX(__imag__ z, __real__ z); }                           \
  REAL _Complex BODY(conj##SUFFIX)(REAL _Complex z) { return PAIR(__real__ z, -__imag__ z); }                          \
  REAL _Complex BODY(cproj##SUFFIX)(REAL _Complex z) {                                                                 \
    if (isinf(__real__ z) || isinf(__imag__ z))                                                                        \
      return PAIR((REAL)INFINITY, copysign##SUFFIX(0, __imag__ z));                                                    \
    return z;                                                                                                          \
  }                                                                                                                    \
  REAL _Complex BODY(cexp##SUFFIX)(REAL _Complex z) {                                                                  \
    REAL x = __real__ z, y = __imag__ z;                                                                               \
    if (isinf(x) && !isfinite(y))                                                                                      \
      return x < 0 ? PAIR((REAL)0, (REAL)0) : PAIR(x, (REAL)NAN);                                                      \
    if (x > LIMIT) {                                                                                                   \
      REAL half = exp##SUFFIX(x / 2);                                                                                  \
      return PAIR(half * cos##SUFFIX(y) * half, half * sin##SUFFIX(y) * half);                                         \
    }                                                                                                                  \
    REAL size = exp##SUFFIX(x);                                                                                        \
    return PAIR(size * cos##SUFFIX(y), size * sin##SUFFIX(y));                                                         \
  }                                                                                                                    \
  REAL _Complex BODY(clog##SUFFIX)(REAL _Complex z) {                                                                  \
    REAL x = __real__ z, y = __imag__ z, size = hypot##SUFFIX(x, y), re;                                               \
    if (size > (REAL)0.5 && size < 2) {                                                                                \
      /* x*x + y*y - 1 with the rounding errors of both squares. */                                                    \
      REAL p = x * x, q = y * y, larger = fmax##SUFFIX(p, q), smaller = fmin##SUFFIX(p, q);                            \
      REAL rest = fma##SUFFIX(x, x, -p) + fma##SUFFIX(y, y, -q);                                                       \
      re = log1p##SUFFIX(((larger - 1) + smaller) + rest) / 2;                                                         \
    } else {                                                                                                           \
      re = log##SUFFIX(size);                                                                                          \
    }                                                                                                                  \
    return PAIR(re, atan2##SUFFIX(y, x));                                                                              \
  }                                                                                                                    \
  REAL _Complex BODY(csqrt##SUFFIX)(REAL _Complex z) {                                                                 \
    REAL x = __real__ z, y = __imag__ z;                                                                               \
    if (x == 0 && y == 0)                                                                                              \
      return PAIR((REAL)0, copysign##SUFFIX(0, y));                                                                    \
    if (isinf(y))                                                                                                      \
      return PAIR((REAL)INFINITY, y);                                                                                  \
    if (isinf(x))                                                                                                      \
      return x > 0 ? PAIR(x, y == y ? 0 * y : y) : PAIR(y == y ? 0 * y : y, copysign##SUFFIX(x, y));                   \
    /* Powers of four keep the size in range. */                                                                       \
    REAL largest = fmax##SUFFIX(fabs##SUFFIX(x), fabs##SUFFIX(y));                                                     \
    int power = largest > LARGE ? -2 : largest < 1 / LARGE ? BOUND : 0;                                                \
    x = scalbn##SUFFIX(x, power), y = scalbn##SUFFIX(y, power);                                                        \
    REAL t = sqrt##SUFFIX((hypot##SUFFIX(x, y) + (x < 0 ? -x : x)) / 2), s = SIGN(SUFFIX, y);                          \
    REAL other = y / (2 * t);                                                                                          \
    REAL re = scalbn##SUFFIX(x < 0 ? other * s : t, -power / 2);                                                       \
    REAL im = scalbn##SUFFIX(x < 0 ? t * s : other, -power / 2);                                                       \
    return PAIR(re, im);                                                                                               \
  }                                                                                                                    \
  REAL _Complex BODY(csinh##SUFFIX)(REAL _Complex z) {                                                                 \
    REAL x = __real__ z, y = __imag__ z;                                                                               \
    return PAIR(sinh##SUFFIX(x) * cos##SUFFIX(y), cosh##SUFFIX(x) * sin##SUFFIX(y));                                   \
  }                                                                                                                    \
  REAL _Complex BODY(ccosh##SUFFIX)(REAL _Complex z) {                                                                 \
    REAL x = __real__ z, y = __imag__ z;                                                                               \
    return PAIR(cosh##SUFFIX(x) * cos##SUFFIX(y), sinh##SUFFIX(x) * sin##SUFFIX(y));                                   \
  }                                                                                                                    \
  REAL _Complex BODY(csin##SUFFIX)(REAL _Complex z) {                                                                  \
    REAL x = __real__ z, y = __imag__ z;                                                                               \
    return PAIR(sin##SUFFIX(x) * cosh##SUFFIX(y), cos##SUFFIX(x) * sinh##SUFFIX(y));                                   \
  }                                                                                                                    \
  REAL _Complex BODY(ccos##SUFFIX)(REAL _Complex z) {                                                                  \
    REAL x = __real__ z, y = __imag__ z;                                                                               \
    return PAIR(cos##SUFFIX(x) * cosh##SUFFIX(y), -(sin##SUFFIX(x) * sinh##SUFFIX(y)));                                \
  }                                                                                                                    \
  REAL _Complex BODY(ctanh##SUFFIX)(REAL _Complex z) {                                                                 \
    REAL x = __real__ z, y = __imag__ z, s = sin##SUFFIX(y), c = cos##SUFFIX(y);                                       \
    if (fabs##SUFFIX(x) > LIMIT / 2)                                                                                   \
      return PAIR(SIGN(SUFFIX, x), 4 * s * c * exp##SUFFIX(-2 * fabs##SUFFIX(x)));                                     \
    REAL h = sinh##SUFFIX(x), size = h * h + c * c;                                                                    \
    return PAIR(h * cosh##SUFFIX(x) / size, s * c / size);                                                             \
  }                                                                                                                    \
  REAL _Complex BODY(ctan##SUFFIX)(REAL _Complex z) {                                                                  \
    REAL x = __real__ z, y = __imag__ z, s = sin##SUFFIX(x), c = cos##SUFFIX(x);                                       \
    if (fabs##SUFFIX(y) > LIMIT / 2)                                                                                   \
      return PAIR(4 * s * c * exp##SUFFIX(-2 * fabs##SUFFIX(y)), SIGN(SUFFIX, y));                                     \
    REAL h = sinh##SUFFIX(y), size = h * h + c * c;                                                                    \
    return PAIR(s * c / size, h * cosh##SUFFIX(y) / size);                                                             \
  }                                                                                                                    \
  REAL _Complex BODY(cpow##SUFFIX)(REAL _Complex z, REAL _Complex w) {                                                 \
    REAL _Complex l = BODY(clog##SUFFIX)(z);                                                                           \
    REAL a = __real__ w, b = __imag__ w, c = __real__ l, d = __imag__ l;                                               \
    return BODY(cexp##SUFFIX)(PAIR(a * c - b * d, a * d + b * c));                                                     \
  }

ARITHMETIC(double, , d)
ARITHMETIC(float, f, s)
ARITHMETIC(long double, l, x)
FUNCTIONS(double, , 709, 600, 4e307)
FUNCTIONS(float, f, 88, 80, 8e37f)
FUNCTIONS(long double, l, 11356, 9000, 2e4931L)
