/* Memory for the tape: what the reverse sweep needs of the forward sweep.
 *
 * Blocks are aligned to 64 bytes, a cache line and the widest vector. A failure ends the program with
 * a message that names the place, since a gradient without its tape would be wrong. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 64 };

/* The size of an array whose size does not fit in 64 bits. */
#define OVERFLOWN UINT64_MAX

__attribute__((noreturn, cold, noinline)) static void fail(uint64_t bytes, const char *what) {
  if (bytes == OVERFLOWN)
    fprintf(stderr, "pardiff: cannot allocate more than 2^64 bytes of tape for %s\n", what);
  else
    fprintf(stderr, "pardiff: cannot allocate %llu bytes of tape for %s\n", (unsigned long long)bytes, what);
  abort();
}

/* A block of `bytes` bytes; `what` names it in messages. */
void *__pardiff_tape_allocate(uint64_t bytes, const char *what) {
  if (bytes > PTRDIFF_MAX - ALIGNMENT)
    fail(bytes, what);
  uint64_t rounded = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  void *block = aligned_alloc(ALIGNMENT, rounded ? rounded : ALIGNMENT);
  if (!block)
    fail(bytes, what);
  return block;
}

void __pardiff_tape_release(void *block) { free(block); }

/* A block of at least `wanted` bytes that starts with the contents of `old` (which may be null and is
 * released); its size at least doubles, so that growing step by step costs linear time. */
void *__pardiff_tape_grow(void *old, uint64_t *capacity, uint64_t wanted, const char *what) {
  if (wanted <= *capacity)
    return old;
  uint64_t size = *capacity > PTRDIFF_MAX / 2 ? wanted : 2 * *capacity;
  if (size < wanted)
    size = wanted;
  if (size < 4096)
    size = 4096;
  void *block = __pardiff_tape_allocate(size, what);
  if (old)
    memcpy(block, old, *capacity);
  free(old);
  *capacity = size;
  return block;
}

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
