// The laws of the white-balance controls, which the programs under test must determine.
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

// What hardware makes of the number before a law sees it.
struct bends {
  // Numbers count from the other end.
  bool is_falling;
  // The share of the range at each end in which nothing changes any more.
  double flat;
  // How many numbers the hardware knows, evenly over the range; 0 all.
  int levels;
  // How many numbers it stays behind, from whichever side it comes.
  int hysteresis;
};

extern struct bends bends;

// A number of a range after all bends but hysteresis, which needs to know what was before.
int32_t bent(int32_t value, int32_t minimum, int32_t maximum);
int32_t lagging(int32_t before, int32_t value);

// The gains of numbers, bent.
double component_gain(int32_t value, int32_t gain_control);
struct gains temperature_gains(int32_t value);

// The temperature that gains relative to those of daylight stand for.
double temperature_of(struct gains gains);

// Chooses a law by its name; whether it is one of temperature (1) or components (0); −1 for none.
int choose_law(const char *name);

// The component values and the temperature whose gains are nearest.
int32_t component_for(double gain, int32_t gain_control);
int32_t temperature_for(struct gains gains);

#endif
