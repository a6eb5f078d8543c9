// RUN: %numeric %s
// FLAGS: -fno-math-errno
// The functions of <math.h> as LLVM's intrinsics, which they are without errno.
#include "elementary-functions.c"
