// What the numbers of white-balance controls do to the picture: the truth that programs under test
// must find out.
#ifndef LAWS_H
#define LAWS_H

#include <stdbool.h>
#include <stdint.h>

// Gains of red and blue; green is 1.
struct gains {
  double red, blue;
};

// Red and blue have a number each.
struct component_law {
  const char *name;
  double (*gain)(int32_t value, int32_t gain_control);
  int32_t minimum, maximum, neutral;
  // Whether 1 is neutral under D50, and not the bare sensor.
  bool is_balanced;
};

// Both follow one number; neutral under D50 somewhere in the middle.
struct temperature_law {
  const char *name;
  struct gains (*gains)(int32_t value);
  int32_t minimum, maximum, step, initial;
};

extern const struct component_law *component_law;
extern const struct temperature_law *temperature_law;

// Chooses a law by its name; whether it is one of temperature (1) or components (0); −1 for none.
int choose_law(const char *name);

// The component values and the temperature whose gains are nearest.
int32_t component_for(double gain, int32_t gain_control);
int32_t temperature_for(struct gains gains);

#endif
