// Sums of the linear values of gamma-coded luma and chroma, looked up for each pixel.

#include "yuv.h"

// The counts, and for each channel, for linear values and for their squares, the sums of the
// table's values at the places and of its differences times the fractions of the places.
typedef struct {
  wb_sums counts;
  int64_t values[3][2], differences[3][2];
} totals;

static void add_each(
    const uint8_t *luma, int luma_step, const uint8_t *chroma, int chroma_step, size_t count,
    const wb_yuv *format, const wb_yuv_table *table, totals *out) {
  const wb_yuv f = *format;
  const wb_yuv_table l = *table;
  totals t = *out;
  for (size_t i = 0; i < count; i++) {
    const uint8_t *pair = chroma + i / 2 * 2 * (size_t)chroma_step;
    int y = luma[i * (size_t)luma_step] - f.offset, u = pair[0] - 128, v = pair[chroma_step] - 128;
    uint64_t use = count_pixel(y, u, v, &f, &t.counts);
    for (int lane = 0; lane < 3; lane++) {
      uint32_t place = ((uint32_t)(y + 256) << 22) + (uint32_t)(u * l.u[lane] + v * l.v[lane]);
      int64_t rest = place & 0x7FFFF;
      for (int k = 0; use && k < 2; k++) {
        uint64_t entry = l.entries[2 * (place >> 19) + (uint32_t)k];
        int64_t difference = (int32_t)entry;
        t.values[lane][k] += (int64_t)((entry - (uint64_t)difference) >> 32);
        t.differences[lane][k] += difference * rest;
      }
    }
  }
  *out = t;
}

// Converts from units of 2⁻²⁶, and of 2⁻²⁶ · 2⁻¹⁹, to 2⁻³².
static void finish(const totals *t, wb_sums *out) {
  out->used += t->counts.used;
  out->above += t->counts.above;
  out->below += t->counts.below;
  for (int lane = 0; lane < 3; lane++) {
    out->lane_above[lane] += t->counts.lane_above[lane];
    int64_t sum = t->values[lane][0] * 64 + (t->differences[lane][0] >> 13);
    int64_t squares = t->values[lane][1] * 64 + (t->differences[lane][1] >> 13);
    // The table's values are 2 too large, so that none is negative.
    out->sum[lane] += (uint64_t)sum - (t->counts.used << 33);
    out->product[lane] += (uint64_t)squares;
  }
}

void wb_sum_yuv_linear_portable(
    const uint8_t *luma, int luma_step, const uint8_t *chroma, int chroma_step, size_t count,
    const wb_yuv *format, const wb_yuv_table *table, wb_sums *out) {
  totals t = {0};
  add_each(luma, luma_step, chroma, chroma_step, count, format, table, &t);
  finish(&t, out);
}

#if defined(__x86_64__)

AVX2 INLINE uint64_t load64(const void *from) {
  uint64_t word;
  __builtin_memcpy(&word, from, sizeof word);
  return word;
}

AVX2 INLINE __m256i load_both(const char *first, const char *second) {
  return _mm256_inserti128_si256(
      _mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)first)),
      _mm_loadu_si128((const __m128i *)second), 1);
}

AVX2 INLINE __m256i set_both(uint8_t first, uint8_t second) {
  return _mm256_setr_m128i(_mm_set1_epi8((char)first), _mm_set1_epi8((char)second));
}

// The sums of `totals` as vectors of 4 numbers: the first and the third are of linear values, the
// others of squares.
typedef struct {
  __m256i values[3], differences[3];
} vectors;

