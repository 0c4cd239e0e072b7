// Filters for whole pictures in YUYV: sharpening, and noise reduction over time.
#ifndef FILTERS_H
#define FILTERS_H

#include <stdint.h>

struct filters {
  // The share of luma's difference from its four neighbors that is added to it.
  double sharpening;
  // The share of the pictures before in a pixel that has hardly changed.
  double smoothing;
};

void sharpen(uint8_t *yuyv, int width, int height, double share);

// Forgets the pictures before, at the start of a stream.
void forget_pictures(void);
void smooth(uint8_t *yuyv, int width, int height, double share);

#endif
