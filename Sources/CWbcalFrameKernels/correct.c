#include "CWbcalFrameKernels.h"
#include "avx2.h"

#include <string.h>

// Every operation is rounded separately, so that results are the same on every processor.
#pragma STDC FP_CONTRACT OFF

// The number of pixels of a block: even, and small enough that their codes stay in the fastest
// cache.
enum { BLOCK = 128 };
// The bit patterns of 2⁻²⁰ and of 1, the ends of the table of codes.
enum { LEAST = (127 - 20) << 23, MOST = 127 << 23 };

// The samples, or red, green and blue, of each pixel of a block.
typedef struct { float channel[3][BLOCK]; } block;

INLINE void load_plane(
    float *to, const uint8_t *from, const int step, const int shared, size_t count) {
  if (shared == 2) {
    for (size_t i = 0; i < count; i += 2) to[i] = to[i + 1] = from[i / 2 * (size_t)step];
  } else {
    for (size_t i = 0; i < count; i++) to[i] = from[i * (size_t)step];
  }
}

// There are copies of the loop for each arrangement of samples.
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

// Returns the first byte if the samples of two pixels occupy four bytes, as those of YUYV do; or
// else NULL.
INLINE uint8_t *four_bytes(const wb_row *row) {
  uint8_t *luma = row->first[0], *first = luma;
  for (int k = 1; k < 3; k++) first = row->first[k] < first ? row->first[k] : first;
  const int is_packed = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ && row->shared == 2 &&
      row->step[0] == 2 && row->step[1] == 4 && row->step[2] == 4 && luma - first < 2 &&
      row->first[1] - first < 4 && row->first[2] - first < 4;
  return is_packed ? first : NULL;
}

// Loads a whole block of such samples, as `load_block` does, from a given first byte.
INLINE void load_fours(block *b, const wb_row *row, const uint8_t *first) {
  int shift[3];
  for (int k = 0; k < 3; k++) shift[k] = 8 * (int)((uintptr_t)(row->first[k] - first) & 3);
  for (int i = 0; i < BLOCK; i += 2) {
    uint32_t four;
    memcpy(&four, first + 2 * i, sizeof four);
    b->channel[0][i] = (float)(int32_t)(four >> shift[0] & 255);
    b->channel[0][i + 1] = (float)(int32_t)(four >> (shift[0] + 16) & 255);
    for (int k = 1; k < 3; k++) {
      b->channel[k][i] = b->channel[k][i + 1] = (float)(int32_t)(four >> shift[k] & 255);
    }
  }
}

// Multiplies by a matrix and adds its fourth column, the constants.
INLINE void transform(block *out, const block *in, const float matrix[3][4]) {
  for (int k = 0; k < 3; k++) {
    const float a = matrix[k][0], b = matrix[k][1], c = matrix[k][2], d = matrix[k][3];
    for (int i = 0; i < BLOCK; i++) {
      out->channel[k][i] =
          in->channel[0][i] * a + in->channel[1][i] * b + in->channel[2][i] * c + d;
    }
  }
}

// Looks up a block of entries of a table, two at a time in a word, which is faster than gathering
// eight.
INLINE void look_up(float *out, const int32_t *places, const float *table) {
  for (int i = 0; i < BLOCK; i += 2) {
    uint64_t both;
    uint32_t low, high;
    memcpy(&both, places + i, sizeof both);
    memcpy(&low, table + (uint32_t)both, sizeof low);
    memcpy(&high, table + (both >> 32), sizeof high);
    both = low | (uint64_t)high << 32;
    memcpy(out + i, &both, sizeof both);
  }
}

// Converts samples to the changed codes of red, green and blue. `gains` points to that of the first
// pixel in red, and those in green and blue are `stride` apart; or it is NULL.
INLINE void change_block(
    block *b, const float *gains, size_t stride, size_t count, const wb_colors *colors) {
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
  for (size_t k = 0; gains && k < 3; k++) {
    for (size_t i = 0; i < count; i++) b->channel[k][i] *= gains[k * stride + i];
  }
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
    for (int i = 0; i < BLOCK; i++) {
      int32_t bits, size;
      memcpy(&bits, &light.channel[k][i], sizeof bits);
      size = bits & 0x7FFFFFFF;
      size = size > LEAST ? size : LEAST;
      size = size < MOST ? size : MOST;
      index[i] = ((size - LEAST) >> 15) + (bits < 0 ? WB_LIGHTS : 0);
    }
    look_up(b->channel[k], index, colors->codes);
  }
}

INLINE uint8_t whole(float sample) {
  sample = sample > 0 ? sample : 0;
  return (uint8_t)(int32_t)(sample < 255 ? sample : 255);
}

// Sets the numbers that are added to a row of samples before they are rounded down, for a multiple
// of 8 of them. Each of 64 thresholds occurs once in a square of 8 × 8, and those of neighboring
// samples differ strongly. Each kind of sample begins at another column.
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

// There are copies of the loop for each arrangement of samples.
INLINE void store_samples(
    uint8_t *to, const float *from, const float *thresholds, int step, size_t count) {
  switch (step) {
    case 1: store_plane(to, from, thresholds, 1, count); break;
    case 2: store_plane(to, from, thresholds, 2, count); break;
    case 4: store_plane(to, from, thresholds, 4, count); break;
    default: store_plane(to, from, thresholds, step, count);
  }
}

