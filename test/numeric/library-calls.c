// RUN: %numeric %s
// Functions of the C library without derivative: text, numbers from text, files, characters, time, the error number.
#define _GNU_SOURCE
#include "check.h"
#include <ctype.h>
#include <errno.h>
#include <time.h>

static double text(double *x, int n) {
  char name[32], copy[32], number[64];
  double s = 0;
  for (int i = 0; i < n; i++) {
    strcpy(name, i & 1 ? "drift" : "quad");
    strncpy(copy, name, sizeof copy - 1), copy[31] = 0;
    strcat(copy, "+");
    snprintf(number, sizeof number, "%d:%s", i, copy);
    if (!strcmp(name, "quad")) s += x[i] * x[i];
    if (strstr(number, "drift")) s += sin(x[i]) * (double)strlen(number);
    if (strchr(copy, '+') == copy + strlen(name) && !memcmp(copy, name, 4)) s *= 1.1;
    if (isalpha(copy[0]) && !isdigit(copy[1]) && toupper(copy[0]) == (i & 1 ? 'D' : 'Q')) s += x[0];
  }
  return s;
}
CHECK_SCALAR_N(text, DIFFERENCES, RANGE(5))

static double from_text(double *x) {
  char *end, list[] = "2.5 3 nine", *word;
  double a = strtod(list, &end);
  long k = strtol(end, &end, 10);
  int m = atoi("12"), two = 0;
  double b = 0;
  sscanf("7 0.25", "%d %lf", &two, &b);
  double s = x[0] * a + k * x[1] * x[1] + b * x[0] * x[1] + abs(-m) * two;
  int words = 0;
  for (word = strtok(list, " "); word; word = strtok(0, " ")) words++;
  div_t q = div(17, 5);
  return s * words + q.quot * x[0] + q.rem * atof("0.5") * x[1];
}
CHECK_SCALAR(from_text, DIFFERENCES, RANGE(2))

static double duplicated(double *x) {
  static char memory[16];
  char *twin = stpcpy(memory, "ab");
  return x[0] * x[0] * (double)(twin - memory) + (double)strspn(memory, "ba") * x[1];
}
static void duplicated_want(const double *x, const double *w, double *g) { g[0] = w[0] * 4 * x[0], g[1] = w[0] * 2; }
CHECK_SCALAR(duplicated, duplicated_want, RANGE(2))

static double files(double *x, int n) {
  FILE *f = tmpfile();
  if (!f) return 0;
  for (int i = 0; i < n; i++) fprintf(f, "%d %.17g\n", i, 0.5 * i);
  rewind(f);
  double s = 0, factor;
  char line[80];
  while (fgets(line, sizeof line, f)) {
    int i;
    if (sscanf(line, "%d %lf", &i, &factor) == 2) s += factor * x[i] * x[i];
  }
  rewind(f);
  int i;
  while (fscanf(f, "%d %lf", &i, &factor) == 2) s += sin(x[i]) * factor;
  fclose(f);
  return s;
}
static void files_want(const double *x, const double *w, double *g) {
  for (int i = 0; i < 4; i++) g[i] = w[0] * 0.5 * i * (2 * x[i] + cos(x[i]));
}
CHECK_SCALAR_N(files, files_want, RANGE(4))

static double block_of_file(double *x) {
  double written[3] = {1, 2, 3}, read[3] = {0, 0, 0};
  FILE *f = tmpfile();
  if (!f) return 0;
  fwrite(written, sizeof written[0], 3, f);
  rewind(f);
  size_t count = fread(read, sizeof read[0], 3, f);
  fclose(f);
  return read[0] * x[0] + read[1] * x[1] * x[1] + read[2] * x[0] * (double)count;
}
static void block_of_file_want(const double *x, const double *w, double *g) {
  g[0] = w[0] * 10, g[1] = w[0] * 4 * x[1];
}
CHECK_SCALAR(block_of_file, block_of_file_want, RANGE(2))

// Memory of the library changes between a read and the reverse sweep.
static double library_memory(double *x) {
  time_t first = 86400 * 3 + 5, second = 86400 * 40 + 17;
  double s = x[0];
  s = s * s * gmtime(&first)->tm_sec;
  s = s * s * gmtime(&second)->tm_sec;
  return s * x[1] * (getenv("PARDIFF_NO_SUCH_VARIABLE") ? 2 : 1) * difftime(second, first) * 1e-6;
}
CHECK_SCALAR(library_memory, DIFFERENCES, RANGE(2))

static double checked_log(double v) {
  errno = 0;
  double r = log(v);
  return errno ? v * v : r;
}
static double error_number(double *x) {
  double s = checked_log(x[0]) * x[0];
  if (errno) s = 0;
  return s + checked_log(-x[1]);
}
static void error_number_want(const double *x, const double *w, double *g) {
  g[0] = w[0] * (log(x[0]) + 1), g[1] = w[0] * 2 * x[1];
}
CHECK_SCALAR(error_number, error_number_want, RANGE(2))

static int by_value(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static double sorted_indices(double *x, int n) {
  int order[8] = {3, 1, 2, 0, 7, 5, 6, 4}, key = 5;
  qsort(order, 8, sizeof order[0], by_value);
  int *found = bsearch(&key, order, 8, sizeof order[0], by_value);
  double s = found ? x[0] * (double)(found - order) : 0;
  for (int i = 0; i < n; i++) s += order[i] * x[order[i]] * x[i];
  return s;
}
CHECK_SCALAR_N(sorted_indices, DIFFERENCES, RANGE(6))

static double random_numbers(double *x, int n) {
  srand(7);
  unsigned seed = 3;
  double s = 0, r[8];
  for (int i = 0; i < n; i++) {
    r[i] = (double)(rand() % 5) + (double)(rand_r(&seed) % 3);
    s += r[i] * x[i] * x[i];
  }
  return s;
}
CHECK_SCALAR_N(random_numbers, DIFFERENCES, RANGE(6))

static double block_functions(double *x) {
  double a[4], b[4], c[2];
  memset(a, 0, sizeof a), memset(b, 0, sizeof b);
  a[0] = x[0] * x[0], a[1] = x[1];
  double *after = mempcpy(b, a, 2 * sizeof *a);
  memmove(b + 1, b, 2 * sizeof *b);
  bcopy(b + 1, c, sizeof c);
  return b[0] * b[2] * (double)(after - b) + b[1] * c[0] + c[1];
}
CHECK_SCALAR(block_functions, DIFFERENCES, RANGE(2))

static double printing(double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    s += x[i] * x[i];
    if (s > 1e9) fprintf(stderr, "%g at %d in %p\n", s, i, (void *)x), puts("large"), putchar('\n');
  }
  return s;
}
CHECK_SCALAR_N(printing, DIFFERENCES, RANGE(4))
