// gmm.c: the log-likelihood of a Gaussian mixture on handwritten digits, and its gradient checked three ways.
//
//   clang-19 -O2 -fpass-plugin=libpardiff.so -I../../include -I../digits gmm.c -o gmm -lm && ./gmm ../digits/digits.csv
//
// The objective is that of ADBench (Srajer, Kukelova, Fitzgibbon: A Benchmark of Selected Algorithmic Differentiation
// Tools on Some Problems in Computer Vision and Machine Learning, 2018), with its parameters:
//   alphas  K           logarithms of the unnormalised weights
//   means   K x D       centres
//   icf     K x PACKED  inverse covariance factors, lower triangular: D logarithms of the diagonal, then the entries
//                       below it column by column
// and a Wishart prior on the factors. It prints the largest error of each check and fails beyond BOUND_*.

#include "digits.h"
#include "pardiff.h"
#include <math.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

enum { D = 16, K = 5, PACKED = D * (D + 1) / 2, PARAMETERS = K + K * D + K * PACKED };

static const double PI = 3.14159265358979323846;
static const double BOUND_FORWARD = 1e-12, BOUND_DIFFERENCES = 1e-7;

static double log_sum_exp(const double *v, int count) {
  double most = v[0], sum = 0;
  for (int i = 1; i < count; i++)
    if (v[i] > most) most = v[i];
  for (int i = 0; i < count; i++) sum += exp(v[i] - most);
  return log(sum) + most;
}

// Squared length of Q (x - mean), Q the lower triangular factor with the given diagonal.
static double distance(const double *x, const double *mean, const double *diagonal, const double *below) {
  double sum = 0;
  for (int i = 0; i < D; i++) {
    double row = diagonal[i] * (x[i] - mean[i]);
    for (int j = 0; j < i; j++) row += below[j * (2 * D - j - 1) / 2 + i - j - 1] * (x[j] - mean[j]);
    sum += row * row;
  }
  return sum;
}

static double log_gamma_distrib(double a) {
  double sum = 0.25 * D * (D - 1) * log(PI);
  for (int j = 1; j <= D; j++) sum += lgamma(a + 0.5 * (1 - j));
  return sum;
}

static double log_wishart_prior(const double *icf, const double *diagonal, const double *log_det, double gamma, int m) {
  int n = D + m + 1;
  double constant = n * D * (log(gamma) - 0.5 * log(2)) - log_gamma_distrib(0.5 * n), sum = 0;
  for (int k = 0; k < K; k++) {
    double frobenius = 0;
    for (int i = 0; i < D; i++) frobenius += diagonal[k * D + i] * diagonal[k * D + i];
    for (int i = D; i < PACKED; i++) frobenius += icf[k * PACKED + i] * icf[k * PACKED + i];
    sum += 0.5 * gamma * gamma * frobenius - m * log_det[k];
  }
  return sum - K * constant;
}

static double objective(const double *alphas, const double *means, const double *icf, const double *x, int n,
                        double gamma, int m) {
  double diagonal[K * D], log_det[K], total = 0;
  for (int k = 0; k < K; k++) {
    log_det[k] = 0;
    for (int i = 0; i < D; i++) {
      log_det[k] += icf[k * PACKED + i];
      diagonal[k * D + i] = exp(icf[k * PACKED + i]);
    }
  }
  for (int s = 0; s < n; s++) {
    double term[K];
    for (int k = 0; k < K; k++)
      term[k] = alphas[k] + log_det[k] -
                0.5 * distance(x + s * D, means + k * D, diagonal + k * D, icf + k * PACKED + D);
    total += log_sum_exp(term, K);
  }
  return -n * D * 0.5 * log(2 * PI) + total - n * log_sum_exp(alphas, K) +
         log_wishart_prior(icf, diagonal, log_det, gamma, m);
}

// Everything that is fixed while parameters vary, and where each kind of parameter starts in one array of all.
static double features[IMAGES * D];
enum { MEANS = K, ICF = K + K * D };
static const double GAMMA = 1;
static const int M = 0;

