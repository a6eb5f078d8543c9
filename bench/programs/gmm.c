// gmm: ADBench's objective, the log-likelihood of a Gaussian mixture with a Wishart prior (Srajer, Kukelova,
// Fitzgibbon: A Benchmark of Selected Algorithmic Differentiation Tools, 2018). Parameters of each of the k parts:
// alpha, the logarithm of its weight; its mean; its inverse covariance factor, d logarithms of the diagonal and then the
// entries below it, column by column.
#include "../harness.h"
#include "../lanes.h"

static double *alphas, *dalphas, *means, *dmeans, *icf, *dicf, *x;
static int d, k, n;
static const double GAMMA = 1, PI = 3.14159265358979323846;
static const int M = 0;

static double log_sum_exp(const double *v, int count) {
  double most = v[0], sum = 0;
  for (int i = 1; i < count; i++)
    if (v[i] > most) most = v[i];
  for (int i = 0; i < count; i++) sum += exp(v[i] - most);
  return log(sum) + most;
}

static double log_gamma_distribution(double a, int d) {
  double sum = 0.25 * d * (d - 1) * log(PI);
  for (int j = 1; j <= d; j++) sum += lgamma(a + 0.5 * (1 - j));
  return sum;
}

static double log_wishart_prior(int d, int k, double gamma, int m, const double *sum_qs, const double *diagonal,
                                const double *icf) {
  int n = d + m + 1, packed = d * (d + 1) / 2;
  double constant = n * d * (log(gamma) - 0.5 * log(2)) - log_gamma_distribution(0.5 * n, d), sum = 0;
  for (int c = 0; c < k; c++) {
    double frobenius = 0;
    for (int i = 0; i < d; i++) frobenius += diagonal[c * d + i] * diagonal[c * d + i];
    for (int i = d; i < packed; i++) frobenius += icf[c * packed + i] * icf[c * packed + i];
    sum += 0.5 * gamma * gamma * frobenius - m * sum_qs[c];
  }
  return sum - k * constant;
}

// Q (x - mean), Q the lower triangular factor.
static void transform(int d, const double *diagonal, const double *below, const double *centered, double *out) {
  for (int i = 0; i < d; i++) out[i] = diagonal[i] * centered[i];
  int at = 0;
  for (int i = 0; i < d; i++)
    for (int j = i + 1; j < d; j++) out[j] += below[at++] * centered[i];
}

static double gmm(int d, int k, int n, const double *alphas, const double *means, const double *icf, const double *x,
                  double gamma, int m) {
  int packed = d * (d + 1) / 2;
  double *diagonal = malloc(d * k * sizeof(double)), *sum_qs = malloc(k * sizeof(double));
  double *centered = malloc(d * sizeof(double)), *out = malloc(d * sizeof(double)), *term = malloc(k * sizeof(double));
  for (int c = 0; c < k; c++) {
    sum_qs[c] = 0;
    for (int i = 0; i < d; i++) {
      sum_qs[c] += icf[c * packed + i];
      diagonal[c * d + i] = exp(icf[c * packed + i]);
    }
  }
  double total = 0;
  for (int s = 0; s < n; s++) {
    for (int c = 0; c < k; c++) {
      for (int i = 0; i < d; i++) centered[i] = x[s * d + i] - means[c * d + i];
      transform(d, diagonal + c * d, icf + c * packed + d, centered, out);
      double norm = 0;
      for (int i = 0; i < d; i++) norm += out[i] * out[i];
      term[c] = alphas[c] + sum_qs[c] - 0.5 * norm;
    }
    total += log_sum_exp(term, k);
  }
  double result = -n * d * 0.5 * log(2 * PI) + total - n * log_sum_exp(alphas, k) +
                  log_wishart_prior(d, k, gamma, m, sum_qs, diagonal, icf);
  free(diagonal), free(sum_qs), free(centered), free(out), free(term);
  return result;
}

// One part's share of a batch of samples: the term, and Q (x - mean) in out.
static lanes forward(int d, const double *diagonal, const double *below, const double *mean, const lanes *x,
                     lanes *restrict out) {
  for (int i = 0; i < d; i++) out[i] = diagonal[i] * (x[i] - mean[i]);
  for (int i = 0; i < d; i++) {
    lanes centered = x[i] - mean[i];
    for (int j = i + 1; j < d; j++) out[j] += *below++ * centered;
  }
  lanes norm = {0};
  for (int i = 0; i < d; i++) norm += out[i] * out[i];
  return norm;
}

