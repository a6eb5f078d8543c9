// lookup: macroscopic cross sections of materials, in the shape of XSBench (Tramm et al.): for each energy a binary search
// in the grid of each nuclide, interpolation of five cross sections between its points, and sums by concentration. The
// squared length of all results, with respect to cross sections and concentrations.
#include "../harness.h"

enum { KINDS = 5 };
static double *tables, *dtables, *densities, *ddensities, *grids, *energies;
static int lookups, nuclides, points;

static int search(const double *grid, int points, double energy) {
  int low = 0, high = points - 1;
  while (high - low > 1) {
    int middle = (low + high) / 2;
    if (grid[middle] > energy)
      high = middle;
    else
      low = middle;
  }
  return low;
}

static double lookup(const double *tables, const double *densities, const double *grids, const double *energies,
                     int lookups, int nuclides, int points) {
  double loss = 0;
  for (int i = 0; i < lookups; i++) {
    double sum[KINDS] = {0};
    for (int m = 0; m < nuclides; m++) {
      const double *grid = grids + m * points;
      int at = search(grid, points, energies[i]);
      double f = (grid[at + 1] - energies[i]) / (grid[at + 1] - grid[at]);
      const double *low = tables + (m * points + at) * KINDS, *high = low + KINDS;
      for (int k = 0; k < KINDS; k++) sum[k] += densities[m] * (high[k] - f * (high[k] - low[k]));
    }
    for (int k = 0; k < KINDS; k++) loss += sum[k] * sum[k];
  }
  return loss;
}

// Places and interpolated values are kept for one energy at a time.
static void by_hand(const double *tables, double *restrict dtables, const double *densities, double *ddensities,
                    const double *grids, const double *energies, int lookups, int nuclides, int points) {
  FREE_SUMS
  int place[nuclides];
  double weight[nuclides], between[nuclides][KINDS];
  for (int i = 0; i < lookups; i++) {
    double sum[KINDS] = {0};
    for (int m = 0; m < nuclides; m++) {
      const double *grid = grids + m * points;
      int at = search(grid, points, energies[i]);
      double f = (grid[at + 1] - energies[i]) / (grid[at + 1] - grid[at]);
      place[m] = (m * points + at) * KINDS;
      weight[m] = f;
      const double *low = tables + place[m], *high = low + KINDS;
      for (int k = 0; k < KINDS; k++) {
        between[m][k] = high[k] - f * (high[k] - low[k]);
        sum[k] += densities[m] * between[m][k];
      }
    }
    for (int k = 0; k < KINDS; k++) sum[k] *= 2;
    for (int m = 0; m < nuclides; m++) {
      double *dlow = dtables + place[m], to_low = densities[m] * weight[m], to_high = densities[m] - to_low, d = 0;
      for (int k = 0; k < KINDS; k++) {
        d += sum[k] * between[m][k];
        dlow[k] += sum[k] * to_low;
        dlow[KINDS + k] += sum[k] * to_high;
      }
      ddensities[m] += d;
    }
  }
}

void set_up(void) {
  lookups = size(16000, 50);
  nuclides = size(32, 5);
  points = size(2000, 30);
  ACTIVE(tables, (long)nuclides * points * KINDS, 0, 1);
  ACTIVE(densities, nuclides, 0.1, 1);
  DATA(grids, nuclides * points, 0, 1);
  DATA(energies, lookups, 0, 1);
  for (int m = 0; m < nuclides; m++) { // rising from 0 to 1
    double *grid = grids + m * points;
    for (int p = 1; p < points; p++) grid[p] = grid[p - 1] + 0.1 + grid[p];
    for (int p = points - 1; p >= 0; p--) grid[p] = (grid[p] - grid[0]) / (grid[points - 1] - grid[0]);
  }
}

PROGRAM(value = lookup(tables, densities, grids, energies, lookups, nuclides, points),
        __enzyme_autodiff((void *)lookup, enzyme_dup, tables, dtables, enzyme_dup, densities, ddensities, enzyme_const,
                          grids, enzyme_const, energies, lookups, nuclides, points),
        by_hand(tables, dtables, densities, ddensities, grids, energies, lookups, nuclides, points))
