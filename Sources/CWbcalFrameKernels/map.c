#include "CWbcalFrameKernels.h"
#include "avx2.h"

#if defined(__x86_64__)

#define VBMI __attribute__((target("avx512f,avx512bw,avx512vbmi,popcnt")))

// A step processes 64 pixels of three bytes or 16 of four. A byte is looked up in the table of each
// position in a pixel, and the result for its own position is used.
VBMI INLINE size_t map_vbmi(
    uint8_t *pixels, size_t count, const int step, const uint8_t *tables, uint8_t white,
    uint64_t raised[5]) {
  const int vectors = step == 3 ? 3 : 1;
  const uint64_t places[3] = {0x9249249249249249, 0x2492492492492492, 0x4924924924924924};
  __m512i table[4][4];
  __mmask64 of_place[3][4];
  for (int place = 0; place < step; place++) {
    for (int k = 0; k < 4; k++) {
      table[place][k] = _mm512_loadu_si512(tables + 256 * place + 64 * k);
    }
    for (int k = 0; k < vectors; k++) {
      of_place[k][place] = step == 3 ? places[(place + 3 - k) % 3] : 0x1111111111111111 << place;
    }
  }
  const __m512i whites = _mm512_set1_epi8((char)white);
  const size_t group = step == 3 ? 64 : 16;
  size_t done = 0;
  for (; done + group <= count; done += group) {
    uint8_t *at = pixels + done * (size_t)step;
    uint64_t up[4] = {0};
    for (int k = 0; k < vectors; k++) {
      const __m512i old = _mm512_loadu_si512(at + 64 * k);
      const __mmask64 is_upper = _mm512_movepi8_mask(old);
      __m512i new = old;
      for (int place = 0; place < step; place++) {
        __m512i lower = _mm512_permutex2var_epi8(table[place][0], old, table[place][1]);
        __m512i upper = _mm512_permutex2var_epi8(table[place][2], old, table[place][3]);
        __m512i found = _mm512_mask_blend_epi8(is_upper, lower, upper);
        new = _mm512_mask_blend_epi8(of_place[k][place], new, found);
      }
      _mm512_storeu_si512(at + 64 * k, new);
      up[k] = _mm512_cmplt_epu8_mask(old, whites) & _mm512_cmpge_epu8_mask(new, whites);
    }
    if ((up[0] | up[1] | up[2]) == 0) continue;
    for (int k = 0; k < vectors; k++) {
      uint64_t any = up[k];
      for (int place = 0; place < step; place++) {
        raised[place] += (uint64_t)__builtin_popcountll(up[k] & of_place[k][place]);
        // These are the bits of a pixel's other bytes, which may be in the next vector.
        if (place > 0) any |= up[k] >> place | up[k + 1] << (64 - place);
      }
      raised[step] += (uint64_t)__builtin_popcountll(any & of_place[k][0]);
    }
  }
  return done;
}

VBMI static size_t run_vbmi(
    uint8_t *pixels, size_t count, int step, const uint8_t *tables, uint8_t white,
    uint64_t raised[5]) {
  return step == 3 ? map_vbmi(pixels, count, 3, tables, white, raised)
                   : map_vbmi(pixels, count, 4, tables, white, raised);
}

#endif

size_t wb_map_rgb8(
    uint8_t *pixels, size_t count, int step, const uint8_t *tables, uint8_t white,
    uint64_t raised[5]) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512vbmi")) {
    return run_vbmi(pixels, count, step, tables, white, raised);
  }
#endif
  return 0;
}
