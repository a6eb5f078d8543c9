/* Memory for the tape: what the reverse sweep needs of the forward sweep.
 *
 * A failure ends the program with a message that names the place, since a gradient without its tape would be wrong. */

#include "fail.h"
#include "pool.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A size that 64 bits do not hold, or that cannot be told from one. */
#define OVERFLOWN UINT64_MAX

FAILS static void fail(uint64_t bytes, const char *what) {
  if (bytes == OVERFLOWN)
    fprintf(stderr, "pardiff: cannot allocate 2^62 bytes of tape or more for %s\n", what);
  else
    fprintf(stderr, "pardiff: cannot allocate %llu bytes of tape for %s\n", (unsigned long long)bytes, what);
  abort();
}

/* A block of `bytes` bytes; `what` names it in messages. */
__attribute__((noinline, malloc, alloc_size(1), returns_nonnull, assume_aligned(64))) void *__pardiff_tape_allocate(uint64_t bytes,
                                                                                                      const char *what) {
  void *block = bytes > PTRDIFF_MAX - ALIGNMENT ? NULL : __pardiff_pool_take(bytes);
  if (!block)
    fail(bytes, what);
  return block;
}

/* Ends the program where `block` is no tape that the forward sweep of the same derivative left. */
void __pardiff_tape_check(const void *block, uint64_t mark, const char *what) {
  if (block && *(const uint64_t *)block == mark)
    return;
  fprintf(stderr, "pardiff: %s is given a tape that its forward sweep did not make\n", what);
  abort();
}

__attribute__((noinline)) void __pardiff_tape_release(void *block) { __pardiff_pool_give(block); }

__attribute__((always_inline)) uint64_t __pardiff_size_multiply(uint64_t a, uint64_t b) {
  uint64_t product;
  return __builtin_mul_overflow(a, b, &product) ? OVERFLOWN : product;
}

__attribute__((always_inline)) uint64_t __pardiff_size_add(uint64_t a, uint64_t b) {
  uint64_t sum;
  return __builtin_add_overflow(a, b, &sum) ? OVERFLOWN : sum;
}

/* A size rounded up to a multiple of `to`, a power of two; an overflow stays one. */
__attribute__((always_inline)) uint64_t __pardiff_size_round(uint64_t a, uint64_t to) {
  return a > UINT64_MAX - to ? OVERFLOWN : (a + to - 1) & ~(to - 1);
}

/* A number of points, given a bound for all that it was computed from. */
__attribute__((always_inline)) uint64_t __pardiff_size_check(uint64_t points, uint64_t most) {
  return most >> 62 ? OVERFLOWN : points;
}

/* A tape that grows: room for `capacity` points in each of several arrays, which follow one another. `sizes` says how many
 * bytes a point takes in each. Generated code knows this layout. */
struct tape {
  char *block;
  uint64_t capacity, used;
  uint64_t sizes[];
};

/* A capacity of at least `used` points, and twice the one before, so that growing step by step costs linear time. */
static uint64_t next_capacity(const struct tape *tape, uint64_t bytes_of_point) {
  enum { LEAST = 4096 };
  uint64_t least = bytes_of_point && bytes_of_point < LEAST ? LEAST / bytes_of_point : 1;
  uint64_t next = __pardiff_size_add(tape->capacity, tape->capacity);
  next = next > tape->used ? next : tape->used;
  return next > least ? next : least;
}

/* Makes room for the points that are used, and keeps what was written. */
__attribute__((cold, noinline)) void __pardiff_tape_grow(struct tape *tape, uint64_t arrays, const char *what) {
  uint64_t bytes = 0;
  for (uint64_t k = 0; k < arrays; k++)
    bytes = __pardiff_size_add(bytes, tape->sizes[k]);
  uint64_t capacity = next_capacity(tape, bytes);
  char *block = __pardiff_tape_allocate(__pardiff_size_multiply(bytes, capacity), what);
  char *from = tape->block, *to = block;
  for (uint64_t k = 0; k < arrays && from; k++) {
    memcpy(to, from, tape->capacity * tape->sizes[k]);
    from += tape->capacity * tape->sizes[k];
    to += capacity * tape->sizes[k];
  }
  __pardiff_tape_release(tape->block);
  tape->block = block;
  tape->capacity = capacity;
}
