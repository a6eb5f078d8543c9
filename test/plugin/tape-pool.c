// Memory of tapes that is kept: blocks are given again, the bounds hold, threads and forks do not meet each other's blocks,
// and checkers see what is used after its release.
// RUN: %clang -O1 -Wall -Wextra -Werror %s -I%repository/runtime/src -o %t -pthread && %t | FileCheck %s
// RUN: PARDIFF_KEEP_MEMORY=0 %t none
// RUN: PARDIFF_KEEP_MEMORY=3000000 %t | FileCheck %s
// RUN: %clang -g -O1 -fsanitize=thread -DPARDIFF_KEEPS_ANYWAY %s -I%repository/runtime/src -o %t.races -pthread && %t.races races
// RUN: %clang -g -O1 -fsanitize=thread %s -I%repository/runtime/src -o %t.tsan -pthread && %t.tsan checked
// RUN: %clang -g -O1 -fsanitize=address,undefined %s -I%repository/runtime/src -o %t.asan -pthread && %t.asan checked
// RUN: not %t.asan late 2>&1 | FileCheck %s --check-prefix=LATE
// RUN: %clang -gdwarf-4 -O1 %s -I%repository/runtime/src -o %t.plain -pthread
// RUN: valgrind -q --error-exitcode=9 --leak-check=full --errors-for-leak-kinds=all %t.plain checked
// RUN: not valgrind -q --error-exitcode=9 %t.plain late 2>&1 | FileCheck %s --check-prefix=MEMCHECK
// LATE: heap-use-after-free
// MEMCHECK: Invalid read
#include "pool.c"
#include "tape.c"
#include <assert.h>
#include <pthread.h>
#include <sys/wait.h>

enum { HELD = 24, TURNS = 20000 };

// Takes and gives blocks of all sizes up to 1 MB, and looks at both ends of each before it goes.
static void *work(void *seed) {
  uint64_t random = (uintptr_t)seed * 77777 + 1, bytes[HELD];
  unsigned char *blocks[HELD] = {0};
  for (int turn = 0; turn < TURNS; turn++) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    int k = (random >> 33) % HELD;
    if (blocks[k]) {
      assert(blocks[k][0] == k && blocks[k][bytes[k] - 1] == k);
      __pardiff_tape_release(blocks[k]);
      blocks[k] = NULL;
      continue;
    }
    bytes[k] = 1 + (random >> 40) % (1u << (random >> 20) % 20);
    blocks[k] = __pardiff_tape_allocate(bytes[k], "test");
    assert((uintptr_t)blocks[k] % 64 == 0);
    blocks[k][0] = blocks[k][bytes[k] - 1] = k;
  }
  for (int k = 0; k < HELD; k++)
    __pardiff_tape_release(blocks[k]);
  return NULL;
}

static void work_together(bool forks) {
  pthread_t threads[4];
  for (uintptr_t k = 0; k < 4; k++)
    pthread_create(&threads[k], NULL, work, (void *)(k + 1));
  for (int k = 0; k < (forks ? 3 : 0); k++) {
    pid_t child = fork();
    if (child == 0) {
      alarm(60);
      work((void *)99);
      _exit(0);
    }
    int status;
    waitpid(child, &status, 0);
    assert(status == 0);
  }
  for (int k = 0; k < 4; k++)
    pthread_join(threads[k], NULL);
}

static bool is_given_again(uint64_t bytes, uint64_t then) {
  char *block = __pardiff_tape_allocate(bytes, "test");
  uintptr_t first = (uintptr_t)block;
  block[0] = 42;
  __pardiff_tape_release(block);
  char *next = __pardiff_tape_allocate(then, "test");
  bool same = (uintptr_t)next == first && next[0] == 42;
  __pardiff_tape_release(next);
  return same;
}

static uint64_t in_places(void) {
  uint64_t sum = 0;
  for (int k = 0; k < PLACES; k++) {
    assert(!pool.places[k].bytes == !pool.places[k].block);
    sum += pool.places[k].bytes;
  }
  return sum;
}

static void look_at_sizes(void) {
  for (uint64_t bytes = 0; bytes <= LARGE; bytes++) {
    uint64_t size = size_above(bytes);
    assert(size >= bytes && size % ALIGNMENT == 0 && size_below(size) < SIZES);
    assert(size == ALIGNMENT || size_below(size - 1) + 1 == size_below(size));
  }
}

int main(int argc, char **argv) {
  if (argc > 1 && argv[1][0] == 'l') {
    volatile char *block = __pardiff_tape_allocate(100, "test");
    __pardiff_tape_release((void *)block);
    return block[0];
  }
  look_at_sizes();
  work_together(argc == 1);
  assert(in_places() == pool.kept && pool.used == 0 && pool.kept <= pool.limit);
  if (argc > 1)
    return argv[1][0] != 'r' && pool.kept != 0;
  // CHECK: small 1 1 0 large 1 1 0
  printf("small %d %d", is_given_again(100, 120), is_given_again(5000, 5100));
  printf(" %d", is_given_again(100, 200));
  printf(" large %d %d", is_given_again(1000000, 900000), is_given_again(1000000, 1000000));
  printf(" %d\n", is_given_again(1000000, 100000));
  unsigned long limit = __pardiff_keep_memory(0);
  assert(pool.kept == 0 && in_places() == 0);
  // CHECK: nothing 0 0
  is_given_again(1000000, 1000000);
  printf("nothing %lu %lu\n", (unsigned long)pool.kept, __pardiff_keep_memory(limit));
  // A block that is too small is given back before a larger one is mapped: no more than was in use at once.
  // CHECK: kept 3 MB, then 5 MB, of at most 5 MB
  uint64_t most = pool.most;
  assert(most < 4000000 * 2);
  pool.most = 0;
  __pardiff_keep_memory(1 << 30);
  __pardiff_tape_release(__pardiff_tape_allocate(3000000, "test"));
  printf("kept %d MB", (int)(pool.kept / 1000000));
  __pardiff_tape_release(__pardiff_tape_allocate(5000000, "test"));
  printf(", then %d MB, of at most %d MB\n", (int)(pool.kept / 1000000), (int)(pool.most / 1000000));
  for (int k = 0; k < 1000; k++) // more than there are places
    __pardiff_tape_release(__pardiff_tape_allocate(100000 + 5000 * (k % 100), "test"));
  assert(pool.kept <= pool.most);
}
