// Loops over pixels that must run at memory speed. They use integers, or round every operation
// separately, so that results are the same on every processor. Each has a portable form, which the
// tests compare with the fast one and with a plain Swift reference.

#ifndef C_FRAME_KERNELS_H
#define C_FRAME_KERNELS_H

#include <stddef.h>
#include <stdint.h>

// Counts of samples, and sums over those that are used; a kernel adds to the existing numbers. A
// sample is a pixel of red, green and blue, or a 2×2 cell of a color filter, and has up to four
// lanes: the channels in their stored order, or the cell's pixels row by row.
//
// A sample is above if any lane exceeds its high bound, or else below if any lane is less than its
// low bound, or else used. `lane_above` counts each lane. `product` has the sums of the lanes'
// squares; `wb_sum_yuv` defines it differently.
typedef struct {
  uint64_t used, above, below;
  uint64_t lane_above[4];
  uint64_t sum[4], product[6];
} wb_sums;

// The smallest and the largest value of each lane of a sample that is used.
typedef struct {
  uint16_t low[4], high[4];
} wb_bounds;

// Sums of 8-bit pixels `step` = 3 or 4 bytes apart, of which the first three are lanes; the high
// bounds are at most 254.
//
// With a table of 256 entries the sums are those of linear values. A code's entry holds the linear
// value in its lower half and the square in its upper half, in units of 2⁻²⁸ and below 1.
void wb_sum_rgb8(
    const uint8_t *pixels, size_t count, int step, const wb_bounds *bounds, const uint64_t *table,
    wb_sums *out);
// The form for processors without AVX-512.
void wb_sum_rgb8_narrow(
    const uint8_t *pixels, size_t count, int step, const wb_bounds *bounds, const uint64_t *table,
    wb_sums *out);
void wb_sum_rgb8_portable(
    const uint8_t *pixels, size_t count, int step, const wb_bounds *bounds, const uint64_t *table,
    wb_sums *out);

// Sums of `count` cells in two rows of a color filter, of 16-bit words at any address.
//
// With a table the sums are those of linear values. It has an entry for 0 and for each code within
// the bounds: the linear value, from −1 to less than 1, plus 2³² times its square, both in units of
// 2⁻²⁸.
void wb_sum_cells(
    const void *row, const void *next_row, size_t count, const wb_bounds *bounds,
    const uint64_t *table, wb_sums *out);
void wb_sum_cells_portable(
    const void *row, const void *next_row, size_t count, const wb_bounds *bounds,
    const uint64_t *table, wb_sums *out);

// Unpacks samples to 16-bit words: from 8 bits, from 16 bits of which those in `mask` are kept, and
// from 10, 12 and 14 bits as MIPI CSI-2 packs them: the upper 8 bits of 4, 2 or 4 samples before
// their lower bits, the first sample's in the lowest position.
void wb_unpack8(const uint8_t *bytes, size_t count, uint16_t *out);
void wb_unpack16(const uint8_t *bytes, size_t count, uint16_t mask, uint16_t *out);
void wb_unpack10(const uint8_t *bytes, size_t count, uint16_t *out);
void wb_unpack12(const uint8_t *bytes, size_t count, uint16_t *out);
void wb_unpack12_portable(const uint8_t *bytes, size_t count, uint16_t *out);
void wb_unpack14(const uint8_t *bytes, size_t count, uint16_t *out);

// The conversion of luma Y and the two chromas U and V, in their stored order, to red, green and
// blue in units of 1/32 code. Each of these is the sum of three products, ((code − offset) · 128 ·
// factor + 2¹⁴) >> 15: one of Y, with the same factor for all, one of U and one of V, whose offset
// is 128. The bounds are in the same units.
typedef struct {
  int16_t offset, luma, u[3], v[3], low[3], high[3];
} wb_yuv;

// Sums of the codes of a row's pixels, which share their chroma in pairs: `sum` has those of Y, U
// and V, `product` those of YY, YU, YV, UU, UV and VV. Bounds and `lane_above` are those of red,
// green and blue.
//
// Layout 0: luma, and pairs of chroma elsewhere. Layout 1: luma at the even bytes and chroma at the
// odd ones; `luma` and `chroma` point to the first of each. Layout 2: luma at the odd bytes and
// chroma at the even ones.
void wb_sum_yuv(
    const uint8_t *luma, const uint8_t *chroma, size_t count, int layout, const wb_yuv *format,
    wb_sums *out);
void wb_sum_yuv_portable(
    const uint8_t *luma, int luma_step, const uint8_t *chroma, int chroma_step, size_t count,
    const wb_yuv *format, wb_sums *out);

// The transfer function of red, green and blue from luma and chroma. A place is a channel value
// before the tone curve, in luma codes: luma above its offset, plus `u` and `v`, in units of 2⁻²²,
// for each code of U and V above 128.
//
// Every 1/8 code from place −256 to 512 has an entry of two numbers: one for the linear value + 2,
// one for its square. A number is 2³² times this value, which is from 0 to less than 4, plus the
// signed difference from that of the next entry, which is less than 2, all in units of 2⁻²⁶.
typedef struct {
  int32_t u[3], v[3];
  const uint64_t *entries;
} wb_yuv_table;

// Sums of linear values, in units of 2⁻³², of the pixels that `wb_sum_yuv` would use, interpolated
// linearly between entries; `product` has the sums of their squares. The high bounds are below 256
// codes.
void wb_sum_yuv_linear(
    const uint8_t *luma, const uint8_t *chroma, size_t count, int layout, const wb_yuv *format,
    const wb_yuv_table *table, wb_sums *out);
