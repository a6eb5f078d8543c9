/* Memory that the differentiated function allocates and gives back.
 *
 * The reverse sweep reads what the forward sweep left in memory, so nothing is given back before it has ended: a list
 * remembers what to call with what. Failures end the program, since a gradient without its memory would be wrong. */

#include "fail.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct deferred {
  void (*release)(void *);
  void *memory;
};

struct list {
  struct deferred *items;
  uint64_t count, capacity;
};

FAILS static void fail(uint64_t bytes, const char *what) {
  fprintf(stderr, "pardiff: cannot allocate %llu bytes for %s\n", (unsigned long long)bytes, what);
  abort();
}

/* Remembers to give memory back. */
void __pardiff_defer(struct list *list, void (*release)(void *), void *memory) {
  if (!memory)
    return;
  if (list->count == list->capacity) {
    list->capacity = list->capacity ? 2 * list->capacity : 16;
    list->items = realloc(list->items, list->capacity * sizeof *list->items);
    if (!list->items)
      fail(list->capacity * sizeof *list->items, "a list of memory to be given back");
  }
  list->items[list->count++] = (struct deferred){release, memory};
}

/* Gives back everything, and the list. */
void __pardiff_release_deferred(struct list *list) {
  for (uint64_t i = list->count; i-- > 0;)
    list->items[i].release(list->items[i].memory);
  free(list->items);
  *list = (struct list){0};
}

/* Makes fresh memory the shadow of other fresh memory. */
void __pardiff_clear_shadow(void *shadow, uint64_t bytes) {
  if (!shadow && bytes)
    fail(bytes, "the shadow of allocated memory");
  if (bytes)
    memset(shadow, 0, bytes);
}

void *__pardiff_local_array(uint64_t bytes);

/* The same in derived code, which gives it back. */
void *__pardiff_deferred_array(uint64_t bytes) {
  return __pardiff_local_array(bytes);
}

/* A local array whose size is known only while running. */
void *__pardiff_local_array(uint64_t bytes) {
  void *memory = malloc(bytes ? bytes : 1);
  if (!memory)
    fail(bytes, "a local array");
  return memory;
}
