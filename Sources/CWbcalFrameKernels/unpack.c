#include "CWbcalFrameKernels.h"
#include "avx2.h"

void wb_unpack8(const uint8_t *bytes, size_t count, uint16_t *out) {
  for (size_t i = 0; i < count; i++) out[i] = bytes[i];
}

void wb_unpack16(const uint8_t *bytes, size_t count, uint16_t mask, uint16_t *out) {
  for (size_t i = 0; i < count; i++) {
    out[i] = (uint16_t)((bytes[2 * i] | bytes[2 * i + 1] << 8) & mask);
  }
}

// Unpacks the samples of a group; `low` has the lower bits, `rest` of each.
static inline void unpack_group(
    const uint8_t *upper, const int rest, uint32_t low, size_t count, uint16_t *out) {
  for (size_t i = 0; i < count; i++) {
    out[i] = (uint16_t)(upper[i] << rest | (low >> rest * (int)i & ((1u << rest) - 1)));
  }
}

// Whole groups are unpacked separately, so that the loop over their samples is unrolled.
void wb_unpack10(const uint8_t *bytes, size_t count, uint16_t *out) {
  for (; count >= 4; count -= 4, bytes += 5, out += 4) unpack_group(bytes, 2, bytes[4], 4, out);
  if (count) unpack_group(bytes, 2, bytes[4], count, out);
}

void wb_unpack12_portable(const uint8_t *bytes, size_t count, uint16_t *out) {
  for (size_t i = 0; i < count; i++) {
    const uint8_t *group = bytes + i / 2 * 3;
    out[i] = (uint16_t)(group[i % 2] << 4 | (group[2] >> 4 * (i % 2) & 15));
  }
}

#if defined(__x86_64__)

AVX2 static size_t unpack12_avx2(
    const uint8_t *bytes, size_t count, uint16_t *out) {
  // This puts a sample's upper 8 bits above the byte that holds its lower 4. The lower 4 bits of
  // the first of two samples are in the byte's lower half, those of the second in its upper half.
  const __m256i spread = _mm256_broadcastsi128_si256(
      _mm_setr_epi8(2, 0, 2, 1, 5, 3, 5, 4, 8, 6, 8, 7, 11, 9, 11, 10));
  const __m256i upper = _mm256_set1_epi16(0xFF0), nibble = _mm256_set1_epi16(15);
  size_t done = 0;
  // A load reads 4 bytes beyond its samples.
  for (; done + 16 + 4 <= count; done += 16) {
    const uint8_t *at = bytes + done / 2 * 3;
    __m256i v = _mm256_inserti128_si256(
        _mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)at)),
        _mm_loadu_si128((const __m128i *)(at + 12)), 1);
    v = _mm256_shuffle_epi8(v, spread);
    __m256i shifted = _mm256_srli_epi16(v, 4);
    __m256i low = _mm256_and_si256(_mm256_blend_epi16(v, shifted, 0xAA), nibble);
    _mm256_storeu_si256(
        (__m256i *)(out + done), _mm256_or_si256(_mm256_and_si256(shifted, upper), low));
  }
  return done;
}

#endif

void wb_unpack12(const uint8_t *bytes, size_t count, uint16_t *out) {
  size_t done = 0;
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) done = unpack12_avx2(bytes, count, out);
#endif
  wb_unpack12_portable(bytes + done / 2 * 3, count - done, out + done);
}

// Returns the lower bits of a group of 14-bit samples.
static inline uint32_t low14(const uint8_t *group) {
  return group[4] | (uint32_t)group[5] << 8 | (uint32_t)group[6] << 16;
}

void wb_unpack14(const uint8_t *bytes, size_t count, uint16_t *out) {
  for (; count >= 4; count -= 4, bytes += 7, out += 4) {
    unpack_group(bytes, 6, low14(bytes), 4, out);
  }
  if (count) unpack_group(bytes, 6, low14(bytes), count, out);
}
