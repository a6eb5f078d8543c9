// The schedule of snapshots: never more than asked for are held, each step is reversed from its state, and as few steps are run as
// theory says, plus the last one for its results.
// RUN: %clang -O1 -Wall -Wextra -Werror %s -I%repository/runtime/src -o %t -pthread && %t
// RUN: %clang -g -O1 -fsanitize=address,undefined -fno-sanitize-recover=all %s -I%repository/runtime/src -o %t.asan -pthread && %t.asan
#include "pool.c"
#include "tape.c"
#define fail fail_of_snapshots
#include "snapshots.c"
#include <assert.h>

enum { STEPS = 90, SNAPSHOTS = 12 };

// The fewest runs for l steps with c snapshots, by trying all places for the next one.
static long fewest[STEPS + 1][SNAPSHOTS + 1];

static void find_fewest(void) {
  for (long l = 1; l <= STEPS; l++)
    for (long c = 1; c <= SNAPSHOTS; c++) {
      fewest[l][c] = l * (l - 1) / 2;
      for (long m = 1; m < l && c > 1; m++) {
        long runs = m + fewest[l - m][c - 1] + fewest[m][c];
        if (runs < fewest[l][c]) fewest[l][c] = runs;
      }
    }
}

// r l - C(c + r, r - 1) with the least r for which C(c + r, c) >= l.
static long by_formula(long l, long c) {
  double reach = 1, before = 0;
  long r = 0;
  while (reach < l) {
    before = before + reach; // C(c + r + 1, r), as the sum of C(c + k, k) for k up to r
    r++;
    reach = reach * (c + r) / r;
  }
  return r * l - (long)(before + 0.5);
}

static long reverse(long steps, long most) {
  double state[3] = {0}, other = 0;
  long runs = 0;
  void *s = __pardiff_snapshots_open(steps, most, "a test");
  __pardiff_snapshots_add(s, state, sizeof state);
  __pardiff_snapshots_add(s, &other, sizeof other);
  __pardiff_snapshots_add(s, state + 1, 2 * sizeof *state); // parts may overlap
  for (long t = 0; t < steps; t++, runs++) {
    __pardiff_snapshots_pass(s, t);
    state[2] += 1, other += 2;
  }
  state[2] += 0.5; // what comes after the loop stays
  __pardiff_snapshots_turn(s);
  for (long t = steps - 1; t >= 0; t--) {
    for (long k = __pardiff_snapshots_back(s, t); k < t; k++, runs++) {
      __pardiff_snapshots_pass(s, k);
      assert(state[2] == k && other == 2 * k);
      state[2] += 1, other += 2;
    }
    assert(state[2] == t && other == 2 * t);
    assert((long)((struct snapshots *)s)->held <= (most < 1 ? 1 : most));
    state[2] = other = -1;
  }
  __pardiff_snapshots_close(s);
  assert(state[2] == steps + 0.5 && other == 2 * steps);
  return runs;
}

int main(void) {
  find_fewest();
  for (long l = 1; l <= STEPS; l++)
    for (long c = 1; c <= SNAPSHOTS; c++) {
      assert(by_formula(l, c) == fewest[l][c]);
      assert(reverse(l, c) == fewest[l][c] + 1);
    }
  assert(reverse(5, 0) == reverse(5, 1) && reverse(7, 7) == 7 && reverse(7, 1000000) == 7);
  assert(reverse(4000, 5) == by_formula(4000, 5) + 1);
  assert(reach(3, 2, 1000) == 10 && reach(0, 9, 1000) == 1 && reach(60, 60, UINT64_MAX) == UINT64_MAX);
  assert(stride(UINT64_MAX / 2, 40) > 1);
  return 0;
}
