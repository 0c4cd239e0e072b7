#include "CWbcalFrameKernels.h"
#include "avx2.h"

void wb_apply_rgb8_portable(
    const uint8_t *pixels, uint8_t *output, size_t count, int step, const wb_gains *gains,
    uint64_t clipped[4]) {
  const wb_gains g = *gains;
  const uint32_t half = 1u << (g.shift - 1);
  uint64_t counts[4] = {0};
  for (size_t i = 0; i < count; i++, pixels += step, output += step) {
    uint32_t any = 0;
    for (int lane = 0; lane < 3; lane++) {
      uint32_t code = pixels[lane], result = (code * g.factor[lane] + half) >> g.shift;
      uint32_t is_raised = code < g.white && result >= g.white;
      counts[lane] += is_raised;
      any |= is_raised;
      output[lane] = (uint8_t)(code >= g.white ? code : result >= g.white ? g.white : result);
    }
    if (step == 4) output[3] = pixels[3];
    counts[3] += any;
  }
  for (int lane = 0; lane < 4; lane++) clipped[lane] += counts[lane];
}

#if defined(__x86_64__)

// A step processes 96 bytes, which are 32 or 24 whole pixels. If a sample of them is white before
// or after, those that were white are restored. If one becomes white, the portable form does the
// step and counts.
AVX2 INLINE size_t apply_avx2(
    const uint8_t *pixels, uint8_t *output, size_t count, const int step, const wb_gains *gains,
    uint64_t clipped[4]) {
  __m256i factors[3][2], kept[3];
  for (int k = 0; k < 3; k++) {
    uint16_t factor[2][16];
    uint8_t keep[32];
    for (int i = 0; i < 32; i++) {
      int lane = (32 * k + i) % step;
      // Unpacking takes the lower and the upper half of each 16 bytes.
      factor[i / 8 % 2][i / 16 * 8 + i % 8] = lane < 3 ? gains->factor[lane] : 0;
      keep[i] = lane < 3 ? 0 : 0xFF;
    }
    factors[k][0] = _mm256_loadu_si256((const __m256i *)factor[0]);
    factors[k][1] = _mm256_loadu_si256((const __m256i *)factor[1]);
    kept[k] = _mm256_loadu_si256((const __m256i *)keep);
  }
  const __m256i zero = _mm256_setzero_si256(), white = _mm256_set1_epi8((char)gains->white);
  const __m256i before_white = _mm256_set1_epi8((char)(gains->white - 1));
  const __m128i places = _mm_cvtsi32_si128(17 - gains->shift);
  const size_t group = step == 3 ? 32 : 24;
  size_t done = 0;
  for (; done + group <= count; done += group) {
    const uint8_t *from = pixels + done * (size_t)step;
    uint8_t *to = output + done * (size_t)step;
    for (int line = 0; line < 2; line++) {
      _mm_prefetch((const char *)from + 4096 + 64 * line, _MM_HINT_T0);
    }
    __m256i codes[3], result[3], most = zero;
    for (int k = 0; k < 3; k++) {
      codes[k] = _mm256_loadu_si256((const __m256i *)(from + 32 * k));
      // All of the product's lowest bits except one are dropped; the mean with 0 rounds that one
      // away.
      __m256i low = _mm256_sll_epi16(_mm256_unpacklo_epi8(codes[k], zero), places);
      __m256i high = _mm256_sll_epi16(_mm256_unpackhi_epi8(codes[k], zero), places);
      low = _mm256_avg_epu16(_mm256_mulhi_epu16(low, factors[k][0]), zero);
      high = _mm256_avg_epu16(_mm256_mulhi_epu16(high, factors[k][1]), zero);
      result[k] = _mm256_packus_epi16(low, high);
      if (step == 4) result[k] = _mm256_or_si256(result[k], _mm256_and_si256(codes[k], kept[k]));
      __m256i larger = _mm256_max_epu8(result[k], codes[k]);
      most = _mm256_max_epu8(most, step == 4 ? _mm256_andnot_si256(kept[k], larger) : larger);
    }
    if (!_mm256_testz_si256(_mm256_subs_epu8(most, before_white), _mm256_set1_epi8(-1))) {
      __m256i raised = zero;
      for (int k = 0; k < 3; k++) {
        __m256i stays = _mm256_or_si256(
            _mm256_cmpeq_epi8(_mm256_max_epu8(codes[k], white), codes[k]), kept[k]);
        result[k] = _mm256_min_epu8(result[k], white);
        raised = _mm256_or_si256(
            raised, _mm256_andnot_si256(stays, _mm256_subs_epu8(result[k], before_white)));
        result[k] = _mm256_blendv_epi8(result[k], codes[k], stays);
      }
      if (!_mm256_testz_si256(raised, raised)) {
        wb_apply_rgb8_portable(from, to, group, step, gains, clipped);
        continue;
      }
    }
    for (int k = 0; k < 3; k++) _mm256_storeu_si256((__m256i *)(to + 32 * k), result[k]);
  }
  return done;
}

AVX2 static size_t run_avx2(
    const uint8_t *pixels, uint8_t *output, size_t count, int step, const wb_gains *gains,
    uint64_t clipped[4]) {
  return step == 3 ? apply_avx2(pixels, output, count, 3, gains, clipped)
                   : apply_avx2(pixels, output, count, 4, gains, clipped);
}

#endif

void wb_apply_rgb8(
    const uint8_t *pixels, uint8_t *output, size_t count, int step, const wb_gains *gains,
    uint64_t clipped[4]) {
  size_t done = 0;
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) done = run_avx2(pixels, output, count, step, gains, clipped);
#endif
  size_t offset = done * (size_t)step;
  wb_apply_rgb8_portable(pixels + offset, output + offset, count - done, step, gains, clipped);
}
