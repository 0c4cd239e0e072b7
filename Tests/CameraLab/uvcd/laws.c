#include "laws.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

static double v256(int32_t value, int32_t gain_control) {
  (void)gain_control;
  return value / 256.0;
}

static double v512(int32_t value, int32_t gain_control) {
  (void)gain_control;
  return (value + 37) / 512.0;
}

static double additive(int32_t value, int32_t gain_control) {
  (void)gain_control;
  return 1 + value / 128.0;
}

// The control of the overall gain, 0…255, draws red and blue towards green.
static double coupled(int32_t value, int32_t gain_control) {
  return 1 + (value / 256.0 - 1) * (1 - gain_control / 512.0);
}

// A smooth line past daylight and thermal light; x is the logarithm of a temperature over 5000 K.
static struct gains line(double x) {
  return (struct gains){exp(0.52 * x - 0.22 * x * x), exp(-0.70 * x + 0.20 * x * x)};
}

static struct gains kelvin10(int32_t value) { return line(log(value / 5000.0)); }

static struct gains kelvin255(int32_t value) {
  double x = (value - 118) / 160.0;
  return line(x + 0.15 * x * x * x);
}

static const struct component_law component_laws[] = {
    {"v256", v256, 64, 1023, 256, false},
    {"v512", v512, 0, 4095, 475, false},
    {"additive", additive, -128, 127, 0, true},
    {"coupled", coupled, 64, 1023, 256, false},
};

static const struct temperature_law temperature_laws[] = {
    {"kelvin10", kelvin10, 2000, 7500, 10, 4000},
    {"kelvin255", kelvin255, 0, 255, 1, 118},
};

const struct component_law *component_law = &component_laws[0];
const struct temperature_law *temperature_law = &temperature_laws[0];

struct bends bends;

int32_t bent(int32_t value, int32_t minimum, int32_t maximum) {
  double span = maximum - minimum, x = value - minimum;
  if (bends.levels > 1) {
    double step = span / (bends.levels - 1);
    x = floor(x / step + 0.5) * step;
  }
  x = fmin(fmax(x, bends.flat * span), span - bends.flat * span);
  if (bends.is_falling) x = span - x;
  return minimum + (int32_t)lround(x);
}

int32_t lagging(int32_t before, int32_t value) {
  if (value > before + bends.hysteresis) return value - bends.hysteresis;
  if (value < before - bends.hysteresis) return value + bends.hysteresis;
  return before;
}

double component_gain(int32_t value, int32_t gain_control) {
  const struct component_law *law = component_law;
  return law->gain(bent(value, law->minimum, law->maximum), gain_control);
}

struct gains temperature_gains(int32_t value) {
  const struct temperature_law *law = temperature_law;
  return law->gains(bent(value, law->minimum, law->maximum));
}

// Where the line has this ratio of red to blue.
double temperature_of(struct gains gains) {
  double ratio = log(gains.red / gains.blue);
  return 5000 * exp((1.22 - sqrt(fmax(1.22 * 1.22 - 4 * 0.42 * ratio, 0))) / (2 * 0.42));
}

int choose_law(const char *name) {
  for (size_t i = 0; i < sizeof component_laws / sizeof *component_laws; i++) {
    if (strcmp(name, component_laws[i].name)) continue;
    component_law = &component_laws[i];
    return 0;
  }
  for (size_t i = 0; i < sizeof temperature_laws / sizeof *temperature_laws; i++) {
    if (strcmp(name, temperature_laws[i].name)) continue;
    temperature_law = &temperature_laws[i];
    return 1;
  }
  return -1;
}

int32_t component_for(double gain, int32_t gain_control) {
  int32_t best = component_law->minimum;
  double least = INFINITY;
  for (int32_t value = best; value <= component_law->maximum; value++) {
    double distance = fabs(component_gain(value, gain_control) - gain);
    if (distance < least) least = distance, best = value;
  }
  return best;
}

int32_t temperature_for(struct gains gains) {
  int32_t best = temperature_law->minimum;
  double least = INFINITY;
  for (int32_t value = best; value <= temperature_law->maximum; value += temperature_law->step) {
    struct gains reached = temperature_gains(value);
    double distance = hypot(log(reached.red / gains.red), log(reached.blue / gains.blue));
    if (distance < least) least = distance, best = value;
  }
  return best;
}
