#include "CWbcalFrameKernels.h"
#include "avx2.h"

#include <string.h>

// Every operation is rounded by itself, so that results are the same on every processor.
#pragma STDC FP_CONTRACT OFF

// Pixels that are worked on at a time: an even number, whose codes stay in the fastest memory.
enum { BLOCK = 64 };
// The bits of 2⁻²⁰ and of 1, the ends of the table of codes.
enum { LEAST = (127 - 20) << 23, MOST = 127 << 23 };

// The samples of a pixel, or red, green and blue, of each pixel of a block.
typedef struct { float channel[3][BLOCK]; } block;

INLINE void load_plane(
    float *to, const uint8_t *from, const int step, const int shared, size_t count) {
  if (shared == 2) {
    for (size_t i = 0; i < count; i += 2) to[i] = to[i + 1] = from[i / 2 * (size_t)step];
  } else {
    for (size_t i = 0; i < count; i++) to[i] = from[i * (size_t)step];
  }
}

// Copies of the loop for each way in which samples lie.
INLINE void load_block(block *b, const wb_row *in, size_t at, size_t count) {
  for (int k = 0; k < 3; k++) {
    const int shared = k == 0 ? 1 : in->shared, step = in->step[k];
    const uint8_t *from = in->first[k] + at / (size_t)shared * (size_t)step;
    float *to = b->channel[k];
    if (shared == 1) {
      switch (step) {
        case 1: load_plane(to, from, 1, 1, count); break;
        case 2: load_plane(to, from, 2, 1, count); break;
        default: load_plane(to, from, step, 1, count);
      }
    } else {
      switch (step) {
        case 1: load_plane(to, from, 1, 2, count); break;
        case 4: load_plane(to, from, 4, 2, count); break;
        default: load_plane(to, from, step, 2, count);
      }
    }
  }
}

// The product with a matrix and its fourth column, the constants.
INLINE void transform(block *out, const block *in, const float matrix[3][4]) {
  for (int k = 0; k < 3; k++) {
    const float a = matrix[k][0], b = matrix[k][1], c = matrix[k][2], d = matrix[k][3];
    for (int i = 0; i < BLOCK; i++) {
      out->channel[k][i] =
          in->channel[0][i] * a + in->channel[1][i] * b + in->channel[2][i] * c + d;
    }
  }
}

// Looks up a block of entries of a table.
typedef void look_up(float *out, const int32_t *places, const float *table);

static void look_up_portable(float *out, const int32_t *places, const float *table) {
  for (int i = 0; i < BLOCK; i++) out[i] = table[places[i]];
}

// From samples to the codes of red, green and blue after the change.
INLINE void change_block(block *b, const wb_colors *colors, look_up *look_up) {
  const float *direct = colors->direct;
  block places, light;
  int32_t index[BLOCK];
  transform(&places, b, colors->decode);
  for (int k = 0; k < 3; k++) {
    for (int i = 0; i < BLOCK; i++) {
      float place = places.channel[k][i];
      place = place > 0 ? place : 0;
      index[i] = (int32_t)(place < WB_PLACES - 1 ? place : WB_PLACES - 1);
    }
    look_up(b->channel[k], index, direct ? direct + k * WB_PLACES : colors->light);
  }
  if (direct) return;
  transform(&light, b, colors->change);
  for (int i = 0; i < BLOCK; i++) {
    float r = light.channel[0][i], g = light.channel[1][i], c = light.channel[2][i];
    float most = r > g ? r : g;
    most = most > c ? most : c;
    for (int k = 0; k < 3; k++) {
      int is_clipped = places.channel[k][i] >= colors->clipped_from;
      light.channel[k][i] = is_clipped ? most : light.channel[k][i];
    }
  }
  for (int k = 0; k < 3; k++) {
    int32_t bits[BLOCK];
    memcpy(bits, light.channel[k], sizeof bits);
    for (int i = 0; i < BLOCK; i++) {
      int32_t size = bits[i] & 0x7FFFFFFF;
      size = size > LEAST ? size : LEAST;
      size = size < MOST ? size : MOST;
      index[i] = ((size - LEAST) >> 15) + (bits[i] < 0 ? WB_LIGHTS : 0);
    }
    look_up(b->channel[k], index, colors->codes);
  }
}

