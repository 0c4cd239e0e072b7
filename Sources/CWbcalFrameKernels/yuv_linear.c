// Sums of the linear values of gamma-coded luma and chroma, looked up for each pixel.

#include "yuv.h"

// Counts, and for each channel, of linear values and of their squares, the sums of the table's
// values at the places and of its differences times the rest of the places.
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
      const int32_t *entry = l.entries + 4 * (place >> 19);
      int64_t rest = place & 0x7FFFF;
      for (int k = 0; k < 2; k++) {
        t.values[lane][k] += entry[2 * k + 1] * (int64_t)use;
        t.differences[lane][k] += entry[2 * k] * rest * (int64_t)use;
      }
    }
  }
  *out = t;
}

// From units of 2⁻²⁸, and of 2⁻²⁸ · 2⁻¹⁹, to 2⁻³².
static void finish(const totals *t, wb_sums *out) {
  out->used += t->counts.used;
  out->above += t->counts.above;
  out->below += t->counts.below;
  for (int lane = 0; lane < 3; lane++) {
    out->lane_above[lane] += t->counts.lane_above[lane];
    int64_t sum = t->values[lane][0] * 16 + (t->differences[lane][0] >> 15);
    int64_t squares = t->values[lane][1] * 16 + (t->differences[lane][1] >> 15);
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

// Looks up 32 pixels, two at a time, as a pair's chroma moves both places alike.
AVX2 INLINE void look_up_avx2(
    __m256i y, __m256i c, __m256i use, const int all, const wb_yuv *f, const wb_yuv_table *l,
    totals *t) {
  uint8_t lumas[32], uses[32];
  int32_t places[3][16], rests[3][16];
  _mm256_storeu_si256((__m256i *)lumas, y);
  _mm256_storeu_si256((__m256i *)uses, use);
  for (int half = 0; half < 2; half++) {
    __m128i bytes = half ? _mm256_extracti128_si256(c, 1) : _mm256_castsi256_si128(c);
    __m256i uv = _mm256_sub_epi16(_mm256_cvtepu8_epi16(bytes), _mm256_set1_epi16(128));
    for (int lane = 0; lane < 3; lane++) {
      // The factors have more than 16 bits and are multiplied in two parts.
      int32_t u = l->u[lane], v = l->v[lane];
      __m256i high = _mm256_set1_epi32((u >> 12 & 0xFFFF) | (int)((uint32_t)(v >> 12) << 16));
      __m256i low = _mm256_set1_epi32((u & 0xFFF) | (v & 0xFFF) << 16);
      __m256i place = _mm256_add_epi32(
          _mm256_slli_epi32(_mm256_madd_epi16(uv, high), 12), _mm256_madd_epi16(uv, low));
      place = _mm256_add_epi32(place, _mm256_set1_epi32((256 - f->offset) * (1 << 22)));
      __m256i rest = _mm256_and_si256(place, _mm256_set1_epi32(0x7FFFF));
      _mm256_storeu_si256((__m256i *)(places[lane] + 8 * half), _mm256_srai_epi32(place, 19));
      _mm256_storeu_si256((__m256i *)(rests[lane] + 8 * half), rest);
    }
  }
  const __m128i *entries = (const __m128i *)l->entries;
  const __m128i zero = _mm_setzero_si128();
  __m128i values[3] = {zero, zero, zero}, differences[3] = {zero, zero, zero};
  for (int i = 0; i < 16; i++) {
    const __m128i *first = entries + 8 * lumas[2 * i], *second = entries + 8 * lumas[2 * i + 1];
    for (int lane = 0; lane < 3; lane++) {
      __m128i a = _mm_loadu_si128(first + places[lane][i]);
      __m128i b = _mm_loadu_si128(second + places[lane][i]);
      if (!all) {
        a = _mm_and_si128(a, _mm_set1_epi8((char)uses[2 * i]));
        b = _mm_and_si128(b, _mm_set1_epi8((char)uses[2 * i + 1]));
      }
      a = _mm_add_epi32(a, b);
      differences[lane] =
          _mm_add_epi64(differences[lane], _mm_mul_epi32(a, _mm_set1_epi32(rests[lane][i])));
      values[lane] = _mm_add_epi64(values[lane], _mm_srli_epi64(a, 32));
    }
  }
  for (int lane = 0; lane < 3; lane++) {
    int64_t a[2], b[2];
    _mm_storeu_si128((__m128i *)a, values[lane]);
    _mm_storeu_si128((__m128i *)b, differences[lane]);
    for (int k = 0; k < 2; k++) t->values[lane][k] += a[k], t->differences[lane][k] += b[k];
  }
}

AVX2 INLINE size_t sum_avx2(
    const uint8_t *luma, const uint8_t *chroma, size_t count, const int layout, const wb_yuv *format,
    const wb_yuv_table *table, totals *t) {
  const size_t step = layout == 0 ? 1 : 2;
  size_t done = 0;
  for (; done + 32 <= count; done += 32) {
    __m256i y, c;
    load(luma + step * done, chroma + step * done, layout, &y, &c);
    __m256i use = accept(y, c, format, &t->counts);
    uint32_t used = (uint32_t)_mm256_movemask_epi8(use);
    if (used + 1 == 0) look_up_avx2(y, c, use, 1, format, table, t);
    else if (used) look_up_avx2(y, c, use, 0, format, table, t);
  }
  return done;
}

// One copy of the loop for each layout.
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
