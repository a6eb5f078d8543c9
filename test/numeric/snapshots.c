// RUN: %numeric %s
// Loops over time steps that overwrite the state that they read: loads can be repeated on one copy of the state per step.
// Among them what looks alike and has to be kept value by value.
#include "check.h"

// a state in an array of variable length, read as a whole by each unit
static double recurrent(double *x, int n) {
  double h[n], next[n], loss = 0;
  for (int i = 0; i < n; i++) h[i] = 0.1 * i;
  for (int t = 0; t < 5; t++) {
    for (int i = 0; i < n; i++) {
      next[i] = x[i];
      for (int j = 0; j < n; j++) next[i] += x[(i * 3 + j) % n] * h[j] * h[j];
    }
    for (int i = 0; i < n; i++) h[i] = tanh(next[i]) * 0.5 + 0.2 * h[i] * h[i];
  }
  for (int i = 0; i < n; i++) loss += h[i] * h[i];
  return loss;
}
CHECK_SCALAR_N(recurrent, DIFFERENCES, RANGE(7))

// several vectors in memory of the heap, read in several loops of a step, updated in place
static double dot(const double *a, const double *b, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += a[i] * b[i];
  return s;
}
static double descent(double *x, int n) {
  double *r = malloc(n * sizeof(double)), *p = malloc(n * sizeof(double)), *q = calloc(n, sizeof(double));
  for (int i = 0; i < n; i++) r[i] = p[i] = x[i];
  double rr = dot(r, r, n), sum = 0;
  for (int k = 0; k < 4; k++) {
    for (int i = 0; i < n; i++) {
      double s = 0;
      for (int j = 0; j < n; j++) s += p[(i * j) % n] * x[j] / (1 + i + j);
      q[i] = s + 3 * p[i];
    }
    double alpha = rr / dot(p, q, n);
    for (int i = 0; i < n; i++) {
      sum += alpha * p[i] * p[i];
      r[i] -= alpha * q[i];
    }
    double next = dot(r, r, n), beta = next / rr;
    for (int i = 0; i < n; i++) p[i] = r[i] + beta * p[i] * p[i];
    rr = next;
  }
  sum += dot(p, r, n);
  free(r), free(p), free(q);
  return sum;
}
CHECK_SCALAR_N(descent, DIFFERENCES, RANGE(6))

// two arguments, to and fro; nothing says that they are different memory
static void upwind(const double *u, double *v, int n) {
  v[0] = u[0];
  for (int i = 1; i < n - 1; i++) {
    double right = u[i] > 1 ? u[i] : 0, left = u[i] < 1 ? u[i] : 0;
    v[i] = u[i] - 0.2 * (right * (u[i] - u[i - 1]) + left * (u[i + 1] - u[i])) + 0.1 * u[i] * u[i - 1];
  }
  v[n - 1] = u[n - 1];
}
static void to_and_fro(double *x, double *y, int n) {
  for (int i = 0; i < n; i++) y[i] = 0;
  for (int t = 0; t < 3; t++) {
    upwind(x, y, n);
    upwind(y, x, n);
  }
}
static void on_copies(double *x, double *y, int n) {
  double *u = malloc(n * sizeof(double));
  memcpy(u, x, n * sizeof(double));
  to_and_fro(u, y, n);
  free(u);
}
CHECK_VECTOR_N(on_copies, 9, DIFFERENCES, RANGE(9))
static void in_one_place(double *x, int n) { to_and_fro(x, x, n); }
CHECK_INPLACE_N(in_one_place, DIFFERENCES, RANGE(8))
static void nearly_in_one_place(double *x, int n) {
  for (int t = 0; t < 3; t++) {
    upwind(x, x + 2, n - 2);
    upwind(x + 2, x, n - 2);
  }
}
CHECK_INPLACE_N(nearly_in_one_place, DIFFERENCES, RANGE(9))

