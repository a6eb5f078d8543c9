// RUN: %numeric %s
// FLAGS: -D_FORTIFY_SOURCE=2 -Wno-#warnings
// The checked versions of library functions.
#include "library-calls.c"
