// Helpers of the loops over luma and chroma.

#ifndef YUV_H
#define YUV_H

#include "CWbcalFrameKernels.h"
#include "avx2.h"

// Returns a product of `wb_yuv`, in units of 1/32 code.
static inline int rounded(int a, int b) { return (a * b + 0x4000) >> 15; }

// Counts a pixel, with luma above its offset and chroma above 128, and returns 1 if it is used, or
// else 0.
static inline uint64_t count_pixel(int y, int u, int v, const wb_yuv *f, wb_sums *sums) {
  int level = rounded(y * 128, f->luma);
  uint64_t above = 0, below = 0;
  for (int lane = 0; lane < 3; lane++) {
    int value = level + rounded(u * 128, f->u[lane]) + rounded(v * 128, f->v[lane]);
    uint64_t is_above = value > f->high[lane];
    sums->lane_above[lane] += is_above;
    above |= is_above;
    below |= value < f->low[lane];
  }
  uint64_t use = !(above | below);
  sums->above += above;
  sums->below += below & ~above;
  sums->used += use;
  return use;
}

#if defined(__x86_64__)

// Loads the luma of 32 pixels into `y` and their 16 pairs of chroma into `c`, in the same order.
AVX2 INLINE void load(
    const uint8_t *luma, const uint8_t *chroma, const int layout, __m256i *y, __m256i *c) {
  if (layout == 0) {
    *y = _mm256_loadu_si256((const __m256i *)luma);
    *c = _mm256_loadu_si256((const __m256i *)chroma);
    return;
  }
  const uint8_t *bytes = layout == 1 ? luma : chroma;
  __m256i a = _mm256_loadu_si256((const __m256i *)bytes);
  __m256i b = _mm256_loadu_si256((const __m256i *)(bytes + 32));
  const __m256i low = _mm256_set1_epi16(0xFF);
  __m256i even = _mm256_packus_epi16(_mm256_and_si256(a, low), _mm256_and_si256(b, low));
  __m256i odd = _mm256_packus_epi16(_mm256_srli_epi16(a, 8), _mm256_srli_epi16(b, 8));
  *y = layout == 1 ? even : odd;
  *c = layout == 1 ? odd : even;
}

// Returns `rounded` of 16 words: (value − offset) · 128 · factor.
AVX2 INLINE __m256i scaled(__m256i value, int offset, int factor) {
  value = _mm256_slli_epi16(_mm256_sub_epi16(value, _mm256_set1_epi16((short)offset)), 7);
  return _mm256_mulhrs_epi16(value, _mm256_set1_epi16((short)factor));
}

// Returns a byte for each pixel, from words for the even and the odd ones.
AVX2 INLINE __m256i pixels(__m256i even, __m256i odd) {
  return _mm256_blendv_epi8(odd, even, _mm256_set1_epi16(0xFF));
}

// Returns a mask of those of 32 pixels that are used; all are counted.
AVX2 INLINE __m256i accept(__m256i y, __m256i c, const wb_yuv *f, wb_sums *counts) {
  const __m256i low = _mm256_set1_epi16(0xFF), all = _mm256_set1_epi8(-1);
  const __m256i u = _mm256_and_si256(c, low), v = _mm256_srli_epi16(c, 8);
  const __m256i even = scaled(_mm256_and_si256(y, low), f->offset, f->luma);
  const __m256i odd = scaled(_mm256_srli_epi16(y, 8), f->offset, f->luma);
  __m256i any = _mm256_setzero_si256(), below = any;
  for (int lane = 0; lane < 3; lane++) {
    __m256i t = _mm256_add_epi16(scaled(u, 128, f->u[lane]), scaled(v, 128, f->v[lane]));
    __m256i a = _mm256_add_epi16(even, t), b = _mm256_add_epi16(odd, t);
    __m256i most = _mm256_set1_epi16(f->high[lane]), least = _mm256_set1_epi16(f->low[lane]);
    __m256i above = pixels(_mm256_cmpgt_epi16(a, most), _mm256_cmpgt_epi16(b, most));
    counts->lane_above[lane] += count_set(above);
    any = _mm256_or_si256(any, above);
    below = _mm256_or_si256(
        below, pixels(_mm256_cmpgt_epi16(least, a), _mm256_cmpgt_epi16(least, b)));
  }
  __m256i use = _mm256_andnot_si256(_mm256_or_si256(any, below), all);
  counts->above += count_set(any);
  counts->below += count_set(_mm256_andnot_si256(any, below));
  counts->used += count_set(use);
  return use;
}

// Returns 1 if all of 128 pixels are certainly used. Every step of the conversion is monotonic, so
// they are if the extremes of luma and chroma convert to colors within the bounds.
AVX2 INLINE int are_within(const __m256i y[4], const __m256i c[4], const wb_yuv *f) {
  const __m256i low = _mm256_set1_epi16(0xFF);
  __m256i most = _mm256_max_epu8(_mm256_max_epu8(y[0], y[1]), _mm256_max_epu8(y[2], y[3]));
  __m256i least = _mm256_min_epu8(_mm256_min_epu8(y[0], y[1]), _mm256_min_epu8(y[2], y[3]));
  __m256i most_c = _mm256_max_epu8(_mm256_max_epu8(c[0], c[1]), _mm256_max_epu8(c[2], c[3]));
  __m256i least_c = _mm256_min_epu8(_mm256_min_epu8(c[0], c[1]), _mm256_min_epu8(c[2], c[3]));
  most = _mm256_max_epu8(_mm256_and_si256(most, low), _mm256_srli_epi16(most, 8));
  least = _mm256_min_epu8(_mm256_and_si256(least, low), _mm256_srli_epi16(least, 8));
  __m256i y1 = scaled(most, f->offset, f->luma);
  __m256i y0 = scaled(least, f->offset, f->luma);
  __m256i u1 = _mm256_and_si256(most_c, low), u0 = _mm256_and_si256(least_c, low);
  __m256i v1 = _mm256_srli_epi16(most_c, 8), v0 = _mm256_srli_epi16(least_c, 8);
  __m256i outside = _mm256_setzero_si256();
  for (int lane = 0; lane < 3; lane++) {
    __m256i a = scaled(u0, 128, f->u[lane]), b = scaled(u1, 128, f->u[lane]);
    __m256i d = scaled(v0, 128, f->v[lane]), e = scaled(v1, 128, f->v[lane]);
    __m256i top = _mm256_add_epi16(
        y1, _mm256_add_epi16(_mm256_max_epi16(a, b), _mm256_max_epi16(d, e)));
    __m256i bottom = _mm256_add_epi16(
        y0, _mm256_add_epi16(_mm256_min_epi16(a, b), _mm256_min_epi16(d, e)));
    outside = _mm256_or_si256(
        outside, _mm256_cmpgt_epi16(top, _mm256_set1_epi16(f->high[lane])));
    outside = _mm256_or_si256(
        outside, _mm256_cmpgt_epi16(_mm256_set1_epi16(f->low[lane]), bottom));
  }
  return _mm256_testz_si256(outside, outside);
}

#endif

#endif
