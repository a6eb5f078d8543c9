/* Memory of tapes is kept for the next tape: the first touch of a fresh page costs as much as the arithmetic around it.
 *
 * Small blocks come from aligned_alloc. Released, they go to one of a few shelves, which threads choose by their own
 * address: taking and giving is an atomic exchange, without a lock and without the system. Large blocks are mapped, with
 * a header in front, on huge pages where the system has them. Released, they stay mapped in one of some places, from
 * which the one that fits best is taken. Everything is a word that is exchanged at once: nothing is held across a fork,
 * and a thread that ends leaves nothing behind.
 *
 * The bound: large blocks in use and kept are never more than the most that was in use at once, and what is kept is no
 * more than a limit, a quarter of the machine's memory or what the program or the environment says. Small blocks that
 * are kept are DEPTH of each size on each shelf, 0.6 MB a shelf.
 *
 * Under sanitizers and valgrind, and where the system is not Linux, nothing is kept: a released block is freed, so that
 * uses after that are found. All modules of a program or a shared object have one pool, a weak and hidden variable;
 * each shared object has its own, and takes back what another gave. */

#define _DEFAULT_SOURCE
#include "pool.h"
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

static void *fresh(uint64_t bytes) {
  return aligned_alloc(ALIGNMENT, bytes ? (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT : ALIGNMENT);
}

#ifdef __linux__

#include <errno.h>
#include <malloc.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
  PAGE = 4096,      /* the least that there is */
#ifdef __x86_64__
  MAPPED = PAGE,    /* what is mapped is a multiple of this: the largest page that is not a huge one */
#else
  MAPPED = 1 << 16,
#endif
  LARGE = 1 << 15,  /* blocks of more bytes are mapped */
  EVEN = 1 << 10,   /* sizes of small blocks are multiples of ALIGNMENT up to here, then 4 in each octave */
  SIZES = 16 + 4 * 5,
  SHELVES = 16,     /* threads share a shelf by chance */
  DEPTH = 3,        /* blocks of a size on a shelf */
  PLACES = 64,      /* large blocks that are kept */
  HUGE_PAGE = 1 << 21,
};

/* In front of a large block. `mark` tells it from other memory that happens to have the same place in its page. */
struct header {
  uint64_t mark, bytes;
  char fill[ALIGNMENT - 2 * sizeof(uint64_t)];
};

/* `bytes` is 0 where the place is empty, or while its block is put there or taken: who changes it to 0 has the block. */
struct place {
  _Atomic(struct header *) block;
  _Atomic uint64_t bytes;
};

struct shelf {
  _Atomic(void *) blocks[SIZES][DEPTH];
};

struct pool {
  _Atomic int state;
  _Atomic uint64_t limit; /* plus 1; 0 where nobody has said one */
  _Atomic uint64_t used, most, kept;
  struct place places[PLACES];
  struct shelf shelves[SHELVES];
};

enum { UNKNOWN, KEEPS, CHECKED };

/* The number is that of the layout: modules that another version of the plugin compiled may have another pool. */
__attribute__((weak, visibility("hidden"))) struct pool __pardiff_pool_1;
#define pool __pardiff_pool_1

/* Whether the module is compiled for a sanitizer that has an allocator of its own: the plugin says so when it links this
 * in. (A symbol that is weak and not there would do, but just-in-time compilers do not have such.) */
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer) || __has_feature(memory_sanitizer) ||            \
    __has_feature(thread_sanitizer) && !defined(PARDIFF_KEEPS_ANYWAY)
__attribute__((visibility("hidden"))) int __pardiff_is_checked = 1;
#else
__attribute__((visibility("hidden"))) int __pardiff_is_checked = 0;
#endif

/* Valgrind's request "how many valgrinds am I running under": instructions that do nothing elsewhere. */
static bool is_under_valgrind(void) {
#if defined(__x86_64__)
  volatile uint64_t request[6] = {0x1001};
  uint64_t answer = 0;
  __asm__ volatile("rolq $3, %%rdi; rolq $13, %%rdi; rolq $61, %%rdi; rolq $51, %%rdi; xchgq %%rbx, %%rbx"
                   : "+d"(answer)
                   : "a"(request)
                   : "cc", "memory");
  return answer != 0;
#elif defined(__aarch64__)
  volatile uint64_t request[6] = {0x1001};
  register uint64_t answer __asm__("x3") = 0;
  register volatile uint64_t *place __asm__("x4") = request;
  __asm__ volatile("ror x12, x12, #3; ror x12, x12, #13; ror x12, x12, #51; ror x12, x12, #61; orr x10, x10, x10"
                   : "+r"(answer)
                   : "r"(place)
                   : "cc", "memory");
  return answer != 0;
#else
  return false;
#endif
}

