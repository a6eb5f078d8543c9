// The runtime's functions, as plain C: alignment, growth that keeps what was written, sizes that overflow.
// RUN: %clang -O1 -Wall -Wextra -Werror -fsanitize=address,undefined %s -I%repository/runtime/src -o %t && %t | FileCheck %s
// RUN: not --crash %t overflow 2>&1 | FileCheck %s --check-prefix=OVERFLOW
// RUN: not --crash %t huge 2>&1 | FileCheck %s --check-prefix=HUGE
#include "tape.c"
#include <assert.h>

int main(int argc, char **argv) {
  (void)argv;
  if (argc > 1 && argv[1][0] == 'o')
    // OVERFLOW: pardiff: cannot allocate more than 2^64 bytes of tape for f at f.c:3
    __pardiff_tape_allocate(__pardiff_size_multiply(UINT64_MAX / 2, 3), "f at f.c:3");
  if (argc > 1)
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
  uint64_t capacity = 0, grown = 0;
  double *data = 0;
  for (uint64_t n = 1; n <= 100000; n++) {
    uint64_t before = capacity;
    data = __pardiff_tape_grow(data, &capacity, n * sizeof *data, "test");
    grown += capacity != before;
    data[n - 1] = n;
  }
  for (uint64_t n = 1; n <= 100000; n++) assert(data[n - 1] == n);
  assert((uintptr_t)data % 64 == 0);
  __pardiff_tape_release(data);
  // CHECK: grown in few steps: 1
  printf("grown in few steps: %d\n", grown < 20);
}
