#include "avx2.h"
#include "samples.h"

void wb_sum_rgb8_portable(
    const uint8_t *pixels, size_t count, int step, const wb_bounds *bounds, const uint64_t *table,
    wb_sums *out) {
  wb_sums sums = *out;
  for (size_t i = 0; i < count; i++, pixels += step) {
    const uint32_t codes[3] = {pixels[0], pixels[1], pixels[2]};
    uint32_t use = count_sample(codes, 3, bounds, &sums);
    for (int lane = 0; use && lane < 3; lane++) {
      uint32_t code = codes[lane];
      sums.sum[lane] += table ? (uint32_t)table[code] : code;
      sums.product[lane] += table ? table[code] >> 32 : code * code;
    }
  }
  *out = sums;
}

#if defined(__x86_64__)

#define AVX512 __attribute__((target("avx512f,avx512bw,avx512vnni,popcnt")))

// Returns the bounds of three lanes as the bytes of a pixel, with a fourth byte.
INLINE int bytes(const uint16_t bounds[4], uint32_t fourth) {
  return (int)(bounds[0] | (uint32_t)bounds[1] << 8 | (uint32_t)bounds[2] << 16 | fourth << 24);
}

// Returns the sum of the two 32-bit words of one lane of four.
AVX2 INLINE uint64_t lane_sum(__m256i v, int lane) {
  uint32_t words[8];
  _mm256_storeu_si256((__m256i *)words, v);
  return (uint64_t)words[lane] + words[lane + 4];
}

// Loads eight pixels as four bytes each; the fourth byte of three-byte pixels is 0.
AVX2 INLINE __m256i load(const uint8_t *pixels, int step) {
  if (step == 4) return _mm256_loadu_si256((const __m256i *)pixels);
  const __m256i widen = _mm256_broadcastsi128_si256(
      _mm_setr_epi8(0, 1, 2, -1, 3, 4, 5, -1, 6, 7, 8, -1, 9, 10, 11, -1));
  __m256i both = _mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)pixels));
  return _mm256_shuffle_epi8(
      _mm256_inserti128_si256(both, _mm_loadu_si128((const __m128i *)(pixels + 12)), 1), widen);
}

// Looks up 32 pixels of four bytes. An entry is a linear value and its square in one word; 16 of
// them are added before the lower half could carry into the upper one.
AVX2 INLINE void add_looked_up(
    const __m256i v[4], const uint64_t *table, uint64_t sum[3], uint64_t squares[3]) {
  uint64_t pairs[16];
  for (int k = 0; k < 4; k++) _mm256_storeu_si256((__m256i *)(pairs + 4 * k), v[k]);
  for (int half = 0; half < 16; half += 8) {
    uint64_t a = 0, b = 0, c = 0;
    for (int i = half; i < half + 8; i++) {
      uint64_t pair = pairs[i];
      a += table[pair & 0xFF] + table[pair >> 32 & 0xFF];
      b += table[pair >> 8 & 0xFF] + table[pair >> 40 & 0xFF];
      c += table[pair >> 16 & 0xFF] + table[pair >> 48 & 0xFF];
    }
    sum[0] += (uint32_t)a, squares[0] += a >> 32;
    sum[1] += (uint32_t)b, squares[1] += b >> 32;
    sum[2] += (uint32_t)c, squares[2] += c >> 32;
  }
}

