/* qsort and bsearch: elements are moved as blocks, so that their shadows move with them.
 *
 * An order of indices is sorted by merging, which only reads the elements, and then applied to a copy: each element is moved
 * twice, whatever the number of comparisons. Equal elements keep their order, as in the merge sort of glibc. */

#define _GNU_SOURCE
#include "bodies.h"
#include <stdlib.h>
#include <string.h>

#define SORT(NAME, COMPARE, ORDERED, ...)                                                                              \
  void BODY(NAME)(void *base, size_t n, size_t size, COMPARE compare __VA_ARGS__) {                                    \
    if (n < 2)                                                                                                         \
      return;                                                                                                          \
    char *elements = base;                                                                                             \
    size_t order[n], merged[n];                                                                                        \
    char kept[n * size];                                                                                               \
    for (size_t i = 0; i < n; i++)                                                                                     \
      order[i] = i;                                                                                                    \
    for (size_t width = 1; width < n; width *= 2) {                                                                    \
      for (size_t start = 0; start < n; start += 2 * width) {                                                          \
        size_t middle = n - start < width ? n : start + width, end = n - middle < width ? n : middle + width;          \
        size_t a = start, b = middle;                                                                                  \
        for (size_t k = start; k < end; k++) {                                                                         \
          int first = a < middle;                                                                                      \
          if (first && b < end)                                                                                        \
            first = ORDERED(elements + order[a] * size, elements + order[b] * size) <= 0;                              \
          merged[k] = first ? order[a++] : order[b++];                                                                 \
        }                                                                                                              \
      }                                                                                                                \
      for (size_t i = 0; i < n; i++)                                                                                   \
        order[i] = merged[i];                                                                                          \
    }                                                                                                                  \
    memcpy(kept, elements, n * size);                                                                                  \
    for (size_t i = 0; i < n; i++)                                                                                     \
      memcpy(elements + i * size, kept + order[i] * size, size);                                                       \
  }

#define PLAIN(A, B) compare(A, B)
#define WITH_ARGUMENT(A, B) compare(A, B, argument)
SORT(qsort, __compar_fn_t, PLAIN)
SORT(qsort_r, __compar_d_fn_t, WITH_ARGUMENT, , void *argument)

void *BODY(bsearch)(const void *key, const void *base, size_t n, size_t size, __compar_fn_t compare) {
  size_t low = 0, high = n;
  while (low < high) {
    size_t middle = (low + high) / 2;
    const char *element = (const char *)base + middle * size;
    int order = compare(key, element);
    if (order == 0)
      return (void *)element;
    if (order < 0)
      high = middle;
    else
      low = middle + 1;
  }
  return NULL;
}
