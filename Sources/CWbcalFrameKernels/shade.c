#include "CWbcalFrameKernels.h"
#include "avx2.h"

#include <string.h>

// Every operation is rounded separately, so that results are the same on every processor.
#pragma STDC FP_CONTRACT OFF

enum { BLOCK = 16 };

// Changes samples of a block, of which `gains` and `changes` have the interval's, and adds to those
// that reach white in even and in odd places of the block.
INLINE void shade_block(
    uint8_t *row, const float *shares, const size_t count, const float *gains,
    const float *changes, const wb_code_range *range, uint32_t raised[BLOCK]) {
  const float black = range->black, top = (float)range->white;
  const int32_t white = range->white, mask = range->mask;
  uint16_t codes[BLOCK];
  memcpy(codes, row, 2 * count);
  for (size_t i = 0; i < count; i++) {
    const int32_t old = codes[i] & mask;
    float value = ((float)old - black) * (gains[i] + changes[i] * shares[i]) + black;
    value = value < 0 ? 0 : value;
    value = value > top ? top : value;
    const int32_t new = (int32_t)(value + 0.5f);
    raised[i] += (old < white) & (new >= white);
    codes[i] = old >= white ? codes[i] : (uint16_t)new;
  }
  memcpy(row, codes, 2 * count);
}

INLINE void shade_mosaic(
    uint8_t *row, const wb_mesh_row *mesh, const wb_code_range *range, uint64_t raised[2]) {
  const wb_code_range local = *range;
  for (size_t k = 0; k < mesh->intervals; k++) {
    const size_t start = mesh->starts[k], end = mesh->starts[k + 1];
    const float *channels[2] = {mesh->even + k, mesh->odd + k};
    float gains[BLOCK], changes[BLOCK];
    uint32_t counts[BLOCK] = {0};
    for (size_t i = 0; i < BLOCK; i++) {
      const float *points = channels[(start + i) & 1];
      gains[i] = points[0];
      changes[i] = points[1] - points[0];
    }
    size_t at = start;
    for (; at + BLOCK <= end; at += BLOCK) {
      shade_block(row + 2 * at, mesh->shares + at, BLOCK, gains, changes, &local, counts);
    }
    shade_block(row + 2 * at, mesh->shares + at, end - at, gains, changes, &local, counts);
    for (size_t i = 0; i < BLOCK; i++) raised[(start + i) & 1] += counts[i];
  }
}

void wb_shade_mosaic_portable(
    uint8_t *row, const wb_mesh_row *mesh, const wb_code_range *range, uint64_t raised[2]) {
  shade_mosaic(row, mesh, range, raised);
}

#if defined(__x86_64__)

AVX2 static void shade_mosaic_avx2(
    uint8_t *row, const wb_mesh_row *mesh, const wb_code_range *range, uint64_t raised[2]) {
  shade_mosaic(row, mesh, range, raised);
}

#endif

void wb_shade_mosaic(
    uint8_t *row, const wb_mesh_row *mesh, const wb_code_range *range, uint64_t raised[2]) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) {
    shade_mosaic_avx2(row, mesh, range, raised);
    return;
  }
#endif
  wb_shade_mosaic_portable(row, mesh, range, raised);
}
