#include "avx2.h"
#include "samples.h"

// A word at any address.
typedef uint16_t word __attribute__((aligned(1), may_alias));

// Adds a sum of up to 8 entries of a table.
static inline void add_entries(uint64_t entries, int lane, wb_sums *sums) {
  uint64_t value = (uint64_t)(int64_t)(int32_t)entries;
  sums->sum[lane] += value;
  sums->product[lane] += (entries - value) >> 32;
}

void wb_sum_cells_portable(
    const void *row, const void *next_row, size_t count, const wb_bounds *bounds,
    const uint64_t *table, wb_sums *out) {
  const word *upper = row, *lower = next_row;
  wb_sums sums = *out;
  for (size_t i = 0; i < count; i++) {
    const uint32_t cell[4] = {upper[2 * i], upper[2 * i + 1], lower[2 * i], lower[2 * i + 1]};
    uint64_t use = count_sample(cell, 4, bounds, &sums);
    for (int lane = 0; lane < 4; lane++) {
      if (table) {
        if (use) add_entries(table[cell[lane]], lane, &sums);
        continue;
      }
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

// Looks up eight cells, whose words have two pairs of pixels each.
AVX2 INLINE void add_looked_up(__m256i v0, __m256i v1, const uint64_t *table, wb_sums *sums) {
  uint64_t words[8], entries[4] = {0};
  _mm256_storeu_si256((__m256i *)words, v0);
  _mm256_storeu_si256((__m256i *)(words + 4), v1);
  for (int i = 0; i < 4; i++) {
    uint64_t above = words[i], below = words[i + 4];
    entries[0] += table[above & 0xFFFF] + table[above >> 32 & 0xFFFF];
    entries[1] += table[above >> 16 & 0xFFFF] + table[above >> 48];
    entries[2] += table[below & 0xFFFF] + table[below >> 32 & 0xFFFF];
    entries[3] += table[below >> 16 & 0xFFFF] + table[below >> 48];
  }
  for (int lane = 0; lane < 4; lane++) add_entries(entries[lane], lane, sums);
}

// Sums eight cells at a time, the two pixels of each row in one 32-bit word. If samples may be 2¹⁵
// or more, 2¹⁵ is subtracted from them before they are squared as signed words: x² = (x − 2¹⁵)² +
// 2¹⁶ · x − 2³⁰.
AVX2 INLINE size_t sum_avx2(
    const word *upper, const word *lower, size_t count, const wb_bounds *bounds,
    const uint64_t *table, wb_sums *out) {
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
  // The largest number of squares whose sum fits 32 bits.
  const size_t longest = (size_t)(UINT32_MAX / (largest * largest));
  size_t done = 0;
  uint64_t rejected = 0;
  wb_sums linear = {0};
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
        if (table) {
          // Rejected cells are looked up as code 0; their contribution is subtracted at the end.
          if (_mm256_testz_si256(use, use)) continue;
          rejected += 8 - count_set(use) / 4;
        }
        v0 = _mm256_and_si256(v0, use);
        v1 = _mm256_and_si256(v1, use);
      }
      if (table) {
        add_looked_up(v0, v1, table, &linear);
        continue;
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
      if (table) continue;
      uint64_t sum = total32(sums[lane]), words[4];
      widen(&squares[lane], &wide[lane]);
      _mm256_storeu_si256((__m256i *)words, wide[lane]);
      out->sum[lane] += sum;
      out->product[lane] += words[0] + words[1] + words[2] + words[3];
      if (is_shifted) out->product[lane] += (sum << 16) - (n << 30);
    }
  }
  if (!table) return done;
  wb_sums zeros = {0};
  add_entries(table[0], 0, &zeros);
  for (int lane = 0; lane < 4; lane++) {
    out->sum[lane] += linear.sum[lane] - rejected * zeros.sum[0];
    out->product[lane] += linear.product[lane] - rejected * zeros.product[0];
  }
  return done;
}

// There is one copy of the loop for each case, so that the lack of a table is a constant.
AVX2 static size_t run_avx2(
    const word *upper, const word *lower, size_t count, const wb_bounds *bounds,
    const uint64_t *table, wb_sums *out) {
  return table ? sum_avx2(upper, lower, count, bounds, table, out)
               : sum_avx2(upper, lower, count, bounds, 0, out);
}

#endif

void wb_sum_cells(
    const void *row, const void *next_row, size_t count, const wb_bounds *bounds,
    const uint64_t *table, wb_sums *out) {
  const word *upper = row, *lower = next_row;
  size_t done = 0;
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) done = run_avx2(upper, lower, count, bounds, table, out);
#endif
  wb_sum_cells_portable(upper + 2 * done, lower + 2 * done, count - done, bounds, table, out);
}
