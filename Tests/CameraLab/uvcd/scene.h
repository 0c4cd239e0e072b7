// What the camera looks at and makes of it: a gray card between colored papers, under a lamp.
#ifndef SCENE_H
#define SCENE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { YUY2 = 1, NV12, RGGB, FORMATS = RGGB };

struct scene {
  // What the sensor sees of white, linear, and the light's strength.
  double illuminant[3], level;
  // The card's reflectance.
  double card;
  double shot_noise, read_noise;
};

// Shows the change from the next frame on.
void set_scene(struct scene scene);
struct scene present_scene(void);

// The white and the papers of a lamp; false if there is none of that name.
bool light_with(const char *lamp);

// The frames that a control takes to show, 0…15, and the curve: sRGB's, or a power by the gamma
// control.
void set_behavior(int latency, bool srgb_curve);

// Starts a stream: what the controls say shows from its first frame on.
void settle(void);

// Lets a frame's time pass for the automatics, and draws it.
void draw_frame(uint8_t *out, int format, int width, int height);

// What the automatic has arrived at, as control values.
int32_t automatic_component(void);
int32_t automatic_temperature(void);

// The card in the frame last drawn, linear and free of noise, after gains.
void card_light(double rgb[3]);

// The same as it would be at a temperature.
void card_light_at(int32_t temperature, double rgb[3]);

// The controls and gains of that frame, the card's light, and the codes that the curve makes of it.
void describe_frame(char *text, size_t size);

#endif
