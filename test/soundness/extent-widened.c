// Rule: an extent is the count of back edges, widened, plus 1. 255 back edges of a loop over an 8-bit number are 256
// iterations; without the rule 1 is added in 8 bits, which makes them 0, and the tape has no room.
// RUN: %numeric %s
#include "check.h"

static double whole_byte(const double *x, int n, unsigned char last) {
  double s = 1;
  for (int k = 0; k < n; k++) {
    unsigned char i = 0;
    do {
      s = s * 0.5 + sin(s * x[i % 3]);
    } while (i++ != last);
  }
  return s;
}
static double plain(const double *x, int n, int last) {
  double s = 1;
  for (int k = 0; k < n; k++)
    for (int i = 0; i <= last; i++) s = s * 0.5 + sin(s * x[i % 3]);
  return s;
}
CHECK_BY_HAND(all_values_of_a_byte) {
  for (int last = 254; last < 256; last++) {
    double x[3] = {1, 2, 3}, g[3] = {0}, h[3] = {0};
    __pardiff_autodiff((void *)whole_byte, pardiff_dup, x, g, opaque(2), (unsigned char)opaque(last));
    __pardiff_autodiff((void *)plain, pardiff_dup, x, h, opaque(2), opaque(last));
    for (int i = 0; i < 3; i++) near("as in a wide loop", g[i], h[i]);
  }
}
