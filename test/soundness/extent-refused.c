// Rule: an extent that cannot safely be computed before the outermost loop makes no slot: what needs one is refused.
// Without the rule (dividing early) the loop below divides by 0 for k = 0 although the program does not.
// RUN: not %pardiff-clang -O0 -gline-tables-only -c %s -o %t 2>&1 | FileCheck %s
// RUN: not %pardiff-clang -O2 -gline-tables-only -c %s -o %t 2>&1 | FileCheck %s
#include <math.h>
#include "pardiff.h"
static double f(const double *x, int n, int m, int k) {
  double s = 1;
  for (int i = 0; i < n; i++)
    if (k != 0)
      for (int j = 0; j < m / k; j++)
// CHECK: extent-refused.c:{{.*}}: error: {{.*}}{{\[PD0008\]}}
        s = s * 0.5 + sin(s * x[j]);
  return s;
}
void gradient(const double *x, double *dx, int n, int m, int k) {
  __pardiff_autodiff((void *)f, pardiff_dup, x, dx, n, m, k);
}
// CHECK: error{{s?}} generated