// Stores a whole block of samples of which two pixels occupy four bytes.
INLINE void store_fours(
    uint8_t *first, const wb_row *row, const block *samples, const block *thresholds) {
  int shift[3];
  for (int k = 0; k < 3; k++) shift[k] = 8 * (int)((uintptr_t)(row->first[k] - first) & 3);
  const float *y = samples->channel[0], *ty = thresholds->channel[0];
  for (int i = 0; i < BLOCK / 2; i++) {
    uint32_t four = (uint32_t)whole(y[2 * i] + ty[2 * i]) << shift[0] |
        (uint32_t)whole(y[2 * i + 1] + ty[2 * i + 1]) << (shift[0] + 16);
    for (int k = 1; k < 3; k++) {
      four |= (uint32_t)whole(samples->channel[k][i] + thresholds->channel[k][i]) << shift[k];
    }
    memcpy(first + 4 * i, &four, sizeof four);
  }
}

INLINE void correct(
    const wb_row *in, const wb_row *out, const float *gains, float *sums, size_t count,
    const wb_colors *colors) {
  block b = {{{0}}}, samples, thresholds;
  const size_t shared = (size_t)out->shared, groups = (count + shared - 1) / shared;
  const uint8_t *fours_in = four_bytes(in);
  uint8_t *fours_out = sums ? NULL : four_bytes(out);
  for (int k = 0; k < 3; k++) {
    set_thresholds(thresholds.channel[k], BLOCK, k, out->row, colors->dithers);
  }
  for (size_t at = 0; at < count; at += BLOCK) {
    const size_t left = count - at, n = left < BLOCK ? left : BLOCK;
    if (fours_in && n == BLOCK) load_fours(&b, in, fours_in + 2 * at);
    else load_block(&b, in, at, n);
    change_block(&b, gains ? gains + at : NULL, count, n, colors);
    transform(&samples, &b, colors->encode);
    for (int k = 1; k < 3; k++) {
      float *sample = samples.channel[k];
      // If the number of pixels is odd, the last one shares with itself.
      if (shared == 2 && (n & 1)) sample[n] = sample[n - 1];
      if (sums) {
        float *sum = sums + (k == 1 ? 0 : groups) + at / shared;
        if (shared == 1) {
          for (size_t i = 0; i < n; i++) sum[i] += sample[i];
        } else {
          for (size_t i = 0; i < (n + 1) / 2; i++) sum[i] += sample[2 * i] + sample[2 * i + 1];
        }
      } else if (shared == 2) {
        for (int i = 0; i < BLOCK / 2; i++) {
          sample[i] = (sample[2 * i] + sample[2 * i + 1]) * 0.5f;
        }
      }
    }
    if (fours_out && n == BLOCK) {
      store_fours(fours_out + 2 * at, out, &samples, &thresholds);
      continue;
    }
    for (int k = 0; k < (sums ? 1 : 3); k++) {
      const size_t share = k == 0 ? 1 : shared;
      store_samples(
          out->first[k] + at / share * (size_t)out->step[k], samples.channel[k],
          thresholds.channel[k], out->step[k], (n + share - 1) / share);
    }
  }
}

void wb_correct_portable(
    const wb_row *in, const wb_row *out, const float *gains, float *sums, size_t count,
    const wb_colors *colors) {
  correct(in, out, gains, sums, count, colors);
}

#if defined(__x86_64__)

AVX2 static void correct_avx2(
    const wb_row *in, const wb_row *out, const float *gains, float *sums, size_t count,
    const wb_colors *colors) {
  correct(in, out, gains, sums, count, colors);
}

#endif

void wb_correct(
    const wb_row *in, const wb_row *out, const float *gains, float *sums, size_t count,
    const wb_colors *colors) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) {
    correct_avx2(in, out, gains, sums, count, colors);
    return;
  }
#endif
  wb_correct_portable(in, out, gains, sums, count, colors);
}

INLINE void store_sums(
    float *sums, size_t count, float share, const wb_row *out, int k, const wb_colors *colors) {
  float thresholds[BLOCK], samples[BLOCK];
  set_thresholds(thresholds, BLOCK, k, out->row / out->shared_rows, colors->dithers);
  for (size_t at = 0; at < count; at += BLOCK) {
    const size_t left = count - at, n = left < BLOCK ? left : BLOCK;
    uint8_t *to = out->first[k] + at * (size_t)out->step[k];
    for (size_t i = 0; i < n; i++) samples[i] = sums[at + i] * share;
    memset(sums + at, 0, n * sizeof *sums);
    store_samples(to, samples, thresholds, out->step[k], n);
  }
}

#if defined(__x86_64__)

AVX2 static void store_sums_avx2(
    float *sums, size_t count, float share, const wb_row *out, int k, const wb_colors *colors) {
  store_sums(sums, count, share, out, k, colors);
}

#endif

void wb_store_sums(
    float *sums, size_t count, float share, const wb_row *out, int k, const wb_colors *colors) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) {
    store_sums_avx2(sums, count, share, out, k, colors);
    return;
  }
#endif
  store_sums(sums, count, share, out, k, colors);
}
