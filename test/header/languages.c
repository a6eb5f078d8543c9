/* The header is accepted in every dialect of C and C++, with all warnings, alone and twice.
 * RUN: %clang -std=c89 -Wall -Wextra -Werror -I%include -fsyntax-only %s
 * RUN: %clang -std=c23 -Wall -Wextra -Werror -pedantic -I%include -fsyntax-only %s
 * RUN: %clang++ -x c++ -std=c++98 -Wall -Wextra -Werror -I%include -fsyntax-only %s
 * RUN: %clang++ -x c++ -std=c++23 -Wall -Wextra -Werror -pedantic -I%include -fsyntax-only %s
 */
#include "pardiff.h"
#include "pardiff.h"
struct pair { double a, b; };
PARDIFF_AUTODIFF(struct pair, pair);
PARDIFF_FWDDIFF(float, single);
double twice(void *f, double x);
double twice(void *f, double x) {
  return __pardiff_autodiff(f, pardiff_out, x) + __pardiff_fwddiff(f, pardiff_dup, x, x) + __pardiff_autodiff_pair(f, x, pardiff_const, x).b;
}
