/* The end of a program that calls, through a pointer, a function that its gradient was not made for. */

#include "fail.h"
#include <stdio.h>
#include <stdlib.h>

/* `where` names the differentiated function, and the line where it is known. */
FAILS void __pardiff_unknown_function(const char *where) {
  fprintf(stderr,
          "pardiff: %s calls a function through a pointer that was not known when its derivative was compiled\n",
          where);
  abort();
}
