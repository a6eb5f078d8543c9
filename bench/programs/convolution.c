// convolution: the squared length of an image after a 5 x 5 filter, with respect to image and filter.
#include "../harness.h"

enum { K = 5 };
static double *image, *dimage, *w, *dw;
static int n;

static double convolution(const double *image, const double *w, int n) {
  double loss = 0;
  for (int i = 0; i <= n - K; i++)
    for (int j = 0; j <= n - K; j++) {
      double s = 0;
      for (int a = 0; a < K; a++)
        for (int b = 0; b < K; b++) s += w[a * K + b] * image[(i + a) * n + j + b];
      loss += s * s;
    }
  return loss;
}

// A row of the result, doubled. There are K - 1 zeros on either side of g.
static void forward(const double *restrict image, const double *restrict w, double *restrict g, int n) {
  for (int j = 0; j <= n - K; j++) {
    double s = 0;
    for (int a = 0; a < K; a++)
      for (int b = 0; b < K; b++) s += w[a * K + b] * image[a * n + j + b];
    g[j] = 2 * s;
  }
}

static void filter(const double *restrict image, const double *restrict g, double *restrict dw, int n) {
  FREE_SUMS
  for (int a = 0; a < K; a++) {
    const double *row = image + (long)a * n;
    double s0 = 0, s1 = 0, s2 = 0, s3 = 0, s4 = 0;
    for (int j = 0; j <= n - K; j++) {
      s0 += g[j] * row[j];
      s1 += g[j] * row[j + 1];
      s2 += g[j] * row[j + 2];
      s3 += g[j] * row[j + 3];
      s4 += g[j] * row[j + 4];
    }
    dw[a * K] += s0, dw[a * K + 1] += s1, dw[a * K + 2] += s2, dw[a * K + 3] += s3, dw[a * K + 4] += s4;
  }
}

// A row of the image from the last K rows of g, newest first.
static void gather(double *const rows[K], const double *restrict w, double *restrict dimage, int n) {
  const double *g0 = rows[0], *g1 = rows[1], *g2 = rows[2], *g3 = rows[3], *g4 = rows[4];
  for (int j = 0; j < n; j++) {
    double s = 0;
    for (int b = 0; b < K; b++)
      s += w[b] * g0[j - b] + w[K + b] * g1[j - b] + w[2 * K + b] * g2[j - b] + w[3 * K + b] * g3[j - b] +
           w[4 * K + b] * g4[j - b];
    dimage[j] += s;
  }
}

// Row by row; the last K rows of the result are kept.
static void by_hand(const double *image, double *dimage, const double *w, double *dw, int n) {
  int width = n + K - 1;
  double *memory = calloc((long)K * width, sizeof(double)), *rows[K];
  for (int a = 0; a < K; a++) rows[a] = memory + a * width + K - 1;
  for (int i = 0; i < n; i++) {
    double *newest = rows[K - 1];
    for (int a = K - 1; a > 0; a--) rows[a] = rows[a - 1];
    rows[0] = newest;
    if (i <= n - K) {
      forward(image + (long)i * n, w, newest, n);
      filter(image + (long)i * n, newest, dw, n);
    } else {
      memset(newest, 0, n * sizeof *newest);
    }
    gather(rows, w, dimage + (long)i * n, n);
  }
  free(memory);
}

void set_up(void) {
  n = size(1000, 23);
  ACTIVE(image, n * n, -1, 1);
  ACTIVE(w, K * K, -1, 1);
}

PROGRAM(value = convolution(image, w, n),
        __enzyme_autodiff((void *)convolution, enzyme_dup, image, dimage, enzyme_dup, w, dw, n),
        by_hand(image, dimage, w, dw, n))
