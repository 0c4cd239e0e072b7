#include "ciede2000.h"

#include <math.h>

static const double degree = M_PI / 180;

static double hue(double a, double b) {
  double angle = a == 0 && b == 0 ? 0 : atan2(b, a) / degree;
  return angle < 0 ? angle + 360 : angle;
}

// What high chroma counts for, 0…1.
static double chroma_share(double chroma) {
  return sqrt(pow(chroma, 7) / (pow(chroma, 7) + pow(25, 7)));
}

double ciede2000(const double one[3], const double other[3]) {
  double g = 1.5 - 0.5 * chroma_share((hypot(one[1], one[2]) + hypot(other[1], other[2])) / 2);
  double a1 = one[1] * g, a2 = other[1] * g;
  double c1 = hypot(a1, one[2]), c2 = hypot(a2, other[2]);
  double h1 = hue(a1, one[2]), h2 = hue(a2, other[2]);
  double turn = h2 - h1, mean_hue = h1 + h2;
  if (c1 * c2 == 0) {
    turn = 0;
  } else {
    if (fabs(turn) > 180) mean_hue += mean_hue < 360 ? 360 : -360;
    mean_hue /= 2;
    if (turn > 180) turn -= 360;
    if (turn < -180) turn += 360;
  }
  double lightness = other[0] - one[0], chroma = c2 - c1;
  double arc = 2 * sqrt(c1 * c2) * sin(turn / 2 * degree);
  double mean_lightness = (one[0] + other[0]) / 2 - 50, mean_chroma = (c1 + c2) / 2;
  double t = 1 - 0.17 * cos((mean_hue - 30) * degree) + 0.24 * cos(2 * mean_hue * degree) +
             0.32 * cos((3 * mean_hue + 6) * degree) - 0.20 * cos((4 * mean_hue - 63) * degree);
  double square = mean_lightness * mean_lightness;
  lightness /= 1 + 0.015 * square / sqrt(20 + square);
  chroma /= 1 + 0.045 * mean_chroma;
  arc /= 1 + 0.015 * mean_chroma * t;
  double rotation = 60 * exp(-pow((mean_hue - 275) / 25, 2)) * degree;
  double cross = -2 * chroma_share(mean_chroma) * sin(rotation) * chroma * arc;
  return sqrt(lightness * lightness + chroma * chroma + arc * arc + cross);
}

static double cube_root(double t) {
  return t > 216.0 / 24389 ? cbrt(t) : (24389.0 / 27 * t + 16) / 116;
}

double distance_from_neutral(const double rgb[3]) {
  // Each row over its sum: relative to the white of the space.
  static const double matrix[3][3] = {
      {0.4124, 0.3576, 0.1805}, {0.2126, 0.7152, 0.0722}, {0.0193, 0.1192, 0.9505}};
  double f[3];
  for (int row = 0; row < 3; row++) {
    double value = 0, sum = 0;
    for (int i = 0; i < 3; i++) value += matrix[row][i] * rgb[i], sum += matrix[row][i];
    f[row] = cube_root(value / sum);
  }
  double color[3] = {116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])};
  return ciede2000(color, (double[3]){color[0], 0, 0});
}
