// encoder (float): the first layer of a transformer, a row for the word plus a row for its place.
#include "../harness.h"

static float *of_word, *dof_word, *of_place, *dof_place, *y, *dy;
static int batch, tokens, channels, *word;

static void encoder(const float *of_word, const float *of_place, const int *word, float *y, int batch, int tokens,
                    int channels) {
  for (int b = 0; b < batch; b++)
    for (int t = 0; t < tokens; t++)
      for (int i = 0; i < channels; i++)
        y[(b * tokens + t) * channels + i] = of_word[word[b * tokens + t] * channels + i] + of_place[t * channels + i];
}

static void by_hand(float *dof_word, float *dof_place, const int *word, const float *dy, int batch, int tokens,
                    int channels) {
  for (int b = 0; b < batch; b++)
    for (int t = 0; t < tokens; t++) {
      const float *restrict d = dy + (long)(b * tokens + t) * channels;
      float *restrict w = dof_word + (long)word[b * tokens + t] * channels;
      float *restrict p = dof_place + (long)t * channels;
      for (int i = 0; i < channels; i++) {
        w[i] += d[i];
        p[i] += d[i];
      }
    }
}

void set_up(void) {
  batch = size(400, 3);
  tokens = size(128, 7);
  channels = size(256, 11);
  int words = size(2000, 9);
  ACTIVE(of_word, words * channels, -1, 1);
  ACTIVE(of_place, tokens * channels, -1, 1);
  RESULT(y, batch * tokens * channels);
  word = malloc(batch * tokens * sizeof *word);
  for (int t = 0; t < batch * tokens; t++) word[t] = below(words);
}

PROGRAM(encoder(of_word, of_place, word, y, batch, tokens, channels),
        __enzyme_autodiff((void *)encoder, enzyme_dup, of_word, dof_word, enzyme_dup, of_place, dof_place, enzyme_const,
                          word, enzyme_dupnoneed, y, dy, batch, tokens, channels),
        by_hand(dof_word, dof_place, word, dy, batch, tokens, channels))
