// digits.c: learns to read handwritten digits. One hidden layer, softmax, cross entropy, momentum.
//
//   clang-19 -O2 -fpass-plugin=libpardiff.so -I../../include digits.c -o digits -lm && ./digits digits.csv
//
// loss() below is the whole model. Its gradient is never written down: train() asks for it.

#include "digits.h"
#include "pardiff.h"
#include <math.h>
#include <stdint.h>
#include <string.h>

enum { HIDDEN = 32, BATCH = 32, EPOCHS = 30 };
enum { WEIGHTS = HIDDEN * PIXELS + HIDDEN + CLASSES * HIDDEN + CLASSES };

// What the network says about one image: ten scores, the highest is its answer.
static void network(const double *weights, const double *image, double *score) {
  const double *w1 = weights, *b1 = w1 + HIDDEN * PIXELS;
  const double *w2 = b1 + HIDDEN, *b2 = w2 + CLASSES * HIDDEN;
  double hidden[HIDDEN];
  for (int i = 0; i < HIDDEN; i++) {
    double sum = b1[i];
    for (int j = 0; j < PIXELS; j++) sum += w1[i * PIXELS + j] * image[j];
    hidden[i] = tanh(sum);
  }
  for (int i = 0; i < CLASSES; i++) {
    score[i] = b2[i];
    for (int j = 0; j < HIDDEN; j++) score[i] += w2[i * HIDDEN + j] * hidden[j];
  }
}

// Mean cross entropy of a batch of images.
static double loss(const double *weights, const double *images, const int *labels, int count) {
  double total = 0;
  for (int s = 0; s < count; s++) {
    double score[CLASSES];
    network(weights, images + s * PIXELS, score);
    double most = score[0], sum = 0;
    for (int i = 1; i < CLASSES; i++)
      if (score[i] > most) most = score[i];
    for (int i = 0; i < CLASSES; i++) sum += exp(score[i] - most);
    total += log(sum) + most - score[labels[s]];
  }
  return total / count;
}

// Small fixed generator (splitmix64), so that every run is the same.
static uint64_t random_bits(void) {
  static uint64_t state = 2024;
  uint64_t z = state += 0x9e3779b97f4a7c15;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return z ^ z >> 31;
}

static double uniform(double most) { return most * (2 * (random_bits() >> 11) * 0x1p-53 - 1); }

static void shuffle(int *order, int count) {
  for (int i = count - 1; i > 0; i--) {
    int j = (int)(random_bits() % (uint64_t)(i + 1)), t = order[i];
    order[i] = order[j];
    order[j] = t;
  }
}

// One pass over the images in `order`, a step of momentum after each batch. Returns the mean loss on the way.
static double train(double *weights, double *velocity, const double *pixels, const int *labels, const int *order,
                    int count, double rate) {
  static double images[BATCH * PIXELS], gradient[WEIGHTS];
  double total = 0;
  for (int start = 0; start < count; start += BATCH) {
    int size = count - start < BATCH ? count - start : BATCH, digits[BATCH];
    for (int s = 0; s < size; s++) {
      memcpy(images + s * PIXELS, pixels + order[start + s] * PIXELS, PIXELS * sizeof(double));
      digits[s] = labels[order[start + s]];
    }
    total += size * loss(weights, images, digits, size);

    memset(gradient, 0, sizeof gradient);
    __pardiff_autodiff((void *)loss, pardiff_dup, weights, gradient, pardiff_const, images, pardiff_const, digits,
                       pardiff_const, size);
    for (int i = 0; i < WEIGHTS; i++) {
      velocity[i] = 0.9 * velocity[i] - rate * gradient[i];
      weights[i] += velocity[i];
    }
  }
  return total / count;
}

static int answer(const double *weights, const double *image) {
  double score[CLASSES];
  network(weights, image, score);
  int best = 0;
  for (int i = 1; i < CLASSES; i++)
    if (score[i] > score[best]) best = i;
  return best;
}

int main(int argc, char **argv) {
  static double pixels[IMAGES * PIXELS], weights[WEIGHTS], velocity[WEIGHTS];
  static int labels[IMAGES], seen[IMAGES], held_out[IMAGES];
  read_digits(argc > 1 ? argv[1] : "digits.csv", pixels, labels);

  int training = 0, testing = 0; // the file goes from writer to writer: every fifth image is held out
  for (int i = 0; i < IMAGES; i++) {
    if (i % 5 == 4)
      held_out[testing++] = i;
    else
      seen[training++] = i;
  }
  for (int i = 0; i < WEIGHTS; i++) weights[i] = uniform(i < HIDDEN * PIXELS ? 0.2 : 0.3);

  for (int epoch = 1; epoch <= EPOCHS; epoch++) {
    shuffle(seen, training);
    double mean = train(weights, velocity, pixels, labels, seen, training, 0.1);
    printf("epoch %2d  loss %.4f\n", epoch, mean);
  }

  int right = 0;
  for (int i = 0; i < testing; i++) right += answer(weights, pixels + held_out[i] * PIXELS) == labels[held_out[i]];
  printf("accuracy on %d held-out images: %.2f %%\n", testing, 100.0 * right / testing);
  return 0;
}
