/* What the shadow of a block of memory goes through when the block is copied or filled.
 *
 * A block repeats a pattern of members; each function works on one member: the first element starts `at` bytes into the
 * block, the next ones every `step` bytes (0: there is only the first). Blocks of a copy may overlap, since they are
 * shadows of memory that a memmove went between: elements are visited in the order that keeps them apart. */

#include <stdint.h>
#include <string.h>

__attribute__((always_inline)) static uint64_t elements(uint64_t bytes, uint64_t size, uint64_t at, uint64_t step) {
  if (bytes < at + size)
    return 0;
  return step ? (bytes - at - size) / step + 1 : 1;
}

/* Adds the adjoint of a copied block to that of its source. The copy's adjoint is taken away from the destination first, so
 * that a block that was copied onto itself keeps it. */
#define ADD_BLOCK(NAME, REAL)                                                                                          \
  void NAME(char *to, char *from, uint64_t bytes, uint64_t at, uint64_t step) {                                        \
    uint64_t n = elements(bytes, sizeof(REAL), at, step);                                                              \
    for (uint64_t k = 0; k < n; k++) {                                                                                 \
      uint64_t place = at + (to <= from ? n - 1 - k : k) * step;                                                       \
      REAL *target = (REAL *)(to + place), *source = (REAL *)(from + place), d = *target;                              \
      *target = 0;                                                                                                     \
      *source += d;                                                                                                    \
    }                                                                                                                  \
  }

ADD_BLOCK(__pardiff_add_block, double)
ADD_BLOCK(__pardiff_add_blockf, float)
ADD_BLOCK(__pardiff_add_blockl, long double)

/* Clears elements of `size` bytes. */
void __pardiff_clear_fields(char *to, uint64_t bytes, uint64_t size, uint64_t at, uint64_t step) {
  uint64_t n = elements(bytes, size, at, step);
  for (uint64_t k = 0; k < n; k++)
    memset(to + at + k * step, 0, size);
}

/* Copies pointers forward, as the memmove of the whole block did. */
void __pardiff_copy_pointers(char *to, char *from, uint64_t bytes, uint64_t at, uint64_t step) {
  uint64_t n = elements(bytes, sizeof(void *), at, step);
  for (uint64_t k = 0; k < n; k++) {
    uint64_t place = at + (to <= from ? k : n - 1 - k) * step;
    void *pointer;
    memcpy(&pointer, from + place, sizeof pointer);
    memcpy(to + place, &pointer, sizeof pointer);
  }
}
