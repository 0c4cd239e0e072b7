#include "mean.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "log.h"

int print_means(const char *path, int width, int height, bool is_full_range) {
  FILE *file = fopen(path, "rb");
  if (!file) fail(path);
  size_t size = (size_t)(width * height * 2);
  uint8_t *frame = malloc(size);
  for (int number = 0; fread(frame, 1, size, file) == size; number++) {
    double sum[3] = {0}, count = 0;
    for (int y = height * 2 / 5; y < height * 3 / 5; y++) {
      for (int x = (width * 2 / 5) & ~1; x < width * 3 / 5; x += 2) {
        const uint8_t *pair = frame + (y * width + x) * 2;
        sum[0] += (pair[0] + pair[2]) / 2.0;
        sum[1] += pair[1];
        sum[2] += pair[3];
        count++;
      }
    }
    for (int i = 0; i < 3; i++) sum[i] /= count;
    double y = is_full_range ? sum[0] : (sum[0] - 16) * 255 / 219;
    double chroma = is_full_range ? 1 : 255.0 / 224;
    double cb = (sum[1] - 128) * chroma, cr = (sum[2] - 128) * chroma;
    printf("frame %d Y=%.2f Cb=%.2f Cr=%.2f R=%.1f G=%.1f B=%.1f\n", number, sum[0], sum[1], sum[2],
           y + 1.402 * cr, y - 0.344136 * cb - 0.714136 * cr, y + 1.772 * cb);
  }
  free(frame);
  fclose(file);
  return 0;
}
