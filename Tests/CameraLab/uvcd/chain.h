// A webcam's processing of the sensor's linear values: shading, gains, color matrix, tone curve,
// saturation and hue, YUV. With the values here unchanged, there are only gains and a power.
#ifndef CHAIN_H
#define CHAIN_H

#include <stdbool.h>

#include "laws.h"

struct chain {
  // What the subtraction of black leaves, of full scale; negative where it takes too much.
  double pedestal;
  // The share of green light that the lens loses in the corners.
  double shading;
  // How far the color matrix goes from none, 0, to a usual one, 1; and whether it is the one for
  // the temperature that the gains stand for, or always that for daylight.
  double matrix;
  bool has_matrix_for_each_light;
  // A standard's curve instead of a power; the strength of an S on top, 0…1; the codes of 255 that
  // black is lifted by, or cut where negative.
  enum { POWER, SRGB, BT709 } curve;
  double s_curve, lift;
  // Factor and degrees, on top of the controls.
  double saturation, hue;
};

extern struct chain chain;

// The share of light that the lens lets through, at the square of the distance from the center over
// that of a corner.
double transmission(double square, int channel);

// The color matrix for gains that are relative to those of daylight.
void color_matrix(struct gains gains, double matrix[3][3]);
void apply_matrix(const double matrix[3][3], double rgb[3]);

// The sensor's light after black level and gains, and after the matrix; both clip at 0 and 1.
void apply_gains(struct gains gains, double rgb[3]);
void apply_gains_and_matrix(struct gains gains, const double matrix[3][3], double rgb[3]);

// The code, 0…255, of linear light, under a power of the gamma control's hundredths.
double tone(double light, int gamma);

// What contrast, brightness, saturation and hue are, as factors and codes.
struct look {
  double contrast, brightness;
  // What saturation and hue make of chroma.
  double along, across;
};

struct look look_of(int contrast, int brightness, int saturation, int hue);

// Codes of red, green and blue to luma, 0…255, and to Cb and Cr around 0, BT.601, before and after
// the look.
void to_yuv(const double rgb[3], double yuv[3]);
void apply_look(struct look look, double yuv[3]);

// The codes of red, green and blue that a viewer has of it, 0…255, and the light that these show by
// the power or by sRGB's curve alone: no viewer knows of an S or of a lifted black.
void to_codes(const double yuv[3], double codes[3]);
double shown_light(double code, int gamma);

#endif