// For the sums, the samples of a lane are placed side by side, 4 bytes of each of 4 lanes. Let d =
// |s − 127|. A used sample is at most 254, so that d ≤ 127 and two d² fit 16 bits. Then Σs² = Σd² +
// 254 Σs − 127² n. Rejected pixels are set to 0 and count in n.
AVX2 INLINE size_t sum_avx2(
    const uint8_t *pixels, size_t count, const int step, const wb_bounds *bounds,
    const uint64_t *table, wb_sums *out) {
  const __m256i highs = _mm256_set1_epi32(bytes(bounds->high, 0xFF));
  const __m256i lows = _mm256_set1_epi32(bytes(bounds->low, 0));
  const __m256i zero = _mm256_setzero_si256(), ones = _mm256_set1_epi16(1);
  const __m256i byte_ones = _mm256_set1_epi8(1), center = _mm256_set1_epi8(127);
  const __m256i by_lane = _mm256_broadcastsi128_si256(
      _mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15));
  // A load of three-byte pixels reads 4 bytes beyond them.
  const size_t spare = step == 3 ? 2 : 0;
  size_t done = 0;
  uint64_t rejected = 0, linear[3] = {0}, square[3] = {0};
  while (done + 32 + spare <= count) {
    // 16 bits hold the sums of 128 pairs of bytes, 32 bits those of 66 000 squares.
    size_t groups = (count - spare - done) / 32;
    if (groups > 32) groups = 32;
    __m256i used = zero, not_above = zero, fine = zero, sums = zero, squares = zero;
    size_t whole = 0;
    for (size_t i = 0; i < groups; i++, done += 32) {
      __m256i v[4];
      for (int line = 0; line < 2; line++) {
        _mm_prefetch((const char *)pixels + (size_t)step * done + 4096 + 64 * line, _MM_HINT_T0);
      }
      for (int k = 0; k < 4; k++) v[k] = load(pixels + (size_t)step * (done + 8 * (size_t)k), step);
      __m256i most = _mm256_max_epu8(_mm256_max_epu8(v[0], v[1]), _mm256_max_epu8(v[2], v[3]));
      __m256i least = _mm256_min_epu8(_mm256_min_epu8(v[0], v[1]), _mm256_min_epu8(v[2], v[3]));
      __m256i outside =
          _mm256_or_si256(_mm256_subs_epu8(most, highs), _mm256_subs_epu8(lows, least));
      if (_mm256_testz_si256(outside, outside)) {
        whole++;
      } else {
        __m256i any = zero;
        int kept_here = 0;
        for (int k = 0; k < 4; k++) {
          __m256i above = _mm256_subs_epu8(v[k], highs), below = _mm256_subs_epu8(lows, v[k]);
          __m256i use = _mm256_cmpeq_epi32(_mm256_or_si256(above, below), zero);
          fine = _mm256_sub_epi8(fine, _mm256_cmpeq_epi8(above, zero));
          not_above = _mm256_sub_epi32(not_above, _mm256_cmpeq_epi32(above, zero));
          used = _mm256_sub_epi32(used, use);
          any = _mm256_or_si256(any, use);
          kept_here += (int)count_set(use);
          v[k] = _mm256_and_si256(v[k], use);
        }
        if (table) {
          // Rejected pixels are looked up as code 0; their contribution is subtracted at the end.
          if (_mm256_testz_si256(any, any)) continue;
          rejected += (uint64_t)(32 - kept_here / 4);
        }
      }
      if (table) {
        add_looked_up(v, table, linear, square);
        continue;
      }
      for (int k = 0; k < 4; k++) {
        __m256i w = _mm256_shuffle_epi8(v[k], by_lane);
        __m256i d = _mm256_abs_epi8(_mm256_sub_epi8(w, center));
        sums = _mm256_add_epi16(sums, _mm256_maddubs_epi16(w, byte_ones));
        squares = _mm256_add_epi32(squares, _mm256_madd_epi16(_mm256_maddubs_epi16(d, d), ones));
      }
    }
    uint64_t n = 32 * groups, kept = 32 * whole, bright = 32 * whole;
    uint8_t fine_bytes[32];
    _mm256_storeu_si256((__m256i *)fine_bytes, fine);
    for (int i = 0; i < 4; i++) {
      kept += lane_sum(used, i);
      bright += lane_sum(not_above, i);
    }
    out->used += kept;
    out->above += n - bright;
    out->below += bright - kept;
    sums = _mm256_add_epi32(
        _mm256_srli_epi32(sums, 16), _mm256_and_si256(sums, _mm256_set1_epi32(0xFFFF)));
    for (int lane = 0; lane < 3; lane++) {
      if (!table) {
        uint64_t sum = lane_sum(sums, lane);
        out->sum[lane] += sum;
        out->product[lane] += lane_sum(squares, lane) + 254 * sum - 127 * 127 * n;
      }
      out->lane_above[lane] += n - 32 * whole;
      for (int i = lane; i < 32; i += 4) out->lane_above[lane] -= fine_bytes[i];
    }
  }
  for (int lane = 0; table && lane < 3; lane++) {
    out->sum[lane] += linear[lane] - rejected * (uint32_t)table[0];
    out->product[lane] += square[lane] - rejected * (table[0] >> 32);
  }
  return done;
}

// There is one copy of the loop for each case, so that `step` and the lack of a table are
// constants.
AVX2 static size_t run_avx2(
    const uint8_t *pixels, size_t count, int step, const wb_bounds *bounds, const uint64_t *table,
    wb_sums *out) {
  if (table) {
    return step == 3 ? sum_avx2(pixels, count, 3, bounds, table, out)
                     : sum_avx2(pixels, count, 4, bounds, table, out);
  }
  return step == 3 ? sum_avx2(pixels, count, 3, bounds, 0, out)
                   : sum_avx2(pixels, count, 4, bounds, 0, out);
}