void wb_sum_yuv_linear_portable(
    const uint8_t *luma, int luma_step, const uint8_t *chroma, int chroma_step, size_t count,
    const wb_yuv *format, const wb_yuv_table *table, wb_sums *out);

// Gains as factors of 16 bits with `shift` = 9…16 bits after the binary point. Codes of at least
// white = 1…255 are kept; others become (code · factor + 2ˢʰⁱᶠᵗ⁻¹) >> shift, but at most white.
typedef struct {
  uint16_t factor[3];
  uint8_t shift, white;
} wb_gains;

// Applies gains to 8-bit pixels `step` = 3 or 4 bytes apart, in place or into other bytes. The
// first three counts are of samples of each lane that the gains raise to white, the fourth is of
// pixels with such a sample; the kernel adds to the existing counts.
void wb_apply_rgb8(
    const uint8_t *pixels, uint8_t *output, size_t count, int step, const wb_gains *gains,
    uint64_t clipped[4]);
void wb_apply_rgb8_portable(
    const uint8_t *pixels, uint8_t *output, size_t count, int step, const wb_gains *gains,
    uint64_t clipped[4]);

// Looks up 8-bit pixels `step` = 3 or 4 bytes apart, in place, each byte in the table of 256 codes
// for its position in the pixel. Counts the bytes of each position that rise to white, and after
// those of the last position the pixels with such a byte; adds to the existing counts. Returns the
// number of pixels, from the first one, that are done: all but the last few, or none without
// AVX-512's VBMI.
size_t wb_map_rgb8(
    uint8_t *pixels, size_t count, int step, const uint8_t *tables, uint8_t white,
    uint64_t raised[5]);

// The positions of the three samples of a row's pixels: the first of each, the bytes from one to
// the next, the numbers of neighboring pixels (1 or 2) and of rows that share the second and the
// third; and the number of the row.
typedef struct {
  uint8_t *first[3];
  int step[3], shared, shared_rows, row;
} wb_row;

enum { WB_PLACES = 4481, WB_LIGHTS = 5121 };

// A change of colors in linear light. The fourth column of a matrix is added to its products.
//
// `decode` converts samples to the places of red, green and blue in `light`, rounded down, which
// has the linear value of every 1/8 code from −304 to 256. `change` converts their linear values to
// the wanted ones. A channel from the place `clipped_from` on gets the value of its pixel's
// brightest channel.
//
// The magnitude of a linear value gives its place in `codes`: for magnitudes from 2⁻²⁰ to 1, by the
// exponent and 8 bits of the fraction; smaller and larger ones are treated as the nearest of these.
// After the WB_LIGHTS codes of positive values come those of negative values. `encode` converts
// codes to samples. They are rounded to the nearest or, with `dithers`, up and down alternately, so
// that the mean of 8 × 8 is not rounded.
//
// With `direct` a channel's code does not depend on the other channels: `direct` has the codes for
// the places of red, then of green and of blue, and no linear values are computed.
typedef struct {
  float decode[3][4], change[3][4], encode[3][4];
  float clipped_from;
  const float *light, *codes, *direct;
  int dithers;
} wb_colors;

// Changes the colors of a row. Unless `gains` is NULL, linear red, green and blue are multiplied by
// them before the matrix: those of red for each pixel, then those of green and of blue; there must
// then be no direct results. The second and the third sample are stored as the mean of the two
// pixels that share them; a last pixel without a neighbor shares with itself. With `sums` these
// samples are not stored but added to it: those of the second sample, one for all pixels that share
// it, then those of the third.
void wb_correct(
    const wb_row *in, const wb_row *out, const float *gains, float *sums, size_t count,
    const wb_colors *colors);
void wb_correct_portable(
    const wb_row *in, const wb_row *out, const float *gains, float *sums, size_t count,
    const wb_colors *colors);

// Stores sums of the second (1) or the third (2) sample times a share, rounded, and sets them to 0.
void wb_store_sums(
    float *sums, size_t count, float share, const wb_row *out, int sample,
    const wb_colors *colors);

// A row of gains: those of even and of odd samples at the points of a mesh, of which there is one
// more than `intervals`; each sample's share of the distance between two points; and the first
// sample of each interval, with the number of samples after the last one.
typedef struct {
  const float *even, *odd, *shares;
  const uint32_t *starts;
  size_t intervals;
} wb_mesh_row;

// The codes of black and of white, and the bits of a code.
typedef struct {
  float black;
  int32_t white, mask;
} wb_code_range;

// Multiplies the linear codes of a row of a color filter array, above black, by their gains, and
// rounds them. Codes from white on keep their value, and others end at 0 and white. Adds to
// `raised` the numbers of even and of odd samples that reach white.
void wb_shade_mosaic(
    uint8_t *row, const wb_mesh_row *mesh, const wb_code_range *range, uint64_t raised[2]);
void wb_shade_mosaic_portable(
    uint8_t *row, const wb_mesh_row *mesh, const wb_code_range *range, uint64_t raised[2]);

// Sums over the details of two pictures, for each sample of a row but the first and the last:
// `middle` points to the row's first sample, and the rows above and below it are `width` samples
// away. There are nine sums, the first of all samples before the second of all samples. Three are
// of gradients, by Sobel's operator: the product of both pictures' gradients, and the square of
// each. Then come the number of gradients, and the sum of each picture's samples. The last three
// are of second differences: the product, and the square of each. A sample is left out if it or
// one of its eight neighbors is not a number in either picture.
void wb_sum_detail(const float *middle, const float *other, size_t width, float *sums);
void wb_sum_detail_portable(const float *middle, const float *other, size_t width, float *sums);

#endif
