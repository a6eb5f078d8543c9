// harness.c: runs one variant of one program, told by lines of standard input what to do.
//
//   program [--small]
//     turn NANOSECONDS  repeats it that long, at least once; prints the nanoseconds of each repetition; the first
//                       only warms caches up and is left out where there are others
//     gradient FILE     one run from the start; writes each shadow of an input: its length and its numbers
//     differences       one run; prints the error of the gradient along one direction against differences
//     clock cpu         times are those of the processor, for a machine with other load
//     memory            prints the kilobytes that were in use after set-up, and the most since
#include "harness.h"
#include <stdint.h>
#include <stdio.h>
#include <time.h>

double value;
void set_up(void);
void run(void);
void run_primal(void);

enum { MOST_BLOCKS = 32 };
struct block {
  enum kind kind;
  int is_float;
  long n;
  void *primal, *shadow;
  void *start; // what an INOUT block holds before each run; others while differences are taken
};
static struct block blocks[MOST_BLOCKS];
static int count, is_small;
static uint64_t state = 7;

int size(int full, int small) { return is_small ? small : full; }

double uniform(double low, double high) { // splitmix64
  uint64_t z = state += 0x9e3779b97f4a7c15;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  z ^= z >> 31;
  return low + (high - low) * ((z >> 11) * 0x1p-53);
}

int below(int n) { return (int)uniform(0, n); }

static size_t bytes(int is_float, long n) { return n * (is_float ? sizeof(float) : sizeof(double)); }

// Blocks begin at different places of a page: equal ones make stores to one wait for loads from another, which has
// nothing to do with the programs.
static void *allocate(size_t bytes) {
  enum { PAGE = 4096, APART = 832 };
  static size_t shift;
  char *memory = aligned_alloc(PAGE, (bytes + 2 * PAGE - 1) / PAGE * PAGE);
  if (!memory) {
    perror("bench");
    exit(1);
  }
  shift = (shift + APART) % PAGE;
  return memory + shift;
}

static double get(const struct block *b, const void *of, long i) {
  return b->is_float ? ((const float *)of)[i] : ((const double *)of)[i];
}

static void put(const struct block *b, void *of, long i, double x) {
  if (b->is_float)
    ((float *)of)[i] = x;
  else
    ((double *)of)[i] = x;
}

void *harness_data(int is_float, long n, double low, double high) {
  struct block b = {.is_float = is_float};
  void *memory = allocate(bytes(is_float, n));
  for (long i = 0; i < n; i++) put(&b, memory, i, uniform(low, high));
  return memory;
}

void *harness_shadow(void *primal, int is_float, long n, enum kind kind) {
  if (count == MOST_BLOCKS) exit(1);
  struct block *b = &blocks[count++];
  *b = (struct block){kind, is_float, n, primal, allocate(bytes(is_float, n)), NULL};
  memset(b->shadow, 0, bytes(is_float, n));
  if (kind == INOUT_KIND) {
    b->start = allocate(bytes(is_float, n));
    memcpy(b->start, primal, bytes(is_float, n));
  }
  return b->shadow;
}

static double seed(long i) { return 1 - 0.1 * (i % 7); }

static int is_seeded(const struct block *b) { return b->kind == RESULT_KIND || b->kind == INOUT_KIND; }

static int is_read(const struct block *b) { return b->kind == INPUT_KIND || b->kind == INOUT_KIND; }

// What a run uses up: inputs that it overwrites and seeds.
static void renew(void) {
  for (struct block *b = blocks; b < blocks + count; b++) {
    if (b->kind == INOUT_KIND) memcpy(b->primal, b->start, bytes(b->is_float, b->n));
    if (b->kind == WORK_KIND) memset(b->shadow, 0, bytes(b->is_float, b->n));
    for (long i = 0; is_seeded(b) && i < b->n; i++) put(b, b->shadow, i, seed(i));
  }
}