static uint64_t mark_of(uint64_t bytes, const struct header *header) {
  return ((uint64_t)(uintptr_t)header ^ bytes * 0x9e3779b97f4a7c15) + 0x7061724469666631;
}

static void unmap(struct header *header) {
  int before = errno;
  munmap(header, header->bytes);
  errno = before;
}

/* Takes the smallest kept block of at least `least` and at most `most` bytes. */
static struct header *take_kept(uint64_t least, uint64_t most) {
  while (atomic_load_explicit(&pool.kept, memory_order_relaxed)) {
    struct place *best = NULL;
    uint64_t size = most;
    for (struct place *p = pool.places; p < pool.places + PLACES; p++) {
      uint64_t bytes = atomic_load_explicit(&p->bytes, memory_order_relaxed);
      if (bytes >= least && bytes <= size)
        best = p, size = bytes;
    }
    if (!best)
      break;
    if (!atomic_compare_exchange_strong(&best->bytes, &size, 0))
      continue;
    struct header *header = atomic_exchange(&best->block, NULL);
    atomic_fetch_sub(&pool.kept, size);
    return header;
  }
  return NULL;
}

/* Unmaps kept blocks until they are no more than `most` bytes. */
static void trim(uint64_t most) {
  for (uint64_t kept; (kept = atomic_load(&pool.kept)) > most;) {
    struct header *header = take_kept(kept - most, UINT64_MAX);
    if (!header)
      header = take_kept(1, UINT64_MAX);
    if (!header)
      return;
    unmap(header);
  }
}

/* Keeps a large block, or unmaps it. */
static void give_large(struct header *header) {
  uint64_t bytes = header->bytes, limit = atomic_load(&pool.limit) - 1;
  /* It may be another pool's. */
  for (uint64_t used = atomic_load(&pool.used);
       !atomic_compare_exchange_weak(&pool.used, &used, used > bytes ? used - bytes : 0);)
    ;
  if (bytes <= limit) {
    trim(limit - bytes);
    if (atomic_fetch_add(&pool.kept, bytes) + bytes <= limit)
      for (struct place *p = pool.places; p < pool.places + PLACES; p++) {
        struct header *none = NULL;
        if (!atomic_load_explicit(&p->block, memory_order_relaxed) &&
            atomic_compare_exchange_strong(&p->block, &none, header)) {
          atomic_store(&p->bytes, bytes);
          return;
        }
      }
    atomic_fetch_sub(&pool.kept, bytes);
  }
  unmap(header);
}

