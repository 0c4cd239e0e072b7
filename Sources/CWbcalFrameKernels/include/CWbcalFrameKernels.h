// Loops over pixels that must run at memory speed. Integers throughout, so that results are the
// same on every processor; `FrameSums` is their reference in Swift.

#ifndef C_FRAME_KERNELS_H
#define C_FRAME_KERNELS_H

#include <stddef.h>
#include <stdint.h>

// Four samples make a pixel: those of an interleaved pixel in their stored order, the last one
// ignored where there are three, or of a color filter's 2×2 cell, row by row.
typedef struct {
  uint64_t used, above, below;
  uint64_t lane_above[4];
  uint64_t sum[4], squares[4];
} wb_sums;

// A pixel is used if low ≤ sample ≤ high holds in all four lanes; it is counted above if some
// sample is higher, else below if some is lower. Sums are added to those in `out`.
typedef struct {
  uint16_t low[4], high[4];
} wb_bounds;

// 8-bit pixels `step` = 3 or 4 bytes apart; the high bounds are at most 254. With a table of 256
// entries the sums are those of light: the lower half of an entry is a code's light, the upper half
// the square, in units of 2⁻²⁸ and below 1; behind the entries lies what `wb_spread_lights` puts
// there.
enum { WB_LIGHTS = 256 + 8 * 272 / 8 };
void wb_spread_lights(uint64_t table[WB_LIGHTS]);
void wb_sum_rgb8(
    const uint8_t *pixels, size_t count, int step, const wb_bounds *bounds, const uint64_t *table,
    wb_sums *out);
// The same without the processor's extensions.
void wb_sum_rgb8_portable(
    const uint8_t *pixels, size_t count, int step, const wb_bounds *bounds, const uint64_t *table,
    wb_sums *out);

// Cells of two rows of a color filter. `count` is that of cells.
void wb_sum_cells(
    const uint16_t *upper, const uint16_t *lower, size_t count, const wb_bounds *bounds, wb_sums *out);
void wb_sum_cells_portable(
    const uint16_t *upper, const uint16_t *lower, size_t count, const wb_bounds *bounds, wb_sums *out);

// Samples of 8 bits, of 16 of which a mask is kept, and of 10, 12 and 14 bits as MIPI CSI-2 packs
// them: the upper 8 bits of 4, 2 or 4 samples, then their lower bits, the first sample's lowest.
void wb_unpack8(const uint8_t *bytes, size_t count, uint16_t *out);
void wb_unpack16(const uint8_t *bytes, size_t count, uint16_t mask, uint16_t *out);
void wb_unpack10(const uint8_t *bytes, size_t count, uint16_t *out);
void wb_unpack12(const uint8_t *bytes, size_t count, uint16_t *out);
void wb_unpack12_portable(const uint8_t *bytes, size_t count, uint16_t *out);
void wb_unpack14(const uint8_t *bytes, size_t count, uint16_t *out);

// Luma and two chromas to red, green, blue in units of 1/32 code: each is the sum of three
// products, ((code − offset) · 128 · factor + 2¹⁴) >> 15, the chromas' offset 128.
typedef struct {
  int16_t offset, luma, u[3], v[3], low[3], high[3];
} wb_yuv;

// Pixels whose red, green and blue are within bounds, as in `wb_sums`, and of their codes the sums
// of Y, U, V and of YY, YU, YV, UU, UV, VV.
typedef struct {
  uint64_t used, above, below, lane_above[3], sum[3], product[6];
} wb_moments;

// Pixels of a row, two to a pair of chromas. Layout 0: luma, and chroma in pairs; 1: luma at the
// even bytes, chroma at the odd ones, `luma` the first byte and `chroma` the second; 2: the other
// way round.
void wb_sum_yuv(
    const uint8_t *luma, const uint8_t *chroma, size_t count, int layout, const wb_yuv *format,
    wb_moments *out);
void wb_sum_yuv_portable(
    const uint8_t *luma, int luma_step, const uint8_t *chroma, int chroma_step, size_t count,
    const wb_yuv *format, wb_moments *out);

// Factors of 16 bits behind which `shift` = 9…16 bits are fractions. Codes from white = 1…255 on
// are kept, others come out as (code · factor + 2ˢʰⁱᶠᵗ⁻¹) >> shift, at most white.
typedef struct {
  uint16_t factor[3];
  uint8_t shift, white;
} wb_gains;

// 8-bit pixels `step` = 3 or 4 bytes apart, in place or into other bytes; adds to the counts of
// samples of each lane that reach white, and of pixels with such a sample.
void wb_apply_rgb8(
    const uint8_t *pixels, uint8_t *output, size_t count, int step, const wb_gains *gains,
    uint64_t clipped[4]);
void wb_apply_rgb8_portable(
    const uint8_t *pixels, uint8_t *output, size_t count, int step, const wb_gains *gains,
    uint64_t clipped[4]);

// A place is red, green or blue in units of a code of luma: luma above its offset, and for each
// code of the chromas above 128 `u` and `v` in units of 2⁻²². `luma` ≤ 250 is any scale, `near_u`
// and `near_v` are `u` and `v` in units of 1/2 of it.
//
// The table has four numbers for every 1/8 from place −256 to 512, in units of 2⁻²⁸: the step to
// the next entry's light, the light + 2, the step to the next square, the square; the second and
// the fourth within 0…2³⁰. Windows have 11 numbers for every 4 from place −256 to 256: of the light
// and of its square the polynomial from the window's middle, in units of 2⁻³², twice of 2⁻³⁸, and
// of 2⁻⁵⁴ for a power's sum in the units of the 16 bits, 2¹⁵ / 4 scale³ and 2³⁰ / 8 scale⁴; and how
// far from its middle it holds, in units of 2⁻²².
typedef struct {
  int32_t u[3], v[3];
  int16_t luma, near_u[3], near_v[3];
  const int32_t *table;
  const int64_t *windows;
} wb_yuv_light;

// Sums of light, in units of 2⁻³², over the pixels that `wb_sum_yuv` uses; the high bounds are
// below 256 codes.
void wb_sum_yuv_light(
    const uint8_t *luma, const uint8_t *chroma, size_t count, int layout, const wb_yuv *format,
    const wb_yuv_light *light, wb_sums *out);
void wb_sum_yuv_light_portable(
    const uint8_t *luma, int luma_step, const uint8_t *chroma, int chroma_step, size_t count,
    const wb_yuv *format, const wb_yuv_light *light, wb_sums *out);

#endif
