// A light is a function of a place: red, green or blue in units of a code of luma. In a group of
// pixels whose places lie in a narrow window, it is a polynomial of the fourth degree there, and
// the sum follows from the sums of powers of places: the first two exact, from those of luma and
// chroma, the others, which matter less, from places of 16 bits. In other groups lights are looked
// up, pixel by pixel.

#include "yuv.h"

#include <stdlib.h>

// Pixels of a group, which divide the usual widths, and of the shortest one that is worth it. Luma
// and twice the chromas of a narrow group span 40 codes: with factors of `wb_yuv_light` no sum
// overflows.
enum { GROUP = 320, LEAST = 64, SPAN = 40 };

// The least and the largest luma and chromas of a group.
typedef struct {
  int least[3], most[3];
} extremes;

// Sums of luma and chromas above a group's least ones, of their products as in `wb_moments`, and of
// the third and fourth powers of places in three windows.
typedef struct {
  int64_t sum[3], product[6], cubes[3], fourths[3];
} moments;

// The windows of a group's red, green and blue, and the place in them of its least codes, in units
// of 2⁻²² and in those of the 16 bits.
typedef struct {
  const int64_t *row[3];
  int64_t least[3];
  int near[3];
} narrow;

// Sums of narrow groups, counts, and of lights looked up the sums of entries and of slopes times
// parts.
typedef struct {
  wb_sums sums;
  uint64_t looked;
  int64_t whole[3][2], parts[3][2];
} totals;

// What is the same for all groups: the bounds as places, and factors of products.
typedef struct {
  int64_t low[3], high[3], square_u[3], product[3], square_v[3];
} constants;

static constants find_constants(const wb_yuv *f, const wb_yuv_light *l) {
  constants c;
  for (int lane = 0; lane < 3; lane++) {
    // 1/8 within the bounds, more than codes there are rounded by.
    c.low[lane] = f->low[lane] * (1LL << 30) / f->luma + (257 << 22) - (7 << 19);
    c.high[lane] = f->high[lane] * (1LL << 30) / f->luma + (255 << 22) + (7 << 19);
    int64_t u = l->u[lane], v = l->v[lane];
    c.square_u[lane] = u * u >> 20, c.product[lane] = u * v >> 19, c.square_v[lane] = v * v >> 20;
  }
  return c;
}

static inline int find_windows(
    const extremes *e, const wb_yuv *f, const wb_yuv_light *l, const constants *c, narrow *out) {
  int y = e->most[0] - e->least[0], u = e->most[1] - e->least[1], v = e->most[2] - e->least[2];
  if (y + 2 * (u > v ? u : v) > SPAN) return 0;
  for (int lane = 0; lane < 3; lane++) {
    int64_t by_u = l->u[lane], by_v = l->v[lane];
    int64_t least = ((int64_t)(e->least[0] - f->offset + 256) << 22)
        + by_u * (e->least[1] - 128) + by_v * (e->least[2] - 128);
    by_u *= u, by_v *= v;
    int64_t low = least + (by_u < 0 ? by_u : 0) + (by_v < 0 ? by_v : 0);
    int64_t high = low + ((int64_t)y << 22) + llabs(by_u) + llabs(by_v);
    int64_t window = (low + high + (4 << 22)) >> 25, center = window << 24;
    const int64_t *row = out->row[lane] = l->windows + 11 * window;
    if (low < c->low[lane] || high > c->high[lane]) return 0;
    if (low < center - row[10] || high > center + row[10]) return 0;
    out->least[lane] = least - center;
    out->near[lane] = (int)((out->least[lane] * l->luma + (1 << 20)) >> 21);
  }
  return 1;
}

