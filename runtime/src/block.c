/* The adjoint of a block copy of reals: what the copy was worth goes to its source.
 *
 * The blocks are shadows of memory that a memcpy or memmove went between, so they may overlap. The copy's adjoint is
 * first taken away from the destination, then added to the source, through a buffer where they overlap. */

#include <stdint.h>
#include <stdlib.h>

#define ADD_BLOCK(NAME, REAL)                                                                                          \
  void NAME(REAL *to, REAL *from, uint64_t bytes) {                                                                    \
    uint64_t n = bytes / sizeof(REAL);                                                                                 \
    if (to <= from) {                                                                                                  \
      for (uint64_t i = n; i-- > 0;) {                                                                                 \
        REAL d = to[i];                                                                                                \
        to[i] = 0;                                                                                                     \
        from[i] += d;                                                                                                  \
      }                                                                                                                \
    } else {                                                                                                           \
      for (uint64_t i = 0; i < n; i++) {                                                                               \
        REAL d = to[i];                                                                                                \
        to[i] = 0;                                                                                                     \
        from[i] += d;                                                                                                  \
      }                                                                                                                \
    }                                                                                                                  \
  }

ADD_BLOCK(__pardiff_add_block, double)
ADD_BLOCK(__pardiff_add_blockf, float)
ADD_BLOCK(__pardiff_add_blockl, long double)
