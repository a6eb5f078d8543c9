// digits.h: reads digits.csv (see DATA.md).
#ifndef DIGITS_H
#define DIGITS_H

#include <stdio.h>
#include <stdlib.h>

enum { IMAGES = 1797, PIXELS = 64, CLASSES = 10 };

// Pixels scaled to [0, 1], image after image, and the digit that each image shows. Exits with a message on bad input.
static void read_digits(const char *path, double *pixels, int *labels) {
  FILE *file = fopen(path, "r");
  if (!file) {
    perror(path);
    exit(1);
  }
  for (int i = 0; i < IMAGES; i++) {
    int value, read = 1;
    for (int j = 0; j < PIXELS && read == 1; j++) {
      read = fscanf(file, "%d,", &value);
      pixels[i * PIXELS + j] = value / 16.0;
    }
    if (read != 1 || fscanf(file, "%d", &labels[i]) != 1 || labels[i] < 0 || labels[i] >= CLASSES) {
      fprintf(stderr, "%s:%d: not 64 pixels and a digit\n", path, i + 1);
      exit(1);
    }
  }
  fclose(file);
}

#endif
