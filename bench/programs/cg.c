// cg: some iterations of conjugate gradients for a sparse symmetric matrix in compressed rows, with respect to its
// entries and the right-hand side.
#include "../harness.h"

static double *A, *dA, *b, *db, *x, *dx;
static int n, iterations, *start, *column;

static double dot(const double *a, const double *b, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += a[i] * b[i];
  return s;
}

static void multiply(const double *A, const int *start, const int *column, const double *p, double *out, int n) {
  for (int i = 0; i < n; i++) {
    double s = 0;
    for (int e = start[i]; e < start[i + 1]; e++) s += A[e] * p[column[e]];
    out[i] = s;
  }
}

static void cg(const double *A, const int *start, const int *column, const double *b, double *x, int n,
               int iterations) {
  double *r = malloc(n * sizeof(double)), *p = malloc(n * sizeof(double)), *Ap = malloc(n * sizeof(double));
  for (int i = 0; i < n; i++) {
    x[i] = 0;
    r[i] = p[i] = b[i];
  }
  double rr = dot(r, r, n);
  for (int k = 0; k < iterations; k++) {
    multiply(A, start, column, p, Ap, n);
    double alpha = rr / dot(p, Ap, n);
    for (int i = 0; i < n; i++) {
      x[i] += alpha * p[i];
      r[i] -= alpha * Ap[i];
    }
    double next = dot(r, r, n), beta = next / rr;
    for (int i = 0; i < n; i++) p[i] = r[i] + beta * p[i];
    rr = next;
  }
  free(r), free(p), free(Ap);
}

static double free_dot(const double *a, const double *b, int n) {
  FREE_SUMS
  double s = 0;
  for (int i = 0; i < n; i++) s += a[i] * b[i];
  return s;
}

// Kept of each iteration: p, and r after it, from which A p is had again; and the three scalars.
struct state {
  double *p, *r, rr, pAp;
};

static double *forward(const double *A, const int *start, const int *column, const double *b, struct state *s, int n,
                       int iterations) {
  double *memory = malloc((2L * iterations + 2) * n * sizeof(double)), *Ap = memory + (2L * iterations + 1) * n;
  for (int k = 0; k <= iterations; k++) s[k].r = memory + (long)k * n, s[k].p = memory + (iterations + 1L + k) * n;
  memcpy(s[0].r, b, n * sizeof *b);
  memcpy(s[0].p, b, n * sizeof *b);
  s[0].rr = free_dot(b, b, n);
  for (int k = 0; k < iterations; k++) {
    double *p = s[k].p, *r = s[k].r, *next_r = s[k + 1].r, *next_p = s[k + 1].p;
    multiply(A, start, column, p, Ap, n);
    s[k].pAp = free_dot(p, Ap, n);
    double alpha = s[k].rr / s[k].pAp;
    for (int i = 0; i < n; i++) next_r[i] = r[i] - alpha * Ap[i];
    s[k + 1].rr = free_dot(next_r, next_r, n);
    double beta = s[k + 1].rr / s[k].rr;
    if (k + 1 < iterations)
      for (int i = 0; i < n; i++) next_p[i] = next_r[i] + beta * p[i];
  }
  return memory;
}

// Adjoints of A's entries and of p from those of A p.
static void multiply_back(const double *A, double *dA, const int *start, const int *column, const double *p,
                          double *dp, const double *dAp, int n) {
  for (int i = 0; i < n; i++) {
    double g = dAp[i];
    for (int e = start[i]; e < start[i + 1]; e++) {
      dA[e] += g * p[column[e]];
      dp[column[e]] += g * A[e];
    }
  }
}

static void by_hand(const double *A, double *dA, const int *start, const int *column, const double *b, double *db,
                    const double *dx, int n, int iterations) {
  FREE_SUMS
  struct state s[iterations + 1];
  double *memory = forward(A, start, column, b, s, n, iterations);
  double *dr = calloc(3L * n, sizeof(double)), *dp = dr + n, *dAp = dp + n, drr = 0;
  for (int k = iterations - 1; k >= 0; k--) {
    const double *p = s[k].p, *r = s[k].r, *next_r = s[k + 1].r;
    double alpha = s[k].rr / s[k].pAp, beta = s[k + 1].rr / s[k].rr, dbeta = 0, dalpha = 0;
    for (int i = 0; i < n; i++) dbeta += dp[i] * p[i];
    double next = 2 * (drr + dbeta / s[k].rr);
    for (int i = 0; i < n; i++) {
      dr[i] += dp[i] + next * next_r[i];
      dp[i] = beta * dp[i] + alpha * dx[i];
      dalpha += dx[i] * p[i] - dr[i] * (r[i] - next_r[i]) / alpha; // A p is (r - next_r) / alpha
    }
    drr = dalpha / s[k].pAp - dbeta * beta / s[k].rr;
    double dpAp = -dalpha * alpha / s[k].pAp;
    for (int i = 0; i < n; i++) {
      dp[i] += dpAp * (r[i] - next_r[i]) / alpha;
      dAp[i] = dpAp * p[i] - alpha * dr[i];
    }
    multiply_back(A, dA, start, column, p, dp, dAp, n);
  }
  for (int i = 0; i < n; i++) db[i] += dr[i] + dp[i] + 2 * drr * b[i];
  free(memory), free(dr);
}

// A five-point stencil on a square, its diagonal a bit larger than the sum beside it.
void set_up(void) {
  int side = size(260, 9);
  iterations = size(15, 5);
  n = side * side;
  start = malloc((n + 1) * sizeof *start);
  column = malloc(5 * n * sizeof *column);
  int entries = 0;
  for (int i = 0; i < n; i++) {
    int neighbours[5] = {i - side, i % side > 0 ? i - 1 : -1, i, i % side < side - 1 ? i + 1 : -1, i + side};
    start[i] = entries;
    for (int k = 0; k < 5; k++)
      if (neighbours[k] >= 0 && neighbours[k] < n) column[entries++] = neighbours[k];
  }
  start[n] = entries;
  ACTIVE(A, entries, -1, -1);
  for (int i = 0; i < n; i++)
    for (int e = start[i]; e < start[i + 1]; e++)
      if (column[e] == i) A[e] = 4.2;
  ACTIVE(b, n, -1, 1);
  RESULT(x, n);
}

PROGRAM(cg(A, start, column, b, x, n, iterations),
        __enzyme_autodiff((void *)cg, enzyme_dup, A, dA, enzyme_const, start, enzyme_const, column, enzyme_dup, b, db,
                          enzyme_dupnoneed, x, dx, n, iterations),
        by_hand(A, dA, start, column, b, db, dx, n, iterations))
