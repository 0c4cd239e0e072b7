// The laws of exposure time and gain, and the effect of the focus on the picture, which the
// programs under test must determine.
#ifndef EXPOSURE_H
#define EXPOSURE_H

#include <stdbool.h>
#include <stdint.h>

// Chooses a law by its name; false for none.
bool choose_time_law(const char *name);
bool choose_gain_law(const char *name);

// Light beside that of the first laws at 250 and 0.
double light_of_time(int32_t value);
double light_of_gain(int32_t value);

// The exposure time nearest to a light, within the control's range.
int32_t time_for(double light);

struct lens {
  // Where the scene is sharp, as a value of the control, and by how many values the motor comes to
  // another place from above than from below.
  int best, backlash;
  // The contrast of the scene's texture, 0 none.
  double texture;
};

extern struct lens lens;

// Where the lens is, after the control had a value.
double place_of(int32_t value);

// Draws the texture into a picture, as blurred as it is at a place.
void draw_texture(uint8_t *yuyv, int width, int height, double place);

#endif