static inline void add_moments(
    const moments *m, const narrow *n, int64_t count, const wb_yuv_light *l, const constants *c,
    wb_sums *out) {
  const int64_t *s = m->sum, *p = m->product;
  out->used += (uint64_t)count;
  for (int lane = 0; lane < 3; lane++) {
    int64_t u = l->u[lane], v = l->v[lane], at = n->least[lane] >> 6;
    int64_t first = ((s[0] << 22) + u * s[1] + v * s[2]) >> 6;
    int64_t second = (p[0] << 24) + 8 * (u * p[1] + v * p[2]) + c->square_u[lane] * p[3]
        + c->product[lane] * p[4] + c->square_v[lane] * p[5];
    second = (second >> 8) + (at * (2 * first + count * at) >> 16);
    first += count * at;
    const int64_t *f = n->row[lane], *g = f + 5;
    int64_t third = m->cubes[lane], fourth = m->fourths[lane];
    out->sum[lane] += (uint64_t)(
        count * f[0] + ((f[1] * first + f[2] * second + f[3] * third + f[4] * fourth) >> 22));
    out->squares[lane] += (uint64_t)(
        count * g[0] + ((g[1] * first + g[2] * second + g[3] * third + g[4] * fourth) >> 22));
  }
}

static void add_each(
    const uint8_t *luma, int luma_step, const uint8_t *chroma, int chroma_step, size_t count,
    const wb_yuv *format, const wb_yuv_light *light, totals *out) {
  const wb_yuv f = *format;
  const wb_yuv_light l = *light;
  totals t = *out;
  for (size_t i = 0; i < count; i++) {
    const uint8_t *pair = chroma + i / 2 * 2 * (size_t)chroma_step;
    int y = luma[i * (size_t)luma_step] - f.offset, u = pair[0] - 128, v = pair[chroma_step] - 128;
    int level = rounded(y * 128, f.luma);
    uint64_t any = 0, low = 0;
    for (int lane = 0; lane < 3; lane++) {
      int value = level + rounded(u * 128, f.u[lane]) + rounded(v * 128, f.v[lane]);
      uint64_t is_above = value > f.high[lane];
      t.sums.lane_above[lane] += is_above;
      any |= is_above;
      low |= value < f.low[lane];
    }
    t.sums.above += any;
    t.sums.below += low & ~any;
    uint64_t use = !(any | low);
    t.looked += use;
    for (int lane = 0; lane < 3; lane++) {
      uint32_t place = ((uint32_t)(y + 256) << 22) + (uint32_t)(u * l.u[lane] + v * l.v[lane]);
      const int32_t *entry = l.table + 4 * (place >> 19);
      int64_t part = place & 0x7FFFF;
      for (int k = 0; k < 2; k++) {
        t.whole[lane][k] += entry[2 * k + 1] * (int64_t)use;
        t.parts[lane][k] += entry[2 * k] * part * (int64_t)use;
      }
    }
  }
  *out = t;
}

static void finish(const totals *t, wb_sums *out) {
  out->used += t->sums.used + t->looked;
  out->above += t->sums.above;
  out->below += t->sums.below;
  for (int lane = 0; lane < 3; lane++) {
    out->lane_above[lane] += t->sums.lane_above[lane];
    int64_t sum = (t->whole[lane][0] << 4) + (t->parts[lane][0] >> 15) - (int64_t)(t->looked << 33);
    int64_t squares = (t->whole[lane][1] << 4) + (t->parts[lane][1] >> 15);
    out->sum[lane] += t->sums.sum[lane] + (uint64_t)sum;
    out->squares[lane] += t->sums.squares[lane] + (uint64_t)squares;
  }
}

// Pixels of the next group: whole steps of 32 if there are two.
static inline size_t group(size_t rest) {
  return rest >= GROUP ? GROUP : rest >= LEAST ? rest / 32 * 32 : rest;
}