/* Fresh pages, on huge ones where there is room for them. */
static struct header *map(uint64_t bytes) {
  uint64_t more = bytes >= 2 * HUGE_PAGE ? HUGE_PAGE : 0;
  char *memory = mmap(NULL, bytes + more, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    return NULL;
  if (more) {
    int number = errno;
    uint64_t before = -(uintptr_t)memory % HUGE_PAGE;
    if (before)
      munmap(memory, before);
    if (more - before)
      munmap(memory + before + bytes, more - before);
    memory += before;
    madvise(memory, bytes, MADV_HUGEPAGE);
    errno = number;
  }
  return (struct header *)memory;
}

static void *take_large(uint64_t bytes) {
  bytes = (bytes + sizeof(struct header) + MAPPED - 1) / MAPPED * MAPPED;
  /* What is much larger is left for what needs it: its pages are there already. */
  struct header *header = take_kept(bytes, bytes + bytes / 8);
  if (header) {
    atomic_fetch_add(&pool.used, header->bytes);
  } else {
    uint64_t used = atomic_fetch_add(&pool.used, bytes) + bytes, most = atomic_load(&pool.most);
    while (most < used && !atomic_compare_exchange_weak(&pool.most, &most, used))
      ;
    trim(most < used ? 0 : most - used);
    header = map(bytes);
    if (!header && atomic_load(&pool.kept)) {
      trim(0);
      header = map(bytes);
    }
    if (!header) {
      atomic_fetch_sub(&pool.used, bytes);
      return NULL;
    }
    header->bytes = bytes;
  }
  header->mark = mark_of(header->bytes, header);
  return header + 1;
}

/* The number of the largest size that is at most `bytes`. */
static unsigned size_below(uint64_t bytes) {
  if (bytes < EVEN)
    return bytes / ALIGNMENT - 1;
  unsigned octave = 63 - __builtin_clzll(bytes);
  return 15 + 4 * (octave - 10) + (bytes >> (octave - 2) & 3);
}

/* `bytes` rounded up to a size, at least one. */
static uint64_t size_above(uint64_t bytes) {
  uint64_t step = ALIGNMENT;
  if (bytes > EVEN)
    step = (uint64_t)1 << (61 - __builtin_clzll(bytes - 1));
  return bytes ? (bytes + step - 1) & ~(step - 1) : ALIGNMENT;
}

/* This thread's places for small blocks of a size. */
static _Atomic(void *) *shelf(unsigned size) {
  uint64_t self = (uint64_t)(uintptr_t)__builtin_thread_pointer();
  return pool.shelves[self * 0x9e3779b97f4a7c15 >> 60].blocks[size];
}

static void *take_small(uint64_t bytes) {
  bytes = size_above(bytes);
  _Atomic(void *) *blocks = shelf(size_below(bytes));
  for (int k = 0; k < DEPTH; k++)
    if (atomic_load_explicit(&blocks[k], memory_order_relaxed)) {
      void *block = atomic_exchange_explicit(&blocks[k], NULL, memory_order_acquire);
      if (block)
        return block;
    }
  return aligned_alloc(ALIGNMENT, bytes);
}

static void give_small(void *block) {
  uint64_t bytes = malloc_usable_size(block);
  if (bytes < 2 * LARGE && atomic_load_explicit(&pool.limit, memory_order_relaxed) > 1) {
    _Atomic(void *) *blocks = shelf(size_below(bytes < LARGE ? bytes : LARGE));
    for (int k = 0; k < DEPTH; k++) {
      void *none = NULL;
      if (!atomic_load_explicit(&blocks[k], memory_order_relaxed) &&
          atomic_compare_exchange_strong_explicit(&blocks[k], &none, block, memory_order_release, memory_order_relaxed))
        return;
    }
  }
  free(block);
}

static void give_back_all(void) {
  trim(0);
  for (int s = 0; s < SHELVES; s++)
    for (int size = 0; size < SIZES; size++)
      for (int k = 0; k < DEPTH; k++)
        free(atomic_exchange(&pool.shelves[s].blocks[size][k], NULL));
}

static uint64_t plus_one(uint64_t limit) { return limit == UINT64_MAX ? limit : limit + 1; }

/* On the way out of the program, and where a shared object is unloaded. (Not by atexit, which is in no shared library, so that
 * just-in-time compilers do not find it.) */
__attribute__((destructor)) static void at_end(void) { give_back_all(); }

/* Before the first block: is memory kept, and how much? */
__attribute__((cold, noinline)) static int start(void) {
  const char *said = getenv("PARDIFF_KEEP_MEMORY");
  uint64_t limit = (uint64_t)sysconf(_SC_PHYS_PAGES) / 4 * (uint64_t)sysconf(_SC_PAGESIZE), unset = 0;
  if (said && *said)
    limit = strtoull(said, NULL, 10);
  atomic_compare_exchange_strong(&pool.limit, &unset, plus_one(limit));
  int state = __pardiff_is_checked || is_under_valgrind() ? CHECKED : KEEPS;
  atomic_store(&pool.state, state);
  return state;
}

static bool keeps(void) {
  int state = atomic_load_explicit(&pool.state, memory_order_acquire);
  return (state ? state : start()) == KEEPS;
}

void *__pardiff_pool_take(uint64_t bytes) {
  if (!keeps())
    return fresh(bytes);
  return bytes > LARGE ? take_large(bytes) : take_small(bytes);
}

/* Whether a header is in front of a block: a small one may have anything there, in the same page. */
__attribute__((no_sanitize("thread"))) static bool is_large(const struct header *header) {
  return (uintptr_t)header % PAGE == 0 && header->mark == mark_of(header->bytes, header);
}

void __pardiff_pool_give(void *block) {
  struct header *header = (struct header *)block - 1;
  if (!keeps() || !block)
    free(block);
  else if (is_large(header))
    give_large(header);
  else
    give_small(block);
}

unsigned long __pardiff_keep_memory(unsigned long bytes) {
  bool kept = keeps();
  uint64_t before = atomic_exchange(&pool.limit, plus_one(bytes)) - 1;
  if (kept && bytes == 0)
    give_back_all();
  else
    trim(bytes);
  return before;
}

#else

void *__pardiff_pool_take(uint64_t bytes) { return fresh(bytes); }

void __pardiff_pool_give(void *block) { free(block); }

unsigned long __pardiff_keep_memory(unsigned long bytes) {
  (void)bytes;
  return 0;
}

#endif
