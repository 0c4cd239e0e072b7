// Helpers of the kernels for processors with AVX2.

#ifndef AVX2_H
#define AVX2_H

#define INLINE static inline __attribute__((always_inline))

#if defined(__x86_64__)

#include <immintrin.h>
#include <stdint.h>

#define AVX2 __attribute__((target("avx2,popcnt")))

// Returns the sum of eight unsigned 32-bit words.
AVX2 INLINE uint64_t total32(__m256i v) {
  uint32_t words[8];
  uint64_t total = 0;
  _mm256_storeu_si256((__m256i *)words, v);
  for (int i = 0; i < 8; i++) total += words[i];
  return total;
}

// Returns the number of bytes whose upper bit is set.
AVX2 INLINE uint32_t count_set(__m256i v) {
  return (uint32_t)__builtin_popcount((uint32_t)_mm256_movemask_epi8(v));
}

#endif

#endif
