// The scene, a gray card or a color chart between colored papers under a lamp, and its pictures.
#ifndef SCENE_H
#define SCENE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "filters.h"
#include "jpeg.h"

enum { YUY2, NV12, RGGB, MJPG, FORMATS };

struct scene {
  // What the sensor sees of white, linear, and the light's strength.
  double illuminant[3], level;
  // The card's reflectance.
  double card;
  double shot_noise, read_noise;
  // The light flickers by this share, in so many frames, and its red by a share of its own, against
  // its blue.
  double flicker, flicker_period, flicker_color;
  // Its red rises by this share in a minute, and its blue falls, since a time of the clock.
  double drift, drift_start;
  // A color chart, turned and slanted, lies on the card.
  bool has_chart;
};

// Shows the change from the next frame on.
void set_scene(struct scene scene);
struct scene present_scene(void);

// The white, the papers and the chart of a lamp; false if there is none of that name.
bool light_with(const char *lamp);

// What becomes of the picture on its way.
struct delivery {
  // The frames that controls take to show, 0…30, and by how many more at most, at random, 0…30.
  int latency, jitter;
  // The share of its way that a gain goes with each frame; 1 is all of it.
  double pace;
  // Codes 0…255 for luma, and not those of video, 16…235: uncompressed, and in JPEG.
  bool is_full_range, is_jpeg_full_range;
  struct filters filters;
  struct jpeg_style jpeg;
};

extern struct delivery delivery;

// Starts a stream: what the controls say shows from its first frame on.
void settle(void);

// Lets a frame's time pass for the automatics, and draws it; its bytes, at most two for a pixel.
size_t draw_frame(uint8_t *out, int format, int width, int height);

// What the automatic has arrived at, as control values.
int32_t automatic_component(void);
int32_t automatic_temperature(void);

// The card in the frame last drawn, linear and free of noise, in the center: after gains; and as a
// viewer sees what leaves the camera.
void card_light(double rgb[3]);
void card_as_seen(double rgb[3]);

// The latter as it would be at a temperature.
void card_as_seen_at(int32_t temperature, double rgb[3]);

// The controls and gains of that frame, the card's light after them, the codes that leave the
// camera and how a viewer sees them, and whether the automatic balance works.
void describe_frame(char *text, size_t size);

#endif
