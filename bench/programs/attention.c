// attention (float): causal attention of a transformer with several heads. A row of the input is queries, keys and
// values of one token, each of them head after head.
#include "../harness.h"
#include "../lanes.h"
#include <float.h>

static float *x, *dx, *y, *dy;
static int batch, tokens, channels, heads;

static void attention(const float *x, float *y, int batch, int tokens, int channels, int heads) {
  int width = channels / heads;
  float scale = 1 / sqrtf(width), weight[tokens];
  for (int b = 0; b < batch; b++)
    for (int t = 0; t < tokens; t++)
      for (int h = 0; h < heads; h++) {
        const float *query = x + (b * tokens + t) * 3 * channels + h * width;
        float most = -FLT_MAX, sum = 0;
        for (int u = 0; u <= t; u++) {
          const float *key = x + (b * tokens + u) * 3 * channels + channels + h * width;
          float s = 0;
          for (int i = 0; i < width; i++) s += query[i] * key[i];
          weight[u] = s * scale;
          if (weight[u] > most) most = weight[u];
        }
        for (int u = 0; u <= t; u++) {
          weight[u] = expf(weight[u] - most);
          sum += weight[u];
        }
        float *out = y + (b * tokens + t) * channels + h * width;
        for (int i = 0; i < width; i++) out[i] = 0;
        for (int u = 0; u <= t; u++) {
          const float *val = x + (b * tokens + u) * 3 * channels + 2 * channels + h * width;
          for (int i = 0; i < width; i++) out[i] += weight[u] / sum * val[i];
        }
      }
}

// Into square matrices of one head: its queries times keys, and adjoints of its weights; then products of matrices.
// What is above the diagonal is 0 in both.
struct head {
  float *weights, *dweights, *transposed;
};

static void softmax_row(float *row, int t, float scale) {
  FREE_SUMS
  float most = row[0], sum = 0;
  for (int u = 1; u <= t; u++) most = row[u] > most ? row[u] : most;
  for (int u = 0; u <= t; u++) sum += row[u] = expf((row[u] - most) * scale);
  sum = 1 / sum;
  for (int u = 0; u <= t; u++) row[u] *= sum;
}

// d becomes the adjoint of the products of queries and keys.
static void softmax_back(const float *p, float *d, int t, int tokens, float scale) {
  FREE_SUMS
  float along = 0;
  for (int u = 0; u <= t; u++) along += p[u] * d[u];
  for (int u = 0; u <= t; u++) d[u] = scale * p[u] * (d[u] - along);
  for (int u = t + 1; u < tokens; u++) d[u] = 0;
}

static void transpose(const float *in, long stride, float *out, int rows, int columns) {
  for (int r = 0; r < rows; r++)
    for (int c = 0; c < columns; c++) out[c * rows + r] = in[r * stride + c];
}

// Rows t of a lower triangle only go up to t: some rows at a time are multiplied with as many columns as they need.
static void one_head(const float *x, float *dx, const float *dy, int tokens, int channels, int width, struct head *s) {
  enum { ROWS = 32 };
  const float *keys = x + channels, *values = x + 2 * channels;
  float scale = 1 / sqrtf(width), *p = s->weights, *d = s->dweights;
  long stride = 3 * channels;
  memset(p, 0, 2L * tokens * tokens * sizeof *p);
  transpose(keys, stride, s->transposed, tokens, width);
  for (int t = 0; t < tokens; t += ROWS) {
    int rows = tokens - t < ROWS ? tokens - t : ROWS;
    add_float_product(rows, t + rows, width, x + t * stride, stride, 1, s->transposed, tokens, p + t * tokens, tokens,
                      1);
  }
  transpose(values, stride, s->transposed, tokens, width);
  for (int t = 0; t < tokens; t += ROWS) {
    int rows = tokens - t < ROWS ? tokens - t : ROWS;
    add_float_product(rows, t + rows, width, dy + t * channels, channels, 1, s->transposed, tokens, d + t * tokens,
                      tokens, 1);
  }
  for (int t = 0; t < tokens; t++) {
    softmax_row(p + t * tokens, t, scale);
    for (int u = t + 1; u < tokens; u++) p[t * tokens + u] = 0;
    softmax_back(p + t * tokens, d + t * tokens, t, tokens, scale);
  }
  for (int t = 0; t < tokens; t += ROWS) {
    int rows = tokens - t < ROWS ? tokens - t : ROWS, rest = tokens - t;
    add_float_product(rows, width, t + rows, d + t * tokens, tokens, 1, keys, stride, dx + t * stride, stride, 1);
    add_float_product(rows, width, rest, d + t * tokens + t, 1, tokens, x + t * stride, stride,
                      dx + channels + t * stride, stride, 1);
    add_float_product(rows, width, rest, p + t * tokens + t, 1, tokens, dy + t * channels, channels,
                      dx + 2 * channels + t * stride, stride, 1);
  }
}

static void by_hand(const float *x, float *dx, const float *dy, int batch, int tokens, int channels, int heads) {
  int width = channels / heads;
  float *memory = malloc((2L * tokens + width) * tokens * sizeof(float));
  struct head s = {memory, memory + (long)tokens * tokens, memory + 2L * tokens * tokens};
  for (int b = 0; b < batch; b++)
    for (int h = 0; h < heads; h++) {
      long in = (long)b * tokens * 3 * channels + h * width, out = (long)b * tokens * channels + h * width;
      one_head(x + in, dx + in, dy + out, tokens, channels, width, &s);
    }
  free(memory);
}

void set_up(void) {
  batch = size(4, 2);
  tokens = size(128, 9);
  channels = size(256, 15);
  heads = size(4, 3);
  ACTIVE(x, batch * tokens * 3 * channels, -1, 1);
  RESULT(y, batch * tokens * channels);
}

PROGRAM(attention(x, y, batch, tokens, channels, heads),
        __enzyme_autodiff((void *)attention, enzyme_dup, x, dx, enzyme_dupnoneed, y, dy, batch, tokens, channels, heads),
        by_hand(x, dx, dy, batch, tokens, channels, heads))
