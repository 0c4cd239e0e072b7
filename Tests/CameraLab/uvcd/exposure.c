#include "exposure.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "controls.h"

// UVC's unit is 100 µs; lines of a sensor of which some are lost; steps of 1/128 of a stop.
static double absolute(int32_t value) { return value / 250.0; }
static double lines(int32_t value) { return (value + 12) / 262.0; }
static double logarithmic(int32_t value) { return exp2((value - 1024) / 128.0); }

// 64 steps to each doubling; 16 steps to the first; doublings, each with 64 even steps, as sensors
// have them.
static double decibels(int32_t value) { return exp2(value / 64.0); }
static double additive(int32_t value) { return 1 + value / 16.0; }
static double coarse_and_fine(int32_t value) { return exp2(value >> 6) * (1 + (value & 63) / 64.0); }

struct exposure_law {
  const char *name;
  double (*light)(int32_t value);
  // Where the control begins.
  int32_t initial;
};

static const struct exposure_law time_laws[] = {
    {"absolute", absolute, 250}, {"lines", lines, 250}, {"logarithmic", logarithmic, 1024}};
static const struct exposure_law gain_laws[] = {
    {"decibels", decibels, 0}, {"additive", additive, 0}, {"coarse", coarse_and_fine, 0}};

static const struct exposure_law *time_law = &time_laws[0], *gain_law = &gain_laws[0];

static const struct exposure_law *find(const struct exposure_law *laws, size_t count,
                                       const char *name) {
  for (size_t i = 0; i < count; i++) {
    if (!strcmp(laws[i].name, name)) return &laws[i];
  }
  return NULL;
}

bool choose_time_law(const char *name) {
  const struct exposure_law *law = find(time_laws, sizeof time_laws / sizeof *time_laws, name);
  if (!law) return false;
  time_law = law;
  controls[EXPOSURE].value = controls[EXPOSURE].initial = law->initial;
  return true;
}

bool choose_gain_law(const char *name) {
  const struct exposure_law *law = find(gain_laws, sizeof gain_laws / sizeof *gain_laws, name);
  if (law) gain_law = law;
  return law != NULL;
}

double light_of_time(int32_t value) { return time_law->light(value); }
double light_of_gain(int32_t value) { return gain_law->light(value); }

int32_t time_for(double light) {
  int32_t low = controls[EXPOSURE].minimum, high = controls[EXPOSURE].maximum;
  while (high - low > 1) {
    int32_t middle = (low + high) / 2;
    if (light_of_time(middle) < light) low = middle;
    else high = middle;
  }
  return light - light_of_time(low) < light_of_time(high) - light ? low : high;
}

struct lens lens = {.best = 140};

// The motor's screw, which the lens follows with play.
double place_of(int32_t value) {
  static double place;
  double half = lens.backlash / 2.0;
  if (value > place + half) place = value - half;
  if (value < place - half) place = value + half;
  return place;
}

// Gratings of three fine periods, which a blur of Gauss's form weakens by the square of its width.
void draw_texture(uint8_t *yuyv, int width, int height, double place) {
  enum { GRATINGS = 3, MOST_WIDTH = 1280 };
  static const double periods[GRATINGS][2] = {{5, 7}, {9, -11}, {16, 19}};
  static double sines[GRATINGS][MOST_WIDTH], cosines[GRATINGS][MOST_WIDTH];
  static bool are_known;
  double blur = 0.06 * fabs(place - lens.best), left[GRATINGS];
  for (int i = 0; i < GRATINGS; i++) {
    double across = 2 * M_PI / periods[i][0], down = 2 * M_PI / periods[i][1];
    left[i] = lens.texture / GRATINGS * exp(-blur * blur / 2 * (across * across + down * down));
    for (int x = 0; x < MOST_WIDTH && !are_known; x++) {
      sines[i][x] = sin(across * x);
      cosines[i][x] = cos(across * x);
    }
  }
  are_known = true;
  for (int y = 0; y < height; y++) {
    double along[GRATINGS], aside[GRATINGS];
    for (int i = 0; i < GRATINGS; i++) {
      double down = 2 * M_PI * y / periods[i][1];
      along[i] = left[i] * cos(down);
      aside[i] = left[i] * sin(down);
    }
    for (int x = 0; x < width; x++) {
      double factor = 1;
      for (int i = 0; i < GRATINGS; i++) {
        factor += along[i] * sines[i][x] + aside[i] * cosines[i][x];
      }
      uint8_t *luma = &yuyv[(y * width + x) * 2];
      *luma = (uint8_t)fmin(fmax(*luma * factor, 1), 254);
    }
  }
}
