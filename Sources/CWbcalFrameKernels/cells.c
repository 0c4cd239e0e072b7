#include "avx2.h"
#include "samples.h"

// A word at any address.
typedef uint16_t word __attribute__((aligned(1), may_alias));

void wb_sum_cells_portable(
    const void *row, const void *next_row, size_t count, const wb_bounds *bounds, wb_sums *out) {
  const word *upper = row, *lower = next_row;
  wb_sums sums = *out;
  for (size_t i = 0; i < count; i++) {
    const uint32_t cell[4] = {upper[2 * i], upper[2 * i + 1], lower[2 * i], lower[2 * i + 1]};
    uint64_t use = count_sample(cell, 4, bounds, &sums);
    for (int lane = 0; lane < 4; lane++) {
      uint64_t value = use * cell[lane];
      sums.sum[lane] += value;
      sums.product[lane] += value * value;
    }
  }
  *out = sums;
}

#if defined(__x86_64__)

AVX2 INLINE __m256i pair(const uint16_t bounds[4], int first) {
  return _mm256_set1_epi32((int)(bounds[first] | (uint32_t)bounds[first + 1] << 16));
}

// Adds 32-bit words to sums of 64 bits, and sets them to 0.
AVX2 INLINE void widen(__m256i *words, __m256i *sums) {
  const __m256i lower_half = _mm256_set1_epi64x(UINT32_MAX);
  __m256i even = _mm256_and_si256(*words, lower_half), odd = _mm256_srli_epi64(*words, 32);
  *sums = _mm256_add_epi64(*sums, _mm256_add_epi64(even, odd));
  *words = _mm256_setzero_si256();
}

// Eight cells at a time, the two pixels of each row in one 32-bit word. Where samples may be 2¹⁵ or
// more, they are squared with that subtracted, as signed words: x² = (x − 2¹⁵)² + 2¹⁶ · x − 2³⁰.
AVX2 static size_t sum_avx2(
    const word *upper, const word *lower, size_t count, const wb_bounds *bounds, wb_sums *out) {
  const __m256i high0 = pair(bounds->high, 0), high1 = pair(bounds->high, 2);
  const __m256i low0 = pair(bounds->low, 0), low1 = pair(bounds->low, 2);
  const __m256i zero = _mm256_setzero_si256(), lower_half = _mm256_set1_epi32(0xFFFF);
  uint64_t largest = 1;
  for (int lane = 0; lane < 4; lane++) {
    if (bounds->high[lane] > largest) largest = bounds->high[lane];
  }
  const int is_shifted = largest >= 0x8000;
  const __m256i shift = _mm256_set1_epi32(is_shifted ? 0x8000 : 0);
  if (is_shifted) largest = 0x8000;
  // 32 bits hold the sum of so many squares.
  const size_t longest = (size_t)(UINT32_MAX / (largest * largest));
  size_t done = 0;
  while (done + 8 <= count) {
    size_t groups = (count - done) / 8, added = 0;
    if (groups > 4096) groups = 4096;
    __m256i wide[4] = {zero, zero, zero, zero};
    __m256i used = zero, not_above = zero, fine[4] = {zero, zero, zero, zero};
    __m256i sums[4] = {zero, zero, zero, zero}, squares[4] = {zero, zero, zero, zero};
    size_t whole = 0;
    for (size_t i = 0; i < groups; i++, done += 8) {
      __m256i v0 = _mm256_loadu_si256((const __m256i *)(upper + 2 * done));
      __m256i v1 = _mm256_loadu_si256((const __m256i *)(lower + 2 * done));
      __m256i above0 = _mm256_subs_epu16(v0, high0), above1 = _mm256_subs_epu16(v1, high1);
      __m256i above = _mm256_or_si256(above0, above1);
      __m256i below = _mm256_or_si256(_mm256_subs_epu16(low0, v0), _mm256_subs_epu16(low1, v1));
      __m256i outside = _mm256_or_si256(above, below);
      if (_mm256_testz_si256(outside, outside)) {
        whole += 8;
      } else {
        __m256i use = _mm256_cmpeq_epi32(outside, zero);
        used = _mm256_sub_epi32(used, use);
        not_above = _mm256_sub_epi32(not_above, _mm256_cmpeq_epi32(above, zero));
        __m256i fine0 = _mm256_cmpeq_epi16(above0, zero), fine1 = _mm256_cmpeq_epi16(above1, zero);
        fine[0] = _mm256_add_epi32(fine[0], _mm256_srli_epi32(_mm256_slli_epi32(fine0, 16), 31));
        fine[1] = _mm256_add_epi32(fine[1], _mm256_srli_epi32(fine0, 31));
        fine[2] = _mm256_add_epi32(fine[2], _mm256_srli_epi32(_mm256_slli_epi32(fine1, 16), 31));
        fine[3] = _mm256_add_epi32(fine[3], _mm256_srli_epi32(fine1, 31));
        v0 = _mm256_and_si256(v0, use);
        v1 = _mm256_and_si256(v1, use);
      }
      __m256i samples[4] = {
          _mm256_and_si256(v0, lower_half), _mm256_srli_epi32(v0, 16),
          _mm256_and_si256(v1, lower_half), _mm256_srli_epi32(v1, 16)};
      for (int lane = 0; lane < 4; lane++) {
        sums[lane] = _mm256_add_epi32(sums[lane], samples[lane]);
        __m256i word = _mm256_xor_si256(samples[lane], shift);
        squares[lane] = _mm256_add_epi32(squares[lane], _mm256_madd_epi16(word, word));
      }
      if (++added == longest) {
        for (int lane = 0; lane < 4; lane++) widen(&squares[lane], &wide[lane]);
        added = 0;
      }
    }
    uint64_t n = 8 * groups, kept = whole + total32(used);
    uint64_t bright = whole + total32(not_above);
    out->used += kept;
    out->above += n - bright;
    out->below += bright - kept;
    for (int lane = 0; lane < 4; lane++) {
      out->lane_above[lane] += n - whole - total32(fine[lane]);
      uint64_t sum = total32(sums[lane]), words[4];
      widen(&squares[lane], &wide[lane]);
      _mm256_storeu_si256((__m256i *)words, wide[lane]);
      out->sum[lane] += sum;
      out->product[lane] += words[0] + words[1] + words[2] + words[3];
      if (is_shifted) out->product[lane] += (sum << 16) - (n << 30);
    }
  }
  return done;
}

#endif

void wb_sum_cells(
    const void *row, const void *next_row, size_t count, const wb_bounds *bounds, wb_sums *out) {
  const word *upper = row, *lower = next_row;
  size_t done = 0;
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) done = sum_avx2(upper, lower, count, bounds, out);
#endif
  wb_sum_cells_portable(upper + 2 * done, lower + 2 * done, count - done, bounds, out);
}