// buffers that change places
static double swapped(double *x, int n) {
  double *a = malloc(n * sizeof(double)), *b = malloc(n * sizeof(double)), sum = 0;
  for (int i = 0; i < n; i++) a[i] = x[i];
  for (int t = 0; t < 5; t++) {
    for (int i = 0; i < n; i++) b[i] = sin(a[i]) * a[(i + 1) % n] + 0.1 * a[i] * a[i];
    double *c = a;
    a = b, b = c;
    sum += a[t % n];
  }
  for (int i = 0; i < n; i++) sum += a[i] * b[i];
  free(a), free(b);
  return sum;
}
CHECK_SCALAR_N(swapped, DIFFERENCES, RANGE(6))

// the state is written on some ways between its uses
static double written_between(double *x, int n) {
  double s[8], sum = 0;
  for (int i = 0; i < 8; i++) s[i] = x[i % n];
  for (int t = 0; t < 6; t++) {
    for (int i = 0; i < 8; i++) sum += s[i] * s[i] * x[t % n];
    if (t % 2 == 0)
      for (int i = 0; i < 4; i++) s[i] = sin(s[i + 4] * x[i]);
    for (int i = 0; i < 8; i++) sum += exp(-s[i]) * s[(i + 3) % 8];
    if (x[t % n] > 1) {
      s[t] = x[0] * s[7 - t];
      for (int i = 0; i < 8; i++) sum += s[i] * s[i];
    } else {
      for (int i = 7; i >= 0; i--) sum += s[i] * cos(s[i]);
      s[0] *= 1.1;
    }
    for (int i = 0; i < 8; i += 2) sum += s[i] * s[i + 1];
    for (int i = 0; i < 8; i++) s[i] = 0.5 * sin(s[i] * s[i]) + 0.1 * x[t];
  }
  return sum;
}
CHECK_SCALAR_N(written_between, DIFFERENCES, RANGE(6))

// one sweep reads what it has written: nothing is read from before the sweep alone
static double relaxed(double *x, int n) {
  double s[16], sum = 0;
  for (int i = 0; i < 16; i++) s[i] = x[i % n];
  for (int t = 0; t < 4; t++) {
    for (int i = 1; i < 15; i++) s[i] = 0.3 * sin(s[i - 1] * s[i]) + 0.5 * sin(s[i + 1]);
    for (int k = 0; k < 2; k++)
      for (int i = 0; i < 16; i++) s[i] = 0.5 * cos(s[i]) + 0.1 * x[t];
    for (int i = 15; i > 0; i--) sum += s[i] * s[i - 1];
  }
  return sum;
}
CHECK_SCALAR_N(relaxed, DIFFERENCES, RANGE(5))

// steps until a condition holds, with a way out in the middle
static double until_calm(double *x, int n) {
  double *s = malloc(n * sizeof(double)), change = 1, sum = 0;
  for (int i = 0; i < n; i++) s[i] = x[i];
  int steps = 0;
  while (change > 0.05) {
    change = 0;
    double mean = 0;
    for (int i = 0; i < n; i++) mean += s[i] * s[i] / n;
    for (int i = 0; i < n; i++) {
      double d = 0.3 * (mean - s[i] * s[i]);
      change += d * d;
    }
    for (int i = 0; i < n; i++) s[i] += 0.3 * (mean - s[i] * s[i]);
    if (++steps > 30) break;
    sum += change;
  }
  for (int i = 0; i < n; i++) sum += s[i] * x[i];
  free(s);
  return sum;
}
CHECK_SCALAR_N(until_calm, DIFFERENCES, RANGE(6))

