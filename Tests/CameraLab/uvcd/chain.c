#include "chain.h"

#include <math.h>
#include <string.h>

struct chain chain = {.saturation = 1};

static double clip(double light) { return fmin(fmax(light, 0), 1); }

double transmission(double square, int channel) {
  // The filter against infrared lets less red through where light falls in at an angle.
  static const double share[3] = {1.1, 1, 0.95};
  return 1 - chain.shading * share[channel] * square;
}

void color_matrix(struct gains gains, double matrix[3][3]) {
  // Each row sums to 1, so that gray stays gray.
  static const double daylight[3][3] = {
      {1.80, -0.62, -0.18}, {-0.34, 1.72, -0.38}, {-0.06, -0.68, 1.74}};
  static const double thermal[3][3] = {
      {2.05, -0.85, -0.20}, {-0.42, 1.66, -0.24}, {-0.16, -0.98, 2.14}};
  double warmth = 0;
  if (chain.has_matrix_for_each_light) {
    double mired = 1e6 / temperature_of(gains);
    warmth = clip((mired - 1e6 / 6500) / (1e6 / 2850 - 1e6 / 6500));
  }
  for (int row = 0; row < 3; row++) {
    for (int i = 0; i < 3; i++) {
      double usual = daylight[row][i] + warmth * (thermal[row][i] - daylight[row][i]);
      matrix[row][i] = (row == i) + chain.matrix * (usual - (row == i));
    }
  }
}

void apply_matrix(const double matrix[3][3], double rgb[3]) {
  double from[3];
  memcpy(from, rgb, sizeof from);
  for (int row = 0; row < 3; row++) {
    rgb[row] = matrix[row][0] * from[0] + matrix[row][1] * from[1] + matrix[row][2] * from[2];
  }
}

void apply_gains(struct gains gains, double rgb[3]) {
  const double factors[3] = {gains.red, 1, gains.blue};
  for (int i = 0; i < 3; i++) rgb[i] = clip((rgb[i] + chain.pedestal) * factors[i]);
}

void apply_gains_and_matrix(struct gains gains, const double matrix[3][3], double rgb[3]) {
  apply_gains(gains, rgb);
  if (chain.matrix == 0) return;
  apply_matrix(matrix, rgb);
  for (int i = 0; i < 3; i++) rgb[i] = clip(rgb[i]);
}

// The curve that is known to viewers, 0…1.
static double power(double light, int gamma) {
  if (chain.curve == POWER) return pow(light, 100.0 / gamma);
  if (chain.curve == BT709) {
    return light < 0.018053968 ? 4.5 * light : 1.09929683 * pow(light, 0.45) - 0.09929683;
  }
  return light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055;
}

double tone(double light, int gamma) {
  double p = power(light, gamma);
  p += chain.s_curve * (p * p * (3 - 2 * p) - p);
  return fmax(chain.lift + p * (255 - chain.lift), 0);
}

struct look look_of(int contrast, int brightness, int saturation, int hue) {
  double factor = chain.saturation * saturation / 128.0, angle = (chain.hue + hue) * M_PI / 180;
  return (struct look){contrast / 128.0, brightness, cos(angle) * factor, sin(angle) * factor};
}

void to_yuv(const double rgb[3], double yuv[3]) {
  yuv[0] = 0.299 * rgb[0] + 0.587 * rgb[1] + 0.114 * rgb[2];
  yuv[1] = (rgb[2] - yuv[0]) / 1.772;
  yuv[2] = (rgb[0] - yuv[0]) / 1.402;
}

void apply_look(struct look look, double yuv[3]) {
  double cb = yuv[1], cr = yuv[2];
  yuv[0] = (yuv[0] - 128) * look.contrast + look.brightness;
  yuv[1] = cb * look.along - cr * look.across;
  yuv[2] = cb * look.across + cr * look.along;
}

void to_codes(const double yuv[3], double codes[3]) {
  codes[0] = yuv[0] + 1.402 * yuv[2];
  codes[1] = yuv[0] - 0.344136 * yuv[1] - 0.714136 * yuv[2];
  codes[2] = yuv[0] + 1.772 * yuv[1];
  for (int i = 0; i < 3; i++) codes[i] = fmin(fmax(codes[i], 0), 255);
}

double shown_light(double code, int gamma) {
  double p = code / 255;
  if (chain.curve == POWER) return pow(p, gamma / 100.0);
  if (chain.curve == BT709) {
    return p < 0.081242858 ? p / 4.5 : pow((p + 0.09929683) / 1.09929683, 1 / 0.45);
  }
  return p <= 0.04045 ? p / 12.92 : pow((p + 0.055) / 1.055, 2.4);
}