void wb_sum_yuv_light_portable(
    const uint8_t *luma, int luma_step, const uint8_t *chroma, int chroma_step, size_t count,
    const wb_yuv *format, const wb_yuv_light *light, wb_sums *out) {
  totals t = {0};
  const constants constant = find_constants(format, light);
  size_t size;
  for (size_t first = 0; first < count; first += size) {
    size = group(count - first);
    const uint8_t *y = luma + first * (size_t)luma_step, *c = chroma + first * (size_t)chroma_step;
    int codes[3][GROUP];
    extremes e = {{255, 255, 255}, {0, 0, 0}};
    narrow n;
    for (int i = 0; i < (int)size; i++) {
      codes[0][i] = y[i * luma_step];
      codes[1][i] = c[i / 2 * 2 * chroma_step];
      codes[2][i] = c[(i / 2 * 2 + 1) * chroma_step];
      for (int k = 0; k < 3; k++) {
        if (codes[k][i] < e.least[k]) e.least[k] = codes[k][i];
        if (codes[k][i] > e.most[k]) e.most[k] = codes[k][i];
      }
    }
    if (size < LEAST || !find_windows(&e, format, light, &constant, &n)) {
      add_each(y, luma_step, c, chroma_step, size, format, light, &t);
      continue;
    }
    moments m = {0};
    for (int i = 0; i < (int)size; i += 2) {
      int a = codes[0][i] - e.least[0], b = codes[0][i + 1] - e.least[0];
      int u = codes[1][i] - e.least[1], v = codes[2][i] - e.least[2], both = a + b;
      const int sums[3] = {both, 2 * u, 2 * v};
      const int products[6] = {a * a + b * b, both * u, both * v, 2 * u * u, 2 * u * v, 2 * v * v};
      for (int k = 0; k < 3; k++) m.sum[k] += sums[k];
      for (int k = 0; k < 6; k++) m.product[k] += products[k];
      int half = light->luma * (a - b), apart = rounded(half, half);
      for (int lane = 0; lane < 3; lane++) {
        int place = n.near[lane] + light->luma * both + light->near_u[lane] * u
            + light->near_v[lane] * v;
        int square = rounded(place, place) + 3 * apart;
        m.cubes[lane] += square * place;
        m.fourths[lane] += square * square - 8 * apart * apart;
      }
    }
    add_moments(&m, &n, (int64_t)size, light, &constant, &t.sums);
  }
  finish(&t, out);
}

#if defined(__x86_64__)

// A byte for each pixel, from words for the even and the odd ones.
AVX2 INLINE __m256i pixels(__m256i even, __m256i odd) {
  return _mm256_blendv_epi8(odd, even, _mm256_set1_epi16(0xFF));
}

AVX2 INLINE uint32_t count(__m256i pixels) {
  return (uint32_t)__builtin_popcount((uint32_t)_mm256_movemask_epi8(pixels));
}

AVX2 INLINE int least16(__m128i words) {
  return _mm_cvtsi128_si32(_mm_minpos_epu16(words)) & 0xFFFF;
}

AVX2 INLINE extremes find_extremes(const __m256i *y, const __m256i *c, int steps) {
  const __m128i low = _mm_set1_epi16(0xFF);
  __m256i sides[2][2] = {{y[0], c[0]}, {y[0], c[0]}};
  for (int k = 1; k < steps; k++) {
    sides[0][0] = _mm256_min_epu8(sides[0][0], y[k]);
    sides[0][1] = _mm256_min_epu8(sides[0][1], c[k]);
    sides[1][0] = _mm256_max_epu8(sides[1][0], y[k]);
    sides[1][1] = _mm256_max_epu8(sides[1][1], c[k]);
  }
  extremes e;
  for (int side = 0; side < 2; side++) {
    // The largest codes are the least complements.
    const __m128i flip = _mm_set1_epi8(side ? -1 : 0);
    __m128i a[2];
    for (int k = 0; k < 2; k++) {
      __m256i s = sides[side][k];
      __m128i p = _mm_xor_si128(_mm256_castsi256_si128(s), flip);
      a[k] = _mm_min_epu8(p, _mm_xor_si128(_mm256_extracti128_si256(s, 1), flip));
    }
    a[0] = _mm_min_epu8(_mm_and_si128(a[0], low), _mm_srli_epi16(a[0], 8));
    int *to = side ? e.most : e.least, mask = side ? 255 : 0;
    to[0] = least16(a[0]) ^ mask;
    to[1] = least16(_mm_and_si128(a[1], low)) ^ mask;
    to[2] = least16(_mm_srli_epi16(a[1], 8)) ^ mask;
  }
  return e;
}

// The totals of four vectors of 32-bit words.
AVX2 INLINE __m128i total4(__m256i a, __m256i b, __m256i c, __m256i d) {
  __m256i sums = _mm256_hadd_epi32(_mm256_hadd_epi32(a, b), _mm256_hadd_epi32(c, d));
  return _mm_add_epi32(_mm256_castsi256_si128(sums), _mm256_extracti128_si256(sums, 1));
}

