// nbody: the potential energy of n bodies with softened gravity, with respect to their positions.
#include "../harness.h"
#include "../lanes.h"

static double *x, *dx, *mass;
static int n;
static const double SOFT = 1e-2;

static double nbody(const double *x, const double *mass, int n, double soft) {
  double energy = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++) {
      double a = x[3 * i] - x[3 * j], b = x[3 * i + 1] - x[3 * j + 1], c = x[3 * i + 2] - x[3 * j + 2];
      energy -= mass[i] * mass[j] / sqrt(a * a + b * b + c * c + soft);
    }
  return energy;
}

struct bodies {
  double *x, *y, *z, *fx, *fy, *fz, *mass;
};

// What body i and the eight from j on do to each other.
static inline void eight(const struct bodies *s, int i, int j, double soft, lanes *fx, lanes *fy, lanes *fz) {
  lanes a = s->x[i] - *(lanes *)(s->x + j), b = s->y[i] - *(lanes *)(s->y + j), c = s->z[i] - *(lanes *)(s->z + j);
  lanes r2 = a * a + b * b + c * c + soft;
  lanes f = s->mass[i] * *(lanes *)(s->mass + j) / (r2 * __builtin_elementwise_sqrt(r2));
  *fx += f * a;
  *fy += f * b;
  *fz += f * c;
  *(lanes *)(s->fx + j) -= f * a;
  *(lanes *)(s->fy + j) -= f * b;
  *(lanes *)(s->fz + j) -= f * c;
}

// Each pair once, coordinates apart, other bodies in lanes.
static void by_hand(const double *x, double *dx, const double *mass, int n, double soft) {
  double *memory = calloc(7 * (long)n, sizeof(double));
  struct bodies s = {memory, memory + n, memory + 2 * n, memory + 3 * n, memory + 4 * n, memory + 5 * n,
                     memory + 6 * n};
  for (int i = 0; i < n; i++) s.x[i] = x[3 * i], s.y[i] = x[3 * i + 1], s.z[i] = x[3 * i + 2], s.mass[i] = mass[i];
  for (int i = 0; i < n; i++) {
    lanes fx = {0}, fy = {0}, fz = {0};
    int j = 0;
    for (; j + LANES <= i; j += LANES) eight(&s, i, j, soft, &fx, &fy, &fz);
    s.fx[i] += total(fx);
    s.fy[i] += total(fy);
    s.fz[i] += total(fz);
    for (; j < i; j++) {
      double a = s.x[i] - s.x[j], b = s.y[i] - s.y[j], c = s.z[i] - s.z[j], r2 = a * a + b * b + c * c + soft;
      double f = mass[i] * mass[j] / (r2 * sqrt(r2));
      s.fx[i] += f * a, s.fy[i] += f * b, s.fz[i] += f * c;
      s.fx[j] -= f * a, s.fy[j] -= f * b, s.fz[j] -= f * c;
    }
  }
  for (int i = 0; i < n; i++) dx[3 * i] += s.fx[i], dx[3 * i + 1] += s.fy[i], dx[3 * i + 2] += s.fz[i];
  free(memory);
}

void set_up(void) {
  n = size(1800, 45);
  ACTIVE(x, 3 * n, -1, 1);
  DATA(mass, n, 0.5, 1.5);
}

PROGRAM(value = nbody(x, mass, n, SOFT),
        __enzyme_autodiff((void *)nbody, enzyme_dup, x, dx, enzyme_const, mass, n, enzyme_const, SOFT),
        by_hand(x, dx, mass, n, SOFT))
