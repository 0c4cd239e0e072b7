#include "filters.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_WIDTH = 1280, MOST_HEIGHT = 720 };

static uint8_t byte(int value) { return (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value); }

void sharpen(uint8_t *yuyv, int width, int height, double share) {
  static uint8_t rows[2][MOST_WIDTH];
  int weight = (int)lround(share * 256 / 4);
  uint8_t *above = rows[0], *present = rows[1];
  for (int y = 0; y < height; y++) {
    uint8_t *row = yuyv + y * width * 2;
    for (int x = 0; x < width; x++) present[x] = row[2 * x];
    for (int x = 1; x < width - 1 && y > 0 && y < height - 1; x++) {
      int around = present[x - 1] + present[x + 1] + above[x] + row[2 * (x + width)];
      row[2 * x] = byte(present[x] + ((weight * (4 * present[x] - around) + 128) >> 8));
    }
    uint8_t *next = above;
    above = present;
    present = next;
  }
}

// The pictures before, in 128ths of a code.
static int16_t memory[MOST_WIDTH * MOST_HEIGHT * 2];
static int remembered;

void forget_pictures(void) { remembered = 0; }

void smooth(uint8_t *yuyv, int width, int height, double share) {
  // What changes by more is taken for motion.
  enum { HARDLY = 12 << 7 };
  int count = width * height * 2, weight = (int)lround((1 - share) * 256);
  bool is_first = remembered != count;
  remembered = count;
  for (int i = 0; i < count; i++) {
    int change = (yuyv[i] << 7) - memory[i];
    bool is_same = !is_first && change > -HARDLY && change < HARDLY;
    memory[i] = (int16_t)(memory[i] + (is_same ? (change * weight + 128) >> 8 : change));
    yuyv[i] = byte((memory[i] + 64) >> 7);
  }
}