// The same backward, w the weights of the samples: the gradients of the diagonal, of what is below it and of the mean.
static void backward(int d, const double *diagonal, const double *below, const double *mean, const lanes *x,
                     lanes *restrict out, lanes w, lanes *restrict dicf, lanes *restrict dmean) {
  for (int i = 0; i < d; i++) out[i] *= -w;
  lanes *dbelow = dicf + d;
  for (int i = 0; i < d; i++) {
    lanes centered = x[i] - mean[i], dcentered = diagonal[i] * out[i];
    dicf[i] += centered * out[i];
    for (int j = i + 1; j < d; j++) {
      *dbelow++ += centered * out[j];
      dcentered += *below++ * out[j];
    }
    dmean[i] -= dcentered;
  }
}

// Samples in lanes. What is summed over samples is summed per lane, for all parts, and added up at the end.
struct sums {
  lanes *alphas, *means, *icf, *out, *term, *x;
  double *diagonal, *sum_qs;
};

static void batch(int d, int k, int first, int n, const double *alphas, const double *means, const double *icf,
                  const double *x, struct sums *s) {
  int packed = d * (d + 1) / 2;
  lanes live = {0}, most, sum = {0};
  for (int l = 0; l < LANES; l++) {
    int at = first + l < n ? first + l : n - 1;
    live[l] = first + l < n;
    for (int i = 0; i < d; i++) s->x[i][l] = x[at * d + i];
  }
  for (int c = 0; c < k; c++) {
    lanes norm = forward(d, s->diagonal + c * d, icf + c * packed + d, means + c * d, s->x, s->out + c * d);
    s->term[c] = alphas[c] + s->sum_qs[c] - 0.5 * norm;
    most = c == 0 ? s->term[0] : most;
    for (int l = 0; l < LANES; l++) most[l] = fmax(most[l], s->term[c][l]);
  }
  for (int c = 0; c < k; c++) {
    for (int l = 0; l < LANES; l++) s->term[c][l] = exp(s->term[c][l] - most[l]);
    sum += s->term[c];
  }
  for (int c = 0; c < k; c++) {
    lanes w = live * s->term[c] / sum;
    s->alphas[c] += w;
    backward(d, s->diagonal + c * d, icf + c * packed + d, means + c * d, s->x, s->out + c * d, w, s->icf + c * packed,
             s->means + c * d);
  }
}

static void by_hand(int d, int k, int n, const double *alphas, double *dalphas, const double *means, double *dmeans,
                    const double *icf, double *dicf, const double *x, double gamma, int m) {
  int packed = d * (d + 1) / 2;
  long wide = k + k * d + k * packed;
  lanes *memory = calloc(wide + k * d + k + d, sizeof(lanes));
  struct sums s = {memory, memory + k, memory + k + k * d, memory + wide};
  s.term = s.out + k * d;
  s.x = s.term + k;
  s.diagonal = malloc((k * d + k) * sizeof(double));
  s.sum_qs = s.diagonal + k * d;
  for (int c = 0; c < k; c++) {
    s.sum_qs[c] = 0;
    for (int i = 0; i < d; i++) {
      s.sum_qs[c] += icf[c * packed + i];
      s.diagonal[c * d + i] = exp(icf[c * packed + i]);
    }
  }
  for (int first = 0; first < n; first += LANES) batch(d, k, first, n, alphas, means, icf, x, &s);
  double of_alphas = log_sum_exp(alphas, k);
  for (int c = 0; c < k; c++) {
    double weight = total(s.alphas[c]);
    dalphas[c] += weight - n * exp(alphas[c] - of_alphas);
    for (int i = 0; i < d; i++) {
      double q = s.diagonal[c * d + i];
      dicf[c * packed + i] += weight - m + (total(s.icf[c * packed + i]) + gamma * gamma * q) * q;
      dmeans[c * d + i] += total(s.means[c * d + i]);
    }
    for (int i = d; i < packed; i++)
      dicf[c * packed + i] += total(s.icf[c * packed + i]) + gamma * gamma * icf[c * packed + i];
  }
  free(memory), free(s.diagonal);
}

void set_up(void) {
  d = size(20, 5);
  k = size(25, 4);
  n = size(1000, 21);
  ACTIVE(alphas, k, -1, 1);
  ACTIVE(means, k * d, 0, 1);
  ACTIVE(icf, k * d * (d + 1) / 2, -0.5, 0.5);
  DATA(x, n * d, 0, 1);
}

PROGRAM(value = gmm(d, k, n, alphas, means, icf, x, GAMMA, M),
        __enzyme_autodiff((void *)gmm, d, k, n, enzyme_dup, alphas, dalphas, enzyme_dup, means, dmeans, enzyme_dup, icf,
                          dicf, enzyme_const, x, enzyme_const, GAMMA, M),
        by_hand(d, k, n, alphas, dalphas, means, dmeans, icf, dicf, x, GAMMA, M))
