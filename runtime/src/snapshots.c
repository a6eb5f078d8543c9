/* Snapshots of the state of a time loop, from which its steps are run again when the reverse sweep wants them.
 *
 * Reversing N steps with s snapshots by the binomial schedule of A. Griewank and A. Walther ("Algorithm 799: revolve", ACM
 * TOMS 26(1), 2000) runs the fewest steps: with s snapshots and every step run at most r times forward, C(s + r, s) steps can be
 * reversed, and N steps take r N - C(s + r, s + 1) runs, where r is the least with C(s + r, s) >= N. Here one more is run: the last one, in the forward
 * sweep, whose results the caller gets. Counted are plain runs; the reverse of a step runs it once more, as part of a gradient.
 *
 * The positions of snapshots are a stack. Those in front of the step that is reversed are given up; from the last one left steps are run,
 * and free places are filled on the way. There is one more place than snapshots. It holds the state before the last step, with which the
 * reverse sweep starts, and from then on what was in memory when that came to the loop: this is put back in the end,
 * since it is what the caller gets. All copies are one block of the tapes' pool. */

#include "fail.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *__pardiff_tape_allocate(uint64_t bytes, const char *what);
void __pardiff_tape_release(void *block);
uint64_t __pardiff_size_multiply(uint64_t a, uint64_t b);
uint64_t __pardiff_size_add(uint64_t a, uint64_t b);
uint64_t __pardiff_size_round(uint64_t a, uint64_t to);

#define NOWHERE UINT64_MAX

/* A part of the state. */
struct part {
  char *memory;
  uint64_t bytes, at; /* where in a copy */
};

struct snapshots {
  uint64_t steps;
  uint64_t most, held;     /* how many snapshots there may be, and are */
  uint64_t *positions;     /* the steps before which they were taken */
  uint64_t next, end;      /* before which step the next one is taken, on the way to the step before `end` */
  struct part *parts;
  uint64_t part_count;
  uint64_t bytes;          /* of one copy */
  char *copies;            /* made when the first one is taken; that for the end is the last one */
  const char *what;
};

FAILS static void fail(const char *what) {
  fprintf(stderr, "pardiff: cannot allocate memory for the snapshots of %s\n", what);
  abort();
}

/* How many steps can be reversed with `count` snapshots, each run `runs` times at most: a binomial coefficient, cut to `most`. */
static uint64_t reach(uint64_t count, uint64_t runs, uint64_t most) {
  uint64_t value = 1;
  for (uint64_t k = 1; k <= count && k <= runs; k++) { /* C(a + b, b) by the smaller of both */
    uint64_t larger = count > runs ? count : runs;
    unsigned __int128 next = (unsigned __int128)value * (larger + k) / k;
    if (next >= most)
      return most;
    value = (uint64_t)next;
  }
  return value;
}

/* How many steps to go on from a snapshot before the next one is taken, with `steps` > 1 to reverse and `count` > 1 snapshots,
 * this one included. */
static uint64_t stride(uint64_t steps, uint64_t count) {
  uint64_t runs = 1;
  while (reach(count, runs, steps) < steps)
    runs++;
  /* The part before the next snapshot has `count` and one run less, that after it a snapshot less. */
  uint64_t behind = reach(count - 1, runs, steps), least = steps - behind;
  uint64_t few = runs > 1 ? reach(count, runs - 2, steps) : 0;
  least = least > few ? least : few;
  return least > 1 ? least : 1;
}

/* Where to take the next snapshot, after the one at the top. */
static void plan(struct snapshots *s) {
  uint64_t from = s->positions[s->held - 1], steps = s->end - from, count = s->most - s->held + 1;
  s->next = steps > 1 && count > 1 ? from + stride(steps, count) : NOWHERE;
}

/* Of a loop of `steps` steps, with at most `most` snapshots at a time (at least 1). */
__attribute__((noinline)) void *__pardiff_snapshots_open(uint64_t steps, int64_t most, const char *what) {
  struct snapshots *s = calloc(1, sizeof *s);
  if (!s)
    fail(what);
  s->steps = steps;
  s->most = most < 1 ? 1 : (uint64_t)most < steps ? (uint64_t)most : steps;
  s->end = steps;
  s->what = what;
  return s;
}

/* Adds memory to the state. */
__attribute__((noinline)) void __pardiff_snapshots_add(struct snapshots *s, void *memory, uint64_t bytes) {
  struct part *parts = realloc(s->parts, (s->part_count + 1) * sizeof *parts);
  if (!parts)
    fail(s->what);
  s->parts = parts;
  s->parts[s->part_count++] = (struct part){memory, bytes, s->bytes};
  s->bytes = __pardiff_size_add(s->bytes, __pardiff_size_round(bytes, 64));
}

enum way { TO_COPY, TO_MEMORY, SWAP };

static void swap(char *a, char *b, uint64_t bytes) {
  char between[4096];
  for (uint64_t at = 0, some; at < bytes; at += some) {
    some = bytes - at < sizeof between ? bytes - at : sizeof between;
    memcpy(between, a + at, some);
    memcpy(a + at, b + at, some);
    memcpy(b + at, between, some);
  }
}

/* Moves the state to or from place `n`. Parts may overlap: what was swapped with the first ones is put back last. */
static void move(struct snapshots *s, uint64_t n, enum way way) {
  for (uint64_t k = 0; k < s->part_count; k++) {
    struct part *p = &s->parts[way == TO_MEMORY ? s->part_count - 1 - k : k];
    char *place = s->copies + n * s->bytes + p->at;
    if (way == TO_COPY)
      memcpy(place, p->memory, p->bytes);
    else if (way == TO_MEMORY)
      memcpy(p->memory, place, p->bytes);
    else
      swap(place, p->memory, p->bytes);
  }
}

static void make_room(struct snapshots *s) {
  s->positions = calloc(s->most, sizeof *s->positions);
  if (!s->positions)
    fail(s->what);
  s->copies = __pardiff_tape_allocate(__pardiff_size_multiply(s->most + 1, s->bytes), s->what);
}

/* Before a step is run: takes a snapshot if that is planned. */
void __pardiff_snapshots_pass(struct snapshots *s, uint64_t step) {
  int last = step == s->steps - 1;
  if (step != s->next && !last)
    return;
  if (!s->copies)
    make_room(s);
  if (last) {
    move(s, s->most, TO_COPY);
    return;
  }
  move(s, s->held, TO_COPY);
  s->positions[s->held++] = step;
  plan(s);
}

/* The reverse sweep comes to the loop. */
__attribute__((noinline)) void __pardiff_snapshots_turn(struct snapshots *s) { move(s, s->most, SWAP); }

/* Before a step is reversed, the last one first: brings back a state before it, and answers before which step. */
__attribute__((noinline)) uint64_t __pardiff_snapshots_back(struct snapshots *s, uint64_t step) {
  if (step == s->steps - 1)
    return step;
  while (s->positions[s->held - 1] > step)
    s->held--;
  s->end = step + 1;
  move(s, s->held - 1, TO_MEMORY);
  plan(s);
  return s->positions[s->held - 1];
}

/* All steps are reversed. */
__attribute__((noinline)) void __pardiff_snapshots_close(struct snapshots *s) {
  move(s, s->most, TO_MEMORY);
  __pardiff_tape_release(s->copies);
  free(s->positions);
  free(s->parts);
  free(s);
}