INLINE uint8_t whole(float sample) {
  sample = sample > 0 ? sample : 0;
  return (uint8_t)(int32_t)(sample < 255 ? sample : 255);
}

// What is added to a row of samples before they are rounded down, for a multiple of 8 of them: each
// of 64 thresholds once in a square of 8 × 8, neighbors far apart. Each kind of sample begins at
// another column.
INLINE void set_thresholds(float *to, size_t count, int kind, int row, int dithers) {
  for (size_t i = 0; i < count; i++) {
    const int y = row & 7, x = ((int)(i & 7) + 3 * kind) & 7, differs = x ^ y;
    int place = 0;
    for (int bit = 0; bit < 3; bit++) {
      place = place << 2 | (differs >> bit & 1) << 1 | (y >> bit & 1);
    }
    to[i] = dithers ? ((float)place + 0.5f) / 64 : 0.5f;
  }
}

INLINE void store_plane(
    uint8_t *to, const float *from, const float *thresholds, const int step, size_t count) {
  for (size_t i = 0; i < count; i++) to[i * (size_t)step] = whole(from[i] + thresholds[i]);
}

INLINE void correct(
    const wb_row *in, const wb_row *out, float *sums, size_t count, const wb_colors *colors,
    look_up *look_up) {
  block b = {{{0}}}, samples, thresholds;
  const size_t shared = (size_t)out->shared, groups = (count + shared - 1) / shared;
  for (int k = 0; k < 3; k++) {
    set_thresholds(thresholds.channel[k], BLOCK, k, out->row, colors->dithers);
  }
  for (size_t at = 0; at < count; at += BLOCK) {
    const size_t left = count - at, n = left < BLOCK ? left : BLOCK;
    load_block(&b, in, at, n);
    change_block(&b, colors, look_up);
    transform(&samples, &b, colors->encode);
    for (int k = 0; k < 3; k++) {
      float *sample = samples.channel[k];
      if (k > 0 && sums) {
        float *sum = sums + (k == 1 ? 0 : groups) + at / shared;
        if (shared == 1) {
          for (size_t i = 0; i < n; i++) sum[i] += sample[i];
        } else {
          // The last of an odd number shares with itself.
          if (n & 1) sample[n] = sample[n - 1];
          for (size_t i = 0; i < (n + 1) / 2; i++) sum[i] += sample[2 * i] + sample[2 * i + 1];
        }
        continue;
      }
      const float *t = thresholds.channel[k];
      uint8_t *to = out->first[k] + at * (size_t)out->step[k];
      switch (out->step[k]) {
        case 1: store_plane(to, sample, t, 1, n); break;
        case 2: store_plane(to, sample, t, 2, n); break;
        default: store_plane(to, sample, t, out->step[k], n);
      }
    }
  }
}

void wb_correct_portable(
    const wb_row *in, const wb_row *out, float *sums, size_t count, const wb_colors *colors) {
  correct(in, out, sums, count, colors, look_up_portable);
}

#if defined(__x86_64__)

AVX2 static void look_up_avx2(float *out, const int32_t *places, const float *table) {
  for (int i = 0; i < BLOCK; i += 8) {
    __m256i eight = _mm256_loadu_si256((const __m256i *)(places + i));
    _mm256_storeu_ps(out + i, _mm256_i32gather_ps(table, eight, 4));
  }
}

AVX2 static void correct_avx2(
    const wb_row *in, const wb_row *out, float *sums, size_t count, const wb_colors *colors) {
  correct(in, out, sums, count, colors, look_up_avx2);
}

#endif

void wb_correct(
    const wb_row *in, const wb_row *out, float *sums, size_t count, const wb_colors *colors) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) {
    correct_avx2(in, out, sums, count, colors);
    return;
  }
#endif
  wb_correct_portable(in, out, sums, count, colors);
}

void wb_store_sums(
    float *sums, size_t count, float share, const wb_row *out, int k, const wb_colors *colors) {
  float thresholds[8];
  set_thresholds(thresholds, 8, k, out->row / out->shared_rows, colors->dithers);
  for (size_t i = 0; i < count; i++) {
    out->first[k][i * (size_t)out->step[k]] = whole(sums[i] * share + thresholds[i & 7]);
    sums[i] = 0;
  }
}