// a state of fixed size: the classical Runge-Kutta method
static void slopes(const double *y, const double *p, double *dy) {
  dy[0] = p[0] * y[0] - p[1] * y[0] * y[1];
  dy[1] = -p[2] * y[1] + p[3] * y[0] * y[1];
  dy[2] = y[0] * y[1] * y[2] * 0.1 - y[2];
}
static double runge_kutta(double *x, int n) {
  double y[3], k[4][3], at[3], h = 0.05;
  for (int i = 0; i < 3; i++) y[i] = x[n - 1 - i];
  for (int t = 0; t < 12; t++) {
    slopes(y, x, k[0]);
    for (int s = 1; s < 4; s++) {
      for (int i = 0; i < 3; i++) at[i] = y[i] + (s < 3 ? 0.5 : 1) * h * k[s - 1][i];
      slopes(at, x, k[s]);
    }
    for (int i = 0; i < 3; i++) y[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
  }
  return y[0] * y[1] + y[2];
}
CHECK_SCALAR_N(runge_kutta, DIFFERENCES, RANGE(7))

// rows of one argument: a step reads the row that the one before has written, and later passes overwrite all of it
static void rows(double *x, double *y, int n) {
  for (int pass = 0; pass < 2; pass++) {
    for (int i = 0; i < n; i++) y[i] = x[i] * (pass + 1);
    for (int t = 0; t < 3; t++)
      for (int i = 0; i < n; i++) {
        double s = 0;
        for (int j = 0; j < n; j++) s += y[t * n + j] * y[t * n + (i + j) % n];
        y[(t + 1) * n + i] = 0.1 * s + sin(y[t * n + i]);
      }
  }
}
CHECK_VECTOR_N(rows, 20, DIFFERENCES, RANGE(5))

// inner loops that may have no iteration, forwards and backwards, in strides
static double short_loops(double *x, int n) {
  double *s = malloc((n + 1) * sizeof(double)), sum = 0;
  for (int i = 0; i <= n; i++) s[i] = x[i % n] * 0.5;
  for (int m = -1; m < n; m++)
    for (int t = 0; t < 2; t++) {
      for (int i = 0; i < m; i += 2) sum += s[i] * s[i + 1] * x[t % n];
      for (int i = m; i-- > 0;) sum += s[i] * s[i];
      for (int i = 0; i < n; i++) s[i] += 0.1 * s[i] * x[i];
    }
  free(s);
  return sum;
}
CHECK_SCALAR_N(short_loops, DIFFERENCES, RANGE(5))
CHECK_BY_HAND(no_elements) {
  double x[2] = {0.5, 0.7}, dx[2] = {0}, y[2] = {1, 2}, dy[2] = {1, 1};
  __pardiff_autodiff((void *)rows, pardiff_dup, x, dx, pardiff_dup, y, dy, 0);
  near("untouched", dy[0] + y[1], 3);
}

// arguments that are null where nothing is read, and shorter than a loop that reads only some of them
static double guarded(const double *x, double *s, const double *extra, int n, int use) {
  double sum = 0;
  for (int t = 0; t < 3; t++) {
    for (int i = 0; i < n; i++) {
      sum += x[i] * s[i] * s[i];
      if (i < use) sum += extra[i] * s[i];
    }
    for (int i = 0; i < n; i++) s[i] = sin(s[i] * x[i]);
  }
  return sum;
}
CHECK_BY_HAND(some_are_missing) {
  double x[4] = {0.3, 0.5, 0.7, 0.9}, dx[4] = {0}, s[4] = {1, 2, 3, 4}, ds[4] = {0}, e[1] = {0.5}, de[1] = {0};
  double plain[4] = {1, 2, 3, 4}, up[4] = {1, 2, 3, 4}, down[4] = {1, 2, 3, 4}, h = 1e-5;
  guarded(x, plain, e, 4, 1);
  x[2] += h;
  double above = guarded(x, up, e, 4, 1);
  x[2] -= 2 * h;
  double below = guarded(x, down, e, 4, 1);
  x[2] += h;
  __pardiff_autodiff((void *)guarded, pardiff_dup, x, dx, pardiff_dup, s, ds, pardiff_dup, e, de, 4, 1);
  near_to("x", dx[2], (above - below) / (2 * h), 1e-6);
  near("state", s[1], plain[1]);
  double t[4] = {1, 2, 3, 4}, dt[4] = {0}, dz[4] = {0};
  __pardiff_autodiff((void *)guarded, pardiff_dup, x, dz, pardiff_dup, t, dt, pardiff_dup, (double *)0, (double *)0, 4, 0);
  expect("gradient without the missing one", dz[0] != 0);
}

// structs with members of several sizes, all updated in each step
struct particle {
  float mass;
  int steps;
  double at, speed;
};
static double particles(double *x, int n) {
  struct particle p[n];
  double sum = 0;
  for (int i = 0; i < n; i++) p[i] = (struct particle){1 + i, 0, x[i], 0.1 * x[n - 1 - i]};
  for (int t = 0; t < 4; t++) {
    for (int i = 0; i < n; i++) {
      double force = 0;
      for (int j = 0; j < n; j++) {
        double d = p[i].at - p[j].at;
        force -= p[j].mass * d * d * d + 0.01 * p[j].steps;
      }
      p[i].speed += 0.01 * force / p[i].mass * p[i].speed;
    }
    for (int i = 0; i < n; i++) {
      p[i].at += 0.1 * p[i].speed * p[i].at;
      p[i].mass *= 0.9f;
      p[i].steps += i % 2;
    }
  }
  for (int i = 0; i < n; i++) sum += p[i].at * p[i].speed;
  return sum;
}
CHECK_SCALAR_N(particles, DIFFERENCES, RANGE(5))

// blocks that are copied and cleared, and a called function that writes the state
__attribute__((noinline)) static double pushed(double *s, int n, int depth) {
  if (depth > 0) return pushed(s, n, depth - 1) * s[depth % n];
  for (int i = 0; i < n; i++) s[i] = s[i] * s[i] * 0.5 + 0.1;
  return s[0];
}
static double copied(double *x, int n) {
  double s[8], old[8], sum = 0;
  for (int i = 0; i < 8; i++) s[i] = x[i % n];
  for (int t = 0; t < 3; t++) {
    memcpy(old, s, sizeof s);
    for (int i = 0; i < 8; i++) sum += old[i] * s[7 - i] * s[i];
    sum += pushed(s, 8, 2);
    for (int i = 0; i < 8; i++) sum += old[i] * s[i];
    if (t == 1) memset(s, 0, 4 * sizeof(double));
    for (int i = 0; i < 8; i++) s[i] += 0.3 * old[i] * s[(i + 1) % 8];
  }
  return sum;
}
CHECK_SCALAR_N(copied, DIFFERENCES, RANGE(5))

// a function that stays a call, with a state of its own
__attribute__((noinline)) static double levels(double *x, int n, int depth) {
  double s[6], sum = 0;
  for (int i = 0; i < 6; i++) s[i] = x[(i + depth) % n];
  for (int t = 0; t < 3; t++) {
    for (int i = 0; i < 6; i++)
      for (int j = 0; j < 6; j++) sum += s[i] * s[j] * s[j] * 0.01;
    for (int i = 0; i < 6; i++) s[i] = sin(s[i]) + 0.1 * sum;
  }
  return depth > 0 ? sum * levels(x, n, depth - 1) : sum;
}
static double in_calls(double *x, int n) { return levels(x, n, 2); }
CHECK_SCALAR_N(in_calls, DIFFERENCES, RANGE(5))

// places in tables, in the function's own memory and in an argument
static double chosen_places(double *x, int n) {
  double *s = malloc(n * sizeof(double)), sum = 0;
  int place[7] = {3, 1, 4, 1, 5, 2, 6};
  for (int i = 0; i < n; i++) s[i] = x[i];
  for (int t = 0; t < 4; t++) {
    for (int i = 0; i < n; i++) sum += s[place[(i + t) % 7]] * s[i];
    for (int i = 0; i < n; i++) s[(i * 2 + t) % n] = s[i] * 0.8 + 0.1 * x[t % n];
  }
  free(s);
  return sum;
}
CHECK_SCALAR_N(chosen_places, DIFFERENCES, RANGE(7))

// memory that is made on one of two ways
static double made_on_one_way(double *x, int n) {
  double here[8], *s = here, *made = 0, sum = 0;
  if (n > 4) s = made = malloc(n * sizeof(double));
  if (n > 100) made = 0;
  for (int i = 0; i < n; i++) s[i] = x[i];
  for (int t = 0; t < 3; t++) {
    for (int i = 0; i < n; i++) sum += s[i] * s[i] + (made ? made[i] * made[(i + 1) % n] : 0);
    for (int i = 0; i < n; i++) s[i] = sin(s[i]) * x[t];
  }
  free(made);
  return sum;
}
CHECK_SCALAR_N(made_on_one_way, DIFFERENCES, RANGE(6))
static double made_nowhere(double *x, int n) { return made_on_one_way(x, n); }
CHECK_SCALAR_N(made_nowhere, DIFFERENCES, RANGE(4))

// one place under many names: what the index is makes up for the step
static double one_place(double *x, int n) {
  double *s = malloc(n * sizeof(double)), sum = 0;
  int *index = malloc(n * sizeof(int));
  for (int i = 0; i < n; i++) s[i] = x[i], index[i] = opaque(2) - i;
  for (int t = 0; t < 2; t++) {
    for (int i = 0; i < n; i++) {
      double v = s[index[i] + i];
      sum += v * v * x[i];
      s[index[i] + i] = sin(v * v);
    }
    for (int i = 0; i < n; i++) sum += s[i] * s[i] * s[i];
  }
  free(s), free(index);
  return sum;
}
CHECK_SCALAR_N(one_place, DIFFERENCES, RANGE(6))
static double moving_place(double *x, int n) {
  double s[8], sum = 0;
  for (int i = 0; i < 8; i++) s[i] = x[i % n];
  for (int t = 0; t < 3; t++) {
    int back = opaque(4);
    for (int i = 0; i < 8; i++) {
      double v = s[(back + i) & 7];
      sum += v * v * x[t];
      s[(back + i) & 7] = sin(v + x[t]);
      back -= 1 + (i & 1);
    }
    for (int i = 0; i < 8; i++) sum += s[i] * s[i] * s[i];
  }
  return sum;
}
CHECK_SCALAR_N(moving_place, DIFFERENCES, RANGE(6))

// long tables of which each step reads little: copies of them would not fit into any memory
static double recurrence(double *x, int n) {
  int steps = opaque(100000);
  double *s = malloc((steps + 3) * sizeof(double)), sum = 0;
  s[0] = x[0], s[1] = x[1];
  for (int t = 2; t < steps; t++) s[t] = 0.5 * sin(s[t - 1] * s[t - 2] * x[t % n]) + 0.3 * s[t - 2];
  for (int t = 0; t < steps; t++) sum += s[t] * s[t];
  free(s);
  return sum;
}
CHECK_SCALAR_N(recurrence, DIFFERENCES, RANGE(5))
static double gap[1000][1000];
static double table(double *x, int n) {
  int size = opaque(500);
  double *d = malloc((long)size * size * sizeof(double)), *sparse = calloc(1000000, sizeof(double));
  for (int i = 0; i < size * size; i++) d[i] = x[i % n];
  for (int i = 1; i < size; i++)
    for (int j = 1; j < size; j++) {
      double a = d[(i - 1) * size + j], b = d[i * size + j - 1];
      d[i * size + j] = 0.4 * sin(a * b) + 0.3 * cos(a);
    }
  for (int t = 0; t < 10000; t++) {
    for (int i = 0; i < n; i++) gap[0][i] = 0.5 * sin(gap[0][i] * gap[999][i]) + x[i], gap[999][i] = x[i];
    for (int i = 0; i < n; i++) sparse[i] = 0.5 * cos(sparse[i] * sparse[i]) * x[i];
  }
  double last = d[size * size - 1] + gap[0][1] + sparse[1] * sparse[2];
  free(d), free(sparse);
  return last;
}
CHECK_SCALAR_N(table, DIFFERENCES, RANGE(4))
