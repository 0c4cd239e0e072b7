#include "CWbcalFrameKernels.h"
#include "avx2.h"

// Every operation is rounded separately, so that results are the same on every processor.
#pragma STDC FP_CONTRACT OFF

// The number of samples of a block: small enough that its sums stay in the fastest cache.
enum { BLOCK = 128 };

// The sums over three rows, weighted 1, 2, 1, and their first and second differences, for each
// column.
typedef struct { float sum[BLOCK + 2], difference[BLOCK + 2], curvature[BLOCK + 2]; } line;

INLINE void load(line *restrict to, const float *middle, size_t width, size_t count) {
  const float *above = middle - width, *below = middle + width;
  for (size_t i = 0; i < count; i++) {
    to->sum[i] = above[i] + 2 * middle[i] + below[i];
    to->difference[i] = below[i] - above[i];
    to->curvature[i] = above[i] - 2 * middle[i] + below[i];
  }
}

// The products and squares of the derivatives of two pictures at a place; 0 unless all are numbers.
typedef struct { float both, a, b; int is_number; } products;

INLINE products multiply(float across_a, float down_a, float across_b, float down_b, float light) {
  float both = across_a * across_b + down_a * down_b;
  int is_number = both + light < __builtin_inff();
  return (products){
      is_number ? both : 0, is_number ? across_a * across_a + down_a * down_a : 0,
      is_number ? across_b * across_b + down_b * down_b : 0, is_number};
}

INLINE void add_gradients(
    const line *a, const line *b, const float *light_a, const float *light_b, size_t count,
    float *restrict product, float *restrict square_a, float *restrict square_b,
    float *restrict number, float *restrict sum_a, float *restrict sum_b) {
  for (size_t i = 0; i < count; i++) {
    float across_a = a->sum[i + 2] - a->sum[i], across_b = b->sum[i + 2] - b->sum[i];
    float down_a = a->difference[i] + 2 * a->difference[i + 1] + a->difference[i + 2];
    float down_b = b->difference[i] + 2 * b->difference[i + 1] + b->difference[i + 2];
    products here = multiply(across_a, down_a, across_b, down_b, light_a[i] + light_b[i]);
    product[i] += here.both;
    square_a[i] += here.a;
    square_b[i] += here.b;
    number[i] += here.is_number ? 1 : 0;
    sum_a[i] += here.is_number ? light_a[i] : 0;
    sum_b[i] += here.is_number ? light_b[i] : 0;
  }
}

INLINE void add_curvatures(
    const line *a, const line *b, const float *light_a, const float *light_b, size_t count,
    float *restrict product, float *restrict square_a, float *restrict square_b) {
  for (size_t i = 0; i < count; i++) {
    float across_a = a->sum[i + 2] - 2 * a->sum[i + 1] + a->sum[i];
    float across_b = b->sum[i + 2] - 2 * b->sum[i + 1] + b->sum[i];
    float down_a = a->curvature[i] + 2 * a->curvature[i + 1] + a->curvature[i + 2];
    float down_b = b->curvature[i] + 2 * b->curvature[i + 1] + b->curvature[i + 2];
    products here = multiply(across_a, down_a, across_b, down_b, light_a[i] + light_b[i]);
    product[i] += here.both;
    square_a[i] += here.a;
    square_b[i] += here.b;
  }
}

INLINE void sum_detail(const float *middle, const float *other, size_t width, float *sums) {
  const size_t inner = width - 2;
  for (size_t at = 0; at < inner; at += BLOCK) {
    const size_t count = inner - at < BLOCK ? inner - at : BLOCK;
    line a, b;
    load(&a, middle + at, width, count + 2);
    load(&b, other + at, width, count + 2);
    float *to[9];
    for (size_t k = 0; k < 9; k++) to[k] = sums + k * inner + at;
    add_gradients(
        &a, &b, middle + at + 1, other + at + 1, count, to[0], to[1], to[2], to[3], to[4], to[5]);
    add_curvatures(&a, &b, middle + at + 1, other + at + 1, count, to[6], to[7], to[8]);
  }
}

void wb_sum_detail_portable(
    const float *middle, const float *other, size_t width, float *sums) {
  sum_detail(middle, other, width, sums);
}

#if defined(__x86_64__)

AVX2 static void sum_detail_avx2(
    const float *middle, const float *other, size_t width, float *sums) {
  sum_detail(middle, other, width, sums);
}

#endif

void wb_sum_detail(const float *middle, const float *other, size_t width, float *sums) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) {
    sum_detail_avx2(middle, other, width, sums);
    return;
  }
#endif
  wb_sum_detail_portable(middle, other, width, sums);
}
