#include "yuv.h"

void wb_sum_yuv_portable(
    const uint8_t *luma, int luma_step, const uint8_t *chroma, int chroma_step, size_t count,
    const wb_yuv *format, wb_sums *out) {
  wb_sums m = *out;
  const wb_yuv f = *format;
  for (size_t i = 0; i < count; i++) {
    uint64_t y = luma[i * (size_t)luma_step];
    const uint8_t *pair = chroma + i / 2 * 2 * (size_t)chroma_step;
    uint64_t u = pair[0], v = pair[chroma_step];
    uint64_t use = count_pixel((int)y - f.offset, (int)u - 128, (int)v - 128, &f, &m);
    y *= use, u *= use, v *= use;
    const uint64_t sums[3] = {y, u, v}, products[6] = {y * y, y * u, y * v, u * u, u * v, v * v};
    for (int k = 0; k < 3; k++) m.sum[k] += sums[k];
    for (int k = 0; k < 6; k++) m.product[k] += products[k];
  }
  *out = m;
}

#if defined(__x86_64__)

AVX2 INLINE uint64_t total16(__m256i v) {
  uint16_t words[16];
  uint64_t total = 0;
  _mm256_storeu_si256((__m256i *)words, v);
  for (int i = 0; i < 16; i++) total += words[i];
  return total;
}

typedef struct {
  __m256i y, u, v, products[6];
} totals;

// Adds 32 pixels: luma, and each chroma times the number of its two pixels that are used.
AVX2 INLINE void add(
    __m256i y, __m256i u, __m256i v, __m256i both_u, __m256i both_v, totals *t) {
  __m256i even = _mm256_and_si256(y, _mm256_set1_epi16(0xFF)), odd = _mm256_srli_epi16(y, 8);
  __m256i both = _mm256_add_epi16(even, odd);
  t->y = _mm256_add_epi32(t->y, _mm256_madd_epi16(both, _mm256_set1_epi16(1)));
  t->u = _mm256_add_epi16(t->u, both_u);
  t->v = _mm256_add_epi16(t->v, both_v);
  t->products[0] = _mm256_add_epi32(t->products[0], _mm256_madd_epi16(even, even));
  t->products[0] = _mm256_add_epi32(t->products[0], _mm256_madd_epi16(odd, odd));
  t->products[1] = _mm256_add_epi32(t->products[1], _mm256_madd_epi16(both, u));
  t->products[2] = _mm256_add_epi32(t->products[2], _mm256_madd_epi16(both, v));
  t->products[3] = _mm256_add_epi32(t->products[3], _mm256_madd_epi16(both_u, u));
  t->products[4] = _mm256_add_epi32(t->products[4], _mm256_madd_epi16(both_u, v));
  t->products[5] = _mm256_add_epi32(t->products[5], _mm256_madd_epi16(both_v, v));
}

AVX2 INLINE void finish(const totals *t, wb_sums *out) {
  out->sum[0] += total32(t->y);
  out->sum[1] += total16(t->u);
  out->sum[2] += total16(t->v);
  for (int k = 0; k < 6; k++) out->product[k] += total32(t->products[k]);
}

// Adds 128 pixels, of which some are not used and count as 0. It is not inlined, because its
// constants would take the registers of the loop that calls it.
AVX2 __attribute__((noinline)) static void add_some(
    const __m256i y[4], const __m256i c[4], const wb_yuv *format, wb_sums *out) {
  totals t = {0};
  for (int k = 0; k < 4; k++) {
    __m256i use = accept(y[k], c[k], format, out);
    if (_mm256_testz_si256(use, use)) continue;
    __m256i u = _mm256_and_si256(c[k], _mm256_set1_epi16(0xFF)), v = _mm256_srli_epi16(c[k], 8);
    // The masks are bytes of 0 or −1, which give the number of used pixels of each two.
    __m256i number = _mm256_maddubs_epi16(_mm256_abs_epi8(use), _mm256_set1_epi8(1));
    add(_mm256_and_si256(y[k], use), u, v, _mm256_mullo_epi16(u, number),
        _mm256_mullo_epi16(v, number), &t);
  }
  finish(&t, out);
}

// Sums groups of 128 pixels, most of which are used as a whole.
AVX2 INLINE size_t sum_avx2(
    const uint8_t *luma, const uint8_t *chroma, size_t count, const int layout, const wb_yuv *format,
    wb_sums *out) {
  const __m256i low = _mm256_set1_epi16(0xFF);
  const size_t step = layout == 0 ? 1 : 2;
  size_t done = 0;
  while (done + 128 <= count) {
    size_t groups = (count - done) / 128, whole = 0;
    if (groups > 30) groups = 30;
    totals t = {0};
    for (size_t g = 0; g < groups; g++, done += 128) {
      __m256i y[4], c[4];
      for (int k = 0; k < 4; k++) {
        size_t at = step * (done + 32 * (size_t)k);
        load(luma + at, chroma + at, layout, &y[k], &c[k]);
      }
      if (!are_within(y, c, format)) {
        add_some(y, c, format, out);
        continue;
      }
      whole++;
      for (int k = 0; k < 4; k++) {
        __m256i u = _mm256_and_si256(c[k], low), v = _mm256_srli_epi16(c[k], 8);
        add(y[k], u, v, _mm256_add_epi16(u, u), _mm256_add_epi16(v, v), &t);
      }
    }
    out->used += 128 * whole;
    finish(&t, out);
  }
  return done;
}

AVX2 static size_t run_avx2(
    const uint8_t *luma, const uint8_t *chroma, size_t count, int layout, const wb_yuv *format,
    wb_sums *out) {
  if (layout == 0) return sum_avx2(luma, chroma, count, 0, format, out);
  return layout == 1 ? sum_avx2(luma, chroma, count, 1, format, out)
                     : sum_avx2(luma, chroma, count, 2, format, out);
}

#endif

void wb_sum_yuv(
    const uint8_t *luma, const uint8_t *chroma, size_t count, int layout, const wb_yuv *format,
    wb_sums *out) {
  size_t done = 0;
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) done = run_avx2(luma, chroma, count, layout, format, out);
#endif
  int step = layout == 0 ? 1 : 2;
  wb_sum_yuv_portable(
      luma + done * (size_t)step, step, chroma + done * (size_t)step, step, count - done, format, out);
}