static void renew_all(void) {
  renew();
  for (struct block *b = blocks; b < blocks + count; b++)
    if (b->kind == INPUT_KIND) memset(b->shadow, 0, bytes(b->is_float, b->n));
}

static clockid_t clock_id = CLOCK_MONOTONIC;

static int64_t now(void) {
  struct timespec t;
  clock_gettime(clock_id, &t);
  return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

static void turn(int64_t most) {
  enum { MOST_TIMES = 1000 };
  static int64_t times[MOST_TIMES];
  int n = 0;
  for (int64_t begin = now(); n == 0 || (n < MOST_TIMES && now() - begin < most); n++) {
    renew();
    int64_t start = now();
    run();
    times[n] = now() - start;
  }
  for (int i = n > 1; i < n; i++) printf("%lld ", (long long)times[i]);
  printf("\n");
}

static void write_gradient(const char *path) {
  renew_all();
  run();
  FILE *file = fopen(path, "wb");
  for (struct block *b = blocks; file && b < blocks + count; b++) {
    if (!is_read(b)) continue;
    double n = b->n;
    fwrite(&n, sizeof n, 1, file);
    for (long i = 0; i < b->n; i++) {
      double x = get(b, b->shadow, i);
      fwrite(&x, sizeof x, 1, file);
    }
  }
  int failed = !file || ferror(file);
  if (file && fclose(file) != 0) failed = 1;
  printf("%s\n", failed ? "cannot be written" : "ok");
}

// The weighted sum of all results where inputs are moved by step along a fixed direction.
static double moved(double step) {
  for (struct block *b = blocks; b < blocks + count; b++)
    for (long i = 0; is_read(b) && i < b->n; i++)
      put(b, b->primal, i, get(b, b->start, i) + step * cos(2.1 * i));
  value = 0;
  run_primal();
  double sum = value;
  for (struct block *b = blocks; b < blocks + count; b++)
    for (long i = 0; is_seeded(b) && i < b->n; i++) sum += seed(i) * get(b, b->primal, i);
  return sum;
}

static void differences(void) {
  renew_all();
  run();
  double slope = 0, h = blocks[0].is_float ? 2e-3 : 1e-5;
  for (struct block *b = blocks; b < blocks + count; b++)
    for (long i = 0; is_read(b) && i < b->n; i++) slope += get(b, b->shadow, i) * cos(2.1 * i);
  for (struct block *b = blocks; b < blocks + count; b++)
    if (b->kind == INPUT_KIND) {
      b->start = allocate(bytes(b->is_float, b->n));
      memcpy(b->start, b->primal, bytes(b->is_float, b->n));
    }
  double expected = (moved(h) - moved(-h)) / (2 * h);
  moved(0);
  printf("%.3g\n", fabs(slope - expected) / fmax(fabs(expected), 1e-300));
}

static long status(const char *name) {
  FILE *file = fopen("/proc/self/status", "r");
  char line[256];
  long found = 0;
  while (file && fgets(line, sizeof line, file))
    if (strncmp(line, name, strlen(name)) == 0) found = atol(line + strlen(name));
  if (file) fclose(file);
  return found;
}

int main(int argc, char **argv) {
  is_small = argc > 1 && strcmp(argv[1], "--small") == 0;
  set_up();
  renew_all();
  long before = status("VmRSS:");
  char line[4096];
  while (fgets(line, sizeof line, stdin)) {
    line[strcspn(line, "\n")] = 0;
    if (strncmp(line, "turn ", 5) == 0)
      turn(atoll(line + 5));
    else if (strncmp(line, "gradient ", 9) == 0)
      write_gradient(line + 9);
    else if (strcmp(line, "differences") == 0)
      differences();
    else if (strcmp(line, "clock cpu") == 0)
      clock_id = CLOCK_PROCESS_CPUTIME_ID, printf("ok\n");
    else if (strcmp(line, "memory") == 0)
      printf("%ld %ld\n", before, status("VmHWM:"));
    fflush(stdout);
  }
}