AVX2 INLINE void narrow_avx2(
    const __m256i *y, const __m256i *c, int steps, const extremes *e, const narrow *n,
    const wb_yuv_light *l, moments *m) {
  const __m256i zero = _mm256_setzero_si256(), ones = _mm256_set1_epi16(1);
  const __m256i low = _mm256_set1_epi16(0xFF);
  const __m256i scale = _mm256_set1_epi16(l->luma);
  const __m256i base_y = _mm256_set1_epi8((char)e->least[0]);
  const __m256i base_c = _mm256_set1_epi16((short)(e->least[1] | e->least[2] << 8));
  __m256i s[10] = {zero, zero, zero, zero, zero, zero, zero, zero, zero, zero};
  __m256i sums[GROUP / 32], apart[GROUP / 32], us[GROUP / 32], vs[GROUP / 32];
  for (int k = 0; k < steps; k++) {
    __m256i luma = _mm256_sub_epi8(y[k], base_y), chroma = _mm256_sub_epi8(c[k], base_c);
    __m256i u = _mm256_and_si256(chroma, low), v = _mm256_srli_epi16(chroma, 8);
    __m256i first = _mm256_and_si256(luma, low), second = _mm256_srli_epi16(luma, 8);
    __m256i both = _mm256_add_epi16(first, second);
    s[0] = _mm256_add_epi16(s[0], both);
    s[1] = _mm256_add_epi16(s[1], u);
    s[2] = _mm256_add_epi16(s[2], v);
    s[3] = _mm256_add_epi16(s[3], _mm256_maddubs_epi16(luma, luma));
    s[4] = _mm256_add_epi16(s[4], _mm256_mullo_epi16(both, u));
    s[5] = _mm256_add_epi16(s[5], _mm256_mullo_epi16(both, v));
    s[6] = _mm256_add_epi16(s[6], _mm256_mullo_epi16(u, u));
    s[7] = _mm256_add_epi16(s[7], _mm256_mullo_epi16(u, v));
    s[8] = _mm256_add_epi16(s[8], _mm256_mullo_epi16(v, v));
    us[k] = u, vs[k] = v, sums[k] = _mm256_mullo_epi16(both, scale);
    __m256i half = _mm256_mullo_epi16(_mm256_sub_epi16(first, second), scale);
    half = _mm256_mulhrs_epi16(half, half);
    apart[k] = _mm256_add_epi16(half, _mm256_add_epi16(half, half));
    s[9] = _mm256_add_epi32(s[9], _mm256_madd_epi16(half, half));
  }
  for (int k = 0; k < 9; k++) s[k] = _mm256_madd_epi16(s[k], ones);
  __m256i cubes[4] = {zero, zero, zero, zero}, fourths[4] = {zero, zero, zero, zero};
  for (int lane = 0; lane < 3; lane++) {
    const __m256i by_u = _mm256_set1_epi16(l->near_u[lane]);
    const __m256i by_v = _mm256_set1_epi16(l->near_v[lane]);
    const __m256i at = _mm256_set1_epi16((short)n->near[lane]);
    __m256i third = zero, fourth = zero;
    for (int k = 0; k < steps; k++) {
      __m256i a = _mm256_add_epi16(sums[k], at);
      if (l->near_u[lane]) a = _mm256_add_epi16(a, _mm256_mullo_epi16(us[k], by_u));
      if (l->near_v[lane]) a = _mm256_add_epi16(a, _mm256_mullo_epi16(vs[k], by_v));
      __m256i square = _mm256_add_epi16(_mm256_mulhrs_epi16(a, a), apart[k]);
      third = _mm256_add_epi32(third, _mm256_madd_epi16(square, a));
      fourth = _mm256_add_epi32(fourth, _mm256_madd_epi16(square, square));
    }
    cubes[lane] = third, fourths[lane] = fourth;
  }
  int32_t words[12];
  _mm_storeu_si128((__m128i *)words, total4(s[0], s[1], s[2], s[3]));
  _mm_storeu_si128((__m128i *)(words + 4), total4(s[4], s[5], s[6], s[7]));
  _mm_storeu_si128((__m128i *)(words + 8), total4(s[8], zero, zero, zero));
  // Each chroma is that of two pixels.
  for (int k = 0; k < 3; k++) m->sum[k] = (k < 1 ? 1 : 2) * words[k];
  for (int k = 0; k < 6; k++) m->product[k] = (k < 3 ? 1 : 2) * words[3 + k];
  // Sums of the lower 16 bits and of the others: 32 bits do not hold the totals.
  const __m256i rest = _mm256_set1_epi32(0xFFFF);
  cubes[3] = fourths[3] = s[9];
  for (int k = 0; k < 2; k++) {
    const __m256i *w = k ? fourths : cubes;
    int64_t *to = k ? m->fourths : m->cubes;
    __m256i a[4], b[4];
    for (int i = 0; i < 4; i++) {
      a[i] = _mm256_and_si256(w[i], rest);
      b[i] = k ? _mm256_srli_epi32(w[i], 16) : _mm256_srai_epi32(w[i], 16);
    }
    _mm_storeu_si128((__m128i *)words, total4(a[0], a[1], a[2], a[3]));
    _mm_storeu_si128((__m128i *)(words + 4), total4(b[0], b[1], b[2], b[3]));
    for (int lane = 0; lane < 3; lane++) {
      to[lane] = words[lane] + 65536 * (int64_t)words[4 + lane];
      if (k) to[lane] -= 8 * (words[3] + 65536 * (int64_t)words[7]);
    }
  }
}

