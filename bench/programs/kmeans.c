// kmeans: the sum of squared distances of points to the nearest centre, with respect to the centres.
#include "../harness.h"
#include "../lanes.h"
#include <float.h>

static double *centres, *dcentres, *points;
static int n, k, d;

static double kmeans(const double *centres, const double *points, int n, int k, int d) {
  double cost = 0;
  for (int i = 0; i < n; i++) {
    double least = DBL_MAX;
    for (int c = 0; c < k; c++) {
      double distance = 0;
      for (int j = 0; j < d; j++) {
        double difference = points[i * d + j] - centres[c * d + j];
        distance += difference * difference;
      }
      if (distance < least) least = distance;
    }
    cost += least;
  }
  return cost;
}

// The nearest of centres that lie in lanes: `blocks` blocks of d vectors.
static int nearest(const lanes *across, const double *point, int blocks, int d) {
  lanes least = {0}, at = {0}, index;
  for (int l = 0; l < LANES; l++) index[l] = l;
  for (int c = 0; c < blocks; c++) {
    lanes distance = {0};
    for (int j = 0; j < d; j++) {
      lanes difference = point[j] - across[c * d + j];
      distance += difference * difference;
    }
    if (c == 0) {
      least = distance;
      at = index;
    } else {
      at = choose(distance < least, index + c * LANES, at);
      least = choose(distance < least, distance, least);
    }
  }
  int best = 0;
  for (int l = 1; l < LANES; l++)
    if (least[l] < least[best]) best = l;
  return (int)at[best];
}

static void by_hand(const double *centres, double *dcentres, const double *points, int n, int k, int d) {
  int blocks = (k + LANES - 1) / LANES;
  lanes *across = aligned_alloc(64, blocks * d * sizeof(lanes));
  for (int c = 0; c < blocks * LANES; c++)
    for (int j = 0; j < d; j++) across[c / LANES * d + j][c % LANES] = c < k ? centres[c * d + j] : 1e100;
  for (int i = 0; i < n; i++) {
    int best = nearest(across, points + i * d, blocks, d);
    for (int j = 0; j < d; j++) dcentres[best * d + j] += 2 * (centres[best * d + j] - points[i * d + j]);
  }
  free(across);
}

void set_up(void) {
  n = size(30000, 200);
  k = size(100, 7);
  d = size(8, 3);
  ACTIVE(centres, k * d, -1, 1);
  DATA(points, n * d, -1, 1);
}

PROGRAM(value = kmeans(centres, points, n, k, d),
        __enzyme_autodiff((void *)kmeans, enzyme_dup, centres, dcentres, enzyme_const, points, n, k, d),
        by_hand(centres, dcentres, points, n, k, d))
