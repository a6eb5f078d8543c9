/* The end of a program whose derivative meets active memory that has no shadow. */

#include "fail.h"
#include <stdio.h>
#include <stdlib.h>

FAILS static void fail(const char *where) {
  fprintf(stderr,
          "pardiff: %s uses a pointer that was put into a global variable before its derivative was called: the memory "
          "there has no shadow\n",
          where);
  abort();
}

/* A pointer that was loaded from a table of pointers, and its shadow; `where` names the function and the line. */
__attribute__((always_inline)) void __pardiff_check_shadow(void *pointer, void *shadow, const char *where) {
  if (pointer && !shadow)
    fail(where);
}