static double value(const double *p) { return objective(p, p + MEANS, p + ICF, features, IMAGES, GAMMA, M); }

static void gradient(const double *p, double *g) {
  __pardiff_autodiff((void *)objective, pardiff_dup, p, g, pardiff_dup, p + MEANS, g + MEANS, pardiff_dup, p + ICF,
                     g + ICF, pardiff_const, features, pardiff_const, IMAGES, pardiff_const, GAMMA, pardiff_const, M);
}

static double tangent(const double *p, const double *d) {
  return __pardiff_fwddiff((void *)objective, pardiff_dup, p, d, pardiff_dup, p + MEANS, d + MEANS, pardiff_dup,
                           p + ICF, d + ICF, pardiff_const, features, pardiff_const, IMAGES, pardiff_const, GAMMA,
                           pardiff_const, M);
}

// Small fixed generator (splitmix64): between -most and most.
static double uniform(double most) {
  static uint64_t state = 7;
  uint64_t z = state += 0x9e3779b97f4a7c15;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  z ^= z >> 31;
  return most * (2 * (z >> 11) * 0x1p-53 - 1);
}

// An image as D numbers: the means of its 2x2 blocks.
static void read_features(const char *path) {
  static double pixels[IMAGES * PIXELS];
  static int labels[IMAGES];
  read_digits(path, pixels, labels);
  for (int s = 0; s < IMAGES; s++)
    for (int i = 0; i < 4; i++)
      for (int j = 0; j < 4; j++) {
        const double *corner = pixels + s * PIXELS + 2 * i * 8 + 2 * j;
        features[s * D + 4 * i + j] = (corner[0] + corner[1] + corner[8] + corner[9]) / 4;
      }
}

static void choose_parameters(double *p) {
  for (int k = 0; k < K; k++) {
    p[k] = uniform(1);
    for (int i = 0; i < D; i++) {
      p[MEANS + k * D + i] = features[(100 * k + 10) * D + i] + uniform(0.1);
      p[ICF + k * PACKED + i] = 1 + uniform(0.5);
    }
    for (int i = D; i < PACKED; i++) p[ICF + k * PACKED + i] = uniform(0.5);
  }
}

static double seconds(void) {
  struct timespec t;
  timespec_get(&t, TIME_UTC);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int report(const char *against, double error, double size, double bound) {
  int good = error <= bound * size;
  printf("%-32s relative error %.1e  (at most %.0e)  %s\n", against, error / size, bound, good ? "ok" : "WRONG");
  return good;
}

int main(int argc, char **argv) {
  static double p[PARAMETERS], g[PARAMETERS], d[PARAMETERS];
  read_features(argc > 1 ? argv[1] : "../digits/digits.csv");
  choose_parameters(p);

  double start = seconds(), likelihood = value(p), between = seconds();
  gradient(p, g);
  double end = seconds();
  printf("%d images of %d numbers, %d Gaussians, %d parameters\n", IMAGES, D, K, PARAMETERS);
  printf("log-likelihood %.6f in %.1f ms, its gradient in %.1f ms\n", likelihood, 1e3 * (between - start),
         1e3 * (end - between));

  double size = 0, forward_error = 0, difference_error = 0;
  for (int i = 0; i < PARAMETERS; i++) {
    size = fmax(size, fabs(g[i]));
    d[i] = 1;
    forward_error = fmax(forward_error, fabs(tangent(p, d) - g[i]));
    d[i] = 0;

    double at = p[i], h = 1e-4;
    p[i] = at + h;
    double above = value(p);
    p[i] = at - h;
    double below = value(p);
    p[i] = at;
    difference_error = fmax(difference_error, fabs((above - below) / (2 * h) - g[i]));
  }
  int good = report("reverse against forward mode:", forward_error, size, BOUND_FORWARD);
  good &= report("reverse against differences:", difference_error, size, BOUND_DIFFERENCES);
  return good ? 0 : 1;
}