// Which of 32 pixels are used; the others are counted.
AVX2 INLINE __m256i accept_avx2(__m256i y, __m256i c, const wb_yuv *f, wb_sums *out) {
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
    out->lane_above[lane] += count(above);
    any = _mm256_or_si256(any, above);
    below = _mm256_or_si256(
        below, pixels(_mm256_cmpgt_epi16(least, a), _mm256_cmpgt_epi16(least, b)));
  }
  out->above += count(any);
  out->below += count(_mm256_andnot_si256(any, below));
  return _mm256_andnot_si256(_mm256_or_si256(any, below), all);
}

// Looks up 32 pixels, two at a time: what they share, their chroma, counts once.
AVX2 INLINE void look_up_avx2(
    __m256i y, __m256i c, __m256i use, const int all, const wb_yuv *f, const wb_yuv_light *l,
    totals *t) {
  uint8_t lumas[32], uses[32];
  int32_t places[3][16], parts[3][16];
  _mm256_storeu_si256((__m256i *)lumas, y);
  _mm256_storeu_si256((__m256i *)uses, use);
  for (int half = 0; half < 2; half++) {
    __m128i bytes = half ? _mm256_extracti128_si256(c, 1) : _mm256_castsi256_si128(c);
    __m256i uv = _mm256_sub_epi16(_mm256_cvtepu8_epi16(bytes), _mm256_set1_epi16(128));
    for (int lane = 0; lane < 3; lane++) {
      // Factors of more than 16 bits, in two parts.
      int32_t u = l->u[lane], v = l->v[lane];
      __m256i high = _mm256_set1_epi32((u >> 12 & 0xFFFF) | (int)((uint32_t)(v >> 12) << 16));
      __m256i rest = _mm256_set1_epi32((u & 0xFFF) | (v & 0xFFF) << 16);
      __m256i place = _mm256_add_epi32(
          _mm256_slli_epi32(_mm256_madd_epi16(uv, high), 12), _mm256_madd_epi16(uv, rest));
      place = _mm256_add_epi32(place, _mm256_set1_epi32((256 - f->offset) * (1 << 22)));
      __m256i part = _mm256_and_si256(place, _mm256_set1_epi32(0x7FFFF));
      _mm256_storeu_si256((__m256i *)(places[lane] + 8 * half), _mm256_srai_epi32(place, 19));
      _mm256_storeu_si256((__m256i *)(parts[lane] + 8 * half), part);
    }
  }
  const __m128i *table = (const __m128i *)l->table;
  const __m128i zero = _mm_setzero_si128();
  __m128i whole[3] = {zero, zero, zero}, part[3] = {zero, zero, zero};
  for (int i = 0; i < 16; i++) {
    const __m128i *first = table + 8 * lumas[2 * i], *second = table + 8 * lumas[2 * i + 1];
    for (int lane = 0; lane < 3; lane++) {
      __m128i a = _mm_loadu_si128(first + places[lane][i]);
      __m128i b = _mm_loadu_si128(second + places[lane][i]);
      if (!all) {
        a = _mm_and_si128(a, _mm_set1_epi8((char)uses[2 * i]));
        b = _mm_and_si128(b, _mm_set1_epi8((char)uses[2 * i + 1]));
      }
      a = _mm_add_epi32(a, b);
      part[lane] = _mm_add_epi64(part[lane], _mm_mul_epi32(a, _mm_set1_epi32(parts[lane][i])));
      whole[lane] = _mm_add_epi64(whole[lane], _mm_srli_epi64(a, 32));
    }
  }
  for (int lane = 0; lane < 3; lane++) {
    int64_t a[2], b[2];
    _mm_storeu_si128((__m128i *)a, whole[lane]);
    _mm_storeu_si128((__m128i *)b, part[lane]);
    for (int k = 0; k < 2; k++) t->whole[lane][k] += a[k], t->parts[lane][k] += b[k];
  }
  t->looked += count(use);
}

