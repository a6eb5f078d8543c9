// Without the plugin the linker names what is missing.
// RUN: not %clang -O1 -I%include %s -o %t 2>&1 | FileCheck %s
// CHECK: undefined reference to `__pardiff_autodiff__is_still_here__compile_with_fpass_plugin_libpardiff_so'
// CHECK: undefined reference to `__pardiff_fwddiff_single__is_still_here__compile_with_fpass_plugin_libpardiff_so'
#include "pardiff.h"
PARDIFF_FWDDIFF(float, single);
static double square(double x) { return x * x; }
int main(void) {
  return (int)(__pardiff_autodiff((void *)square, 2.0) + __pardiff_fwddiff_single((void *)square, 2.0, 1.0));
}
