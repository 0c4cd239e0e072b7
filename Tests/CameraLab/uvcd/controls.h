// The camera's controls as UVC defines them, with their ranges and values.
#ifndef CONTROLS_H
#define CONTROLS_H

#include <stdbool.h>
#include <stdint.h>

enum { CAMERA_TERMINAL = 1, PROCESSING_UNIT = 2, OUTPUT_TERMINAL = 3 };

enum {
  AE_MODE, AE_PRIORITY, EXPOSURE, FOCUS, FOCUS_AUTO, ZOOM,
  BACKLIGHT, BRIGHTNESS, CONTRAST, GAIN, POWER_LINE, HUE, SATURATION, SHARPNESS, GAMMA,
  TEMPERATURE, TEMPERATURE_AUTO, COMPONENT, COMPONENT_AUTO,
  CONTROLS
};

struct control {
  const char *name;
  // The bit is that of bmControls; info is 1 readable, 2 writable, 8 changes by itself: without it
  // the driver answers reads from its cache.
  uint8_t entity, selector, bit, size, info;
  int32_t minimum, maximum, step, initial, value;
};

extern struct control controls[CONTROLS];

// Which controls the camera terminal and the processing unit have.
extern uint32_t terminal_mask, unit_mask;

// Temperature alone, in the processing unit's mask.
enum { COMPONENT_UNIT = 0x269f, TEMPERATURE_UNIT = 0x125f };

// Gives the white-balance controls the ranges of the laws chosen.
void take_ranges_of_laws(void);

bool is_present(int control);
struct control *find_control(const char *name);

// Whether an automatic governs a control now.
bool is_locked(int control);
bool is_white_balance_automatic(void);

// Blue and red as one number: blue in the low half.
int32_t pack(int32_t red, int32_t blue);
int32_t red_of(int32_t packed);
int32_t blue_of(int32_t packed);

// The value that the hardware follows, with the hysteresis of the laws: red and blue each, or the
// temperature.
int32_t hardware_value(int control);

// Sets a control as the host asks; 0, or UVC's error code.
int set_control(int control, int32_t value);

// Whether red and blue, not the temperature, are what was set by hand last.
bool is_by_component(void);

#endif
