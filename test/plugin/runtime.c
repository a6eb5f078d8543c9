// The runtime's functions, as plain C: alignment, growth that keeps what was written, sizes that overflow.
// RUN: %clang -O1 -Wall -Wextra -Werror -fsanitize=address,undefined %s -I%repository/runtime/src -o %t && %t | FileCheck %s
// RUN: not --crash %t overflow 2>&1 | FileCheck %s --check-prefix=OVERFLOW
// RUN: not --crash %t huge 2>&1 | FileCheck %s --check-prefix=HUGE
// RUN: not --crash %t full 2>&1 | FileCheck %s --check-prefix=FULL
#include "pool.c"
#include "tape.c"
#include <assert.h>

int main(int argc, char **argv) {
  if (argc > 1 && argv[1][0] == 'o')
    // OVERFLOW: pardiff: cannot allocate 2^62 bytes of tape or more for f at f.c:3
    __pardiff_tape_allocate(__pardiff_size_multiply(UINT64_MAX / 2, 3), "f at f.c:3");
  if (argc > 1 && argv[1][0] == 'h')
    // HUGE: pardiff: cannot allocate 9223372036854775807 bytes of tape for f at f.c:3
    __pardiff_tape_allocate(INT64_MAX, "f at f.c:3");
  for (uint64_t n = 0; n < 300; n += 37) {
    char *block = __pardiff_tape_allocate(n, "test");
    assert((uintptr_t)block % 64 == 0);
    memset(block, 1, n);
    __pardiff_tape_release(block);
  }
  assert(__pardiff_size_multiply(3, 5) == 15 && __pardiff_size_multiply(0, UINT64_MAX) == 0);
  assert(__pardiff_size_add(UINT64_MAX, 1) == UINT64_MAX && __pardiff_size_add(2, 3) == 5);
  assert(__pardiff_size_check(7, INT64_MAX / 2) == 7 && __pardiff_size_check(7, INT64_MAX / 2 + 1) == UINT64_MAX);
  // Three arrays: of rows of two numbers, of nothing, of bytes.
  struct tape *tape = calloc(1, sizeof *tape + 3 * sizeof(uint64_t));
  tape->sizes[0] = 16, tape->sizes[2] = 1;
  int grown = 0;
  for (uint64_t n = 1; n <= 100000; n++) {
    tape->used = n;
    if (n > tape->capacity) __pardiff_tape_grow(tape, 3, "test"), grown++;
    ((double *)tape->block)[2 * n - 1] = n;
    tape->block[16 * tape->capacity + n - 1] = n;
  }
  for (uint64_t n = 1; n <= 100000; n++)
    assert(((double *)tape->block)[2 * n - 1] == n && tape->block[16 * tape->capacity + n - 1] == (char)n);
  assert((uintptr_t)tape->block % 64 == 0 && tape->capacity < 200000);
  tape->used = 500000;
  __pardiff_tape_grow(tape, 3, "test");
  assert(tape->capacity == 500000 && ((double *)tape->block)[199999] == 100000);
  __pardiff_tape_release(tape->block);
  *tape = (struct tape){0};
  if (argc > 1)
    // FULL: pardiff: cannot allocate 2^62 bytes of tape or more for f at f.c:3
    tape->used = UINT64_MAX / 4, tape->sizes[0] = 8;
  tape->used += tape->used == 0;
  __pardiff_tape_grow(tape, 1, "f at f.c:3");
  __pardiff_tape_release(tape->block);
  free(tape);
  // CHECK: grown in few steps: 1
  printf("grown in few steps: %d\n", grown < 20);
}
