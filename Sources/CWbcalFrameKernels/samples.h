// Helpers of the portable loops over whole codes.

#ifndef SAMPLES_H
#define SAMPLES_H

#include "CWbcalFrameKernels.h"

// Counts a sample of 3 or 4 codes, and returns 1 if it is used, or else 0.
static inline uint32_t count_sample(
    const uint32_t *codes, int lanes, const wb_bounds *bounds, wb_sums *sums) {
  uint32_t above = 0, below = 0;
  for (int lane = 0; lane < lanes; lane++) {
    uint32_t is_above = codes[lane] > bounds->high[lane];
    sums->lane_above[lane] += is_above;
    above |= is_above;
    below |= codes[lane] < bounds->low[lane];
  }
  uint32_t use = !(above | below);
  sums->above += above;
  sums->below += below & !above;
  sums->used += use;
  return use;
}

#endif