// Looks up 32 pixels, two pairs at a time, in which chroma moves both places by the same amount.
// With `all`, `use` is ignored.
AVX2 INLINE void look_up(
    __m256i y, __m256i c, __m256i use, const int all, const wb_yuv *f, const wb_yuv_table *l,
    vectors *t) {
  const __m256i zero = _mm256_setzero_si256();
  uint8_t uses[32];
  // The unit of places is bytes: an eighth of a code has 16. `rests` are their fractions. Loads
  // from vectors that are stored across cache lines would be slow.
  _Alignas(32) uint16_t lumas[32];
  _Alignas(32) uint32_t places[3][16], rests[3][16];
  if (!all) _mm256_storeu_si256((__m256i *)uses, use);
  __m256i left = _mm256_cvtepu8_epi16(_mm256_castsi256_si128(y));
  __m256i right = _mm256_cvtepu8_epi16(_mm256_extracti128_si256(y, 1));
  _mm256_storeu_si256((__m256i *)lumas, _mm256_slli_epi16(left, 7));
  _mm256_storeu_si256((__m256i *)(lumas + 16), _mm256_slli_epi16(right, 7));
  for (int half = 0; half < 2; half++) {
    __m128i chroma = half ? _mm256_extracti128_si256(c, 1) : _mm256_castsi256_si128(c);
    __m256i uv = _mm256_sub_epi16(_mm256_cvtepu8_epi16(chroma), _mm256_set1_epi16(128));
    for (int lane = 0; lane < 3; lane++) {
      // The factors have more than 16 bits and are multiplied in two parts.
      int32_t u = l->u[lane], v = l->v[lane];
      __m256i high = _mm256_set1_epi32((u >> 12 & 0xFFFF) | (int)((uint32_t)(v >> 12) << 16));
      __m256i low = _mm256_set1_epi32((u & 0xFFF) | (v & 0xFFF) << 16);
      __m256i place = _mm256_add_epi32(
          _mm256_slli_epi32(_mm256_madd_epi16(uv, high), 12), _mm256_madd_epi16(uv, low));
      place = _mm256_add_epi32(place, _mm256_set1_epi32((256 - f->offset) * (1 << 22)));
      _mm256_storeu_si256(
          (__m256i *)(places[lane] + 8 * half),
          _mm256_slli_epi32(_mm256_srli_epi32(place, 19), 4));
      _mm256_storeu_si256(
          (__m256i *)(rests[lane] + 8 * half),
          _mm256_and_si256(place, _mm256_set1_epi32(0x7FFFF)));
    }
  }
  const char *entries = (const char *)l->entries;
  __m256i sums[3] = {zero, zero, zero};
  for (int i = 0; i < 16; i += 2) {
    // Loads limit the speed of this loop, so each of 64 bits loads several numbers.
    uint64_t four = load64(lumas + 2 * i);
    const char *at[4] = {
        entries + (four & 0xFFFF), entries + (four >> 16 & 0xFFFF), entries + (four >> 32 & 0xFFFF),
        entries + (four >> 48)};
    for (int lane = 0; lane < 3; lane++) {
      uint64_t two = load64(places[lane] + i), rest = load64(rests[lane] + i);
      size_t first = (uint32_t)two, second = two >> 32;
      __m256i even = load_both(at[0] + first, at[2] + second);
      __m256i odd = load_both(at[1] + first, at[3] + second);
      if (!all) {
        even = _mm256_and_si256(even, set_both(uses[2 * i], uses[2 * i + 2]));
        odd = _mm256_and_si256(odd, set_both(uses[2 * i + 1], uses[2 * i + 3]));
      }
      __m256i entry = _mm256_add_epi64(even, odd);
      __m256i factor = _mm256_srlv_epi64(
          _mm256_set1_epi64x((int64_t)rest), _mm256_setr_epi64x(0, 0, 32, 32));
      sums[lane] = _mm256_add_epi64(sums[lane], entry);
      t->differences[lane] =
          _mm256_add_epi64(t->differences[lane], _mm256_mul_epi32(entry, factor));
    }
  }
  // The upper half of the sum of 16 entries, without the carry from the lower half, which is
  // signed.
  for (int lane = 0; lane < 3; lane++) {
    __m256i sum = _mm256_add_epi64(sums[lane], _mm256_set1_epi64x(1ll << 31));
    t->values[lane] = _mm256_add_epi64(t->values[lane], _mm256_srli_epi64(sum, 32));
  }
}

AVX2 INLINE size_t sum_avx2(
    const uint8_t *luma, const uint8_t *chroma, size_t count, const int layout, const wb_yuv *format,
    const wb_yuv_table *table, totals *out) {
  const size_t step = layout == 0 ? 1 : 2;
  // The loop uses copies, which the compiler knows to be unchanged.
  const wb_yuv f = *format;
  const wb_yuv_table l = *table;
  vectors t = {0};
  uint64_t whole = 0;
  size_t done = 0;
  while (done + 32 <= count) {
    size_t blocks = done + 128 <= count ? 4 : 1;
    __m256i y[4], c[4];
    for (size_t k = 0; k < blocks; k++) {
      size_t at = step * (done + 32 * k);
      load(luma + at, chroma + at, layout, &y[k], &c[k]);
    }
    if (blocks == 4 && are_within(y, c, &f)) {
      whole += 128;
      for (int k = 0; k < 4; k++) look_up(y[k], c[k], c[k], 1, &f, &l, &t);
    } else {
      for (size_t k = 0; k < blocks; k++) {
        __m256i use = accept(y[k], c[k], &f, &out->counts);
        if (!_mm256_testz_si256(use, use)) look_up(y[k], c[k], use, 0, &f, &l, &t);
      }
    }
    done += 32 * blocks;
  }
  out->counts.used += whole;
  for (int lane = 0; lane < 3; lane++) {
    int64_t a[4], b[4];
    _mm256_storeu_si256((__m256i *)a, t.values[lane]);
    _mm256_storeu_si256((__m256i *)b, t.differences[lane]);
    for (int k = 0; k < 4; k++) {
      out->values[lane][k % 2] += a[k];
      out->differences[lane][k % 2] += b[k];
    }
  }
  return done;
}

// There is one copy of the loop for each layout.
AVX2 static size_t run_avx2(
    const uint8_t *luma, const uint8_t *chroma, size_t count, int layout, const wb_yuv *format,
    const wb_yuv_table *table, totals *out) {
  if (layout == 0) return sum_avx2(luma, chroma, count, 0, format, table, out);
  return layout == 1 ? sum_avx2(luma, chroma, count, 1, format, table, out)
                     : sum_avx2(luma, chroma, count, 2, format, table, out);
}

#endif

void wb_sum_yuv_linear(
    const uint8_t *luma, const uint8_t *chroma, size_t count, int layout, const wb_yuv *format,
    const wb_yuv_table *table, wb_sums *out) {
  totals t = {0};
  size_t done = 0;
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) done = run_avx2(luma, chroma, count, layout, format, table, &t);
#endif
  int step = layout == 0 ? 1 : 2;
  size_t at = done * (size_t)step;
  add_each(luma + at, step, chroma + at, step, count - done, format, table, &t);
  finish(&t, out);
}