AVX2 INLINE size_t light_avx2(
    const uint8_t *luma, const uint8_t *chroma, size_t count, const int layout, const wb_yuv *format,
    const wb_yuv_light *light, totals *t) {
  const size_t step = layout == 0 ? 1 : 2;
  const constants constant = find_constants(format, light);
  size_t done = 0;
  while (done + LEAST <= count) {
    size_t size = group(count - done);
    int steps = (int)(size / 32);
    __m256i y[GROUP / 32], c[GROUP / 32];
    for (int k = 0; k < steps; k++) {
      size_t at = step * (done + 32 * (size_t)k);
      load(luma + at, chroma + at, layout, &y[k], &c[k]);
    }
    extremes e = find_extremes(y, c, steps);
    narrow n;
    if (find_windows(&e, format, light, &constant, &n)) {
      moments m;
      // A loop of known length runs a sixth faster.
      if (size == GROUP) narrow_avx2(y, c, GROUP / 32, &e, &n, light, &m);
      else narrow_avx2(y, c, steps, &e, &n, light, &m);
      add_moments(&m, &n, (int64_t)size, light, &constant, &t->sums);
    } else {
      for (int k = 0; k < steps; k++) {
        __m256i use = accept_avx2(y[k], c[k], format, &t->sums);
        uint32_t used = (uint32_t)_mm256_movemask_epi8(use);
        if (used + 1 == 0) look_up_avx2(y[k], c[k], use, 1, format, light, t);
        else if (used) look_up_avx2(y[k], c[k], use, 0, format, light, t);
      }
    }
    done += size;
  }
  return done;
}

// One copy of the loop for each layout.
AVX2 static size_t run_avx2(
    const uint8_t *luma, const uint8_t *chroma, size_t count, int layout, const wb_yuv *format,
    const wb_yuv_light *light, totals *out) {
  if (layout == 0) return light_avx2(luma, chroma, count, 0, format, light, out);
  return layout == 1 ? light_avx2(luma, chroma, count, 1, format, light, out)
                     : light_avx2(luma, chroma, count, 2, format, light, out);
}

#endif

void wb_sum_yuv_light(
    const uint8_t *luma, const uint8_t *chroma, size_t count, int layout, const wb_yuv *format,
    const wb_yuv_light *light, wb_sums *out) {
  int step = layout == 0 ? 1 : 2;
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) {
    totals t = {0};
    size_t done = run_avx2(luma, chroma, count, layout, format, light, &t);
    size_t at = done * (size_t)step;
    add_each(luma + at, step, chroma + at, step, count - done, format, light, &t);
    finish(&t, out);
    return;
  }
#endif
  wb_sum_yuv_light_portable(luma, step, chroma, step, count, format, light, out);
}