// Like the form for AVX2, with Σs² = Σs (s − 128) + 128 Σs, for which there is an instruction.
AVX512 static size_t sum_avx512(
    const uint8_t *pixels, size_t count, const wb_bounds *bounds, wb_sums *out) {
  const __m512i highs = _mm512_set1_epi32(bytes(bounds->high, 0xFF));
  const __m512i lows = _mm512_set1_epi32(bytes(bounds->low, 0));
  const __m512i ones = _mm512_set1_epi8(1), signs = _mm512_set1_epi8(-128);
  const __m512i by_lane = _mm512_broadcast_i32x4(
      _mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15));
  size_t done = 0, all_above = 0;
  while (done + 64 <= count) {
    // 32 bits hold 16 500 sums of four products.
    size_t groups = (count - done) / 64;
    if (groups > 4000) groups = 4000;
    __m512i sums = _mm512_setzero_si512(), products = sums;
    for (size_t i = 0; i < groups; i++, done += 64) {
      const uint8_t *from = pixels + 4 * done;
      __m512i v[4];
      for (int k = 0; k < 4; k++) v[k] = _mm512_loadu_si512(from + 64 * k);
      __m512i most = _mm512_max_epu8(_mm512_max_epu8(v[0], v[1]), _mm512_max_epu8(v[2], v[3]));
      __m512i least = _mm512_min_epu8(_mm512_min_epu8(v[0], v[1]), _mm512_min_epu8(v[2], v[3]));
      // Highlights are contiguous, so whole groups of them are skipped.
      if (_mm512_cmpgt_epu8_mask(least, highs) == 0x7777777777777777) {
        all_above += 64;
        continue;
      }
      out->used += 64;
      if (_mm512_cmpgt_epu8_mask(most, highs) | _mm512_cmplt_epu8_mask(least, lows)) {
        for (int k = 0; k < 4; k++) {
          __m512i excess = _mm512_subs_epu8(v[k], highs), lack = _mm512_subs_epu8(lows, v[k]);
          uint32_t above = _mm512_test_epi32_mask(excess, excess);
          uint32_t below = _mm512_test_epi32_mask(lack, lack) & ~above;
          uint64_t lanes = _mm512_test_epi8_mask(excess, excess);
          out->above += (uint64_t)__builtin_popcount(above);
          out->below += (uint64_t)__builtin_popcount(below);
          out->used -= (uint64_t)__builtin_popcount(above | below);
          for (int lane = 0; lane < 3; lane++) {
            uint64_t those = 0x1111111111111111 << lane;
            out->lane_above[lane] += (uint64_t)__builtin_popcountll(lanes & those);
          }
          v[k] = _mm512_maskz_mov_epi32((__mmask16)~(above | below), v[k]);
        }
      }
      for (int k = 0; k < 4; k++) {
        __m512i w = _mm512_shuffle_epi8(v[k], by_lane);
        sums = _mm512_dpbusd_epi32(sums, w, ones);
        products = _mm512_dpbusd_epi32(products, w, _mm512_xor_si512(w, signs));
      }
    }
    int32_t sum[16], product[16];
    _mm512_storeu_si512(sum, sums);
    _mm512_storeu_si512(product, products);
    for (int i = 0; i < 16; i++) {
      int lane = i % 4;
      if (lane == 3) continue;
      out->sum[lane] += (uint64_t)sum[i];
      out->product[lane] += (uint64_t)(product[i] + 128 * (int64_t)sum[i]);
    }
  }
  out->above += all_above;
  for (int lane = 0; lane < 3; lane++) out->lane_above[lane] += all_above;
  return done;
}

#endif

void wb_sum_rgb8_narrow(
    const uint8_t *pixels, size_t count, int step, const wb_bounds *bounds, const uint64_t *table,
    wb_sums *out) {
  size_t done = 0;
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) done = run_avx2(pixels, count, step, bounds, table, out);
#endif
  wb_sum_rgb8_portable(pixels + done * (size_t)step, count - done, step, bounds, table, out);
}

void wb_sum_rgb8(
    const uint8_t *pixels, size_t count, int step, const wb_bounds *bounds, const uint64_t *table,
    wb_sums *out) {
  size_t done = 0;
#if defined(__x86_64__)
  if (step == 4 && !table && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512vnni")) {
    done = sum_avx512(pixels, count, bounds, out);
  }
#endif
  wb_sum_rgb8_narrow(pixels + done * (size_t)step, count - done, step, bounds, table, out);
}
