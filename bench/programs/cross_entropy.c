// cross_entropy (float): the mean cross entropy of softmax with the right words.
#include "../harness.h"

static float *logits, *dlogits;
static int rows, words, *right;

static float cross_entropy(const float *logits, const int *right, int rows, int words) {
  float loss = 0;
  for (int r = 0; r < rows; r++) {
    const float *in = logits + r * words;
    float most = in[0], sum = 0;
    for (int i = 1; i < words; i++)
      if (in[i] > most) most = in[i];
    for (int i = 0; i < words; i++) sum += expf(in[i] - most);
    loss += logf(sum) - (in[right[r]] - most);
  }
  return loss / rows;
}

// Exponentials of a row at a time are kept.
static void by_hand(const float *logits, float *dlogits, const int *right, int rows, int words) {
  FREE_SUMS
  float *restrict e = malloc(words * sizeof(float));
  for (int r = 0; r < rows; r++) {
    const float *in = logits + r * words;
    float *restrict out = dlogits + r * words, most = in[0], sum = 0;
    for (int i = 1; i < words; i++) most = in[i] > most ? in[i] : most;
    for (int i = 0; i < words; i++) sum += e[i] = expf(in[i] - most);
    float scale = 1 / (sum * rows);
    for (int i = 0; i < words; i++) out[i] += e[i] * scale;
    out[right[r]] -= 1.0f / rows;
  }
  free(e);
}

void set_up(void) {
  rows = size(512, 7);
  words = size(2000, 31);
  ACTIVE(logits, rows * words, -3, 3);
  right = malloc(rows * sizeof *right);
  for (int r = 0; r < rows; r++) right[r] = below(words);
}

PROGRAM(value = cross_entropy(logits, right, rows, words),
        __enzyme_autodiff((void *)cross_entropy, enzyme_dup, logits, dlogits, enzyme_const, right, rows, words),
        by_hand(logits, dlogits, right, rows, words))
