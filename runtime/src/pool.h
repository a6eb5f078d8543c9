/* Memory that is kept for the next tape (pool.c). */

#ifndef PARDIFF_POOL_H
#define PARDIFF_POOL_H

#include <stdint.h>

/* Blocks start at a multiple of this: a cache line, and the widest vector. */
enum { ALIGNMENT = 64 };

/* A block of at least `bytes` bytes, at most PTRDIFF_MAX - ALIGNMENT; null where the system gives none. */
void *__pardiff_pool_take(uint64_t bytes);

/* Takes back a block, of this pool or that of another shared object; null is none. */
void __pardiff_pool_give(void *block);

/* From now on, at most so many bytes are kept; 0 gives back all. Answers what the limit was. */
unsigned long __pardiff_keep_memory(unsigned long bytes) __asm__(
    "__pardiff_keep_memory__is_still_here__compile_with_fpass_plugin_libpardiff_so");

#endif
