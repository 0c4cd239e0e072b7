#include "controls.h"

#include <stddef.h>
#include <string.h>

#include "laws.h"

// The step of ae_mode is the set of its modes: manual and aperture priority.
struct control controls[CONTROLS] = {
    [AE_MODE] = {"ae_mode", CAMERA_TERMINAL, 0x02, 1, 1, 3, 0, 0, 1 | 8, 8, 8},
    [AE_PRIORITY] = {"ae_prio", CAMERA_TERMINAL, 0x03, 2, 1, 3, 0, 1, 1, 0, 0},
    [EXPOSURE] = {"exposure", CAMERA_TERMINAL, 0x04, 3, 4, 11, 3, 2047, 1, 250, 250},
    [FOCUS] = {"focus", CAMERA_TERMINAL, 0x06, 5, 2, 11, 0, 250, 5, 0, 0},
    [FOCUS_AUTO] = {"focus_auto", CAMERA_TERMINAL, 0x08, 17, 1, 3, 0, 1, 1, 1, 1},
    [ZOOM] = {"zoom", CAMERA_TERMINAL, 0x0b, 9, 2, 3, 100, 500, 1, 100, 100},
    [BACKLIGHT] = {"backlight", PROCESSING_UNIT, 0x01, 8, 2, 3, 0, 1, 1, 0, 0},
    [BRIGHTNESS] = {"brightness", PROCESSING_UNIT, 0x02, 0, 2, 3, 0, 255, 1, 128, 128},
    [CONTRAST] = {"contrast", PROCESSING_UNIT, 0x03, 1, 2, 3, 0, 255, 1, 128, 128},
    [GAIN] = {"gain", PROCESSING_UNIT, 0x04, 9, 2, 3, 0, 255, 1, 0, 0},
    [POWER_LINE] = {"plf", PROCESSING_UNIT, 0x05, 10, 1, 3, 0, 2, 1, 2, 2},
    [HUE] = {"hue", PROCESSING_UNIT, 0x06, 2, 2, 3, -180, 180, 1, 0, 0},
    [SATURATION] = {"saturation", PROCESSING_UNIT, 0x07, 3, 2, 3, 0, 255, 1, 128, 128},
    [SHARPNESS] = {"sharpness", PROCESSING_UNIT, 0x08, 4, 2, 3, 0, 255, 1, 128, 128},
    [GAMMA] = {"gamma", PROCESSING_UNIT, 0x09, 5, 2, 3, 100, 300, 1, 220, 220},
    [TEMPERATURE] = {"wbt", PROCESSING_UNIT, 0x0a, 6, 2, 11, 0, 0, 0, 0, 0},
    [TEMPERATURE_AUTO] = {"wbt_auto", PROCESSING_UNIT, 0x0b, 12, 1, 3, 0, 1, 1, 1, 1},
    [COMPONENT] = {"wbc", PROCESSING_UNIT, 0x0c, 7, 4, 11, 0, 0, 0, 0, 0},
    [COMPONENT_AUTO] = {"wbc_auto", PROCESSING_UNIT, 0x0d, 13, 1, 3, 0, 1, 1, 1, 1},
};

uint32_t terminal_mask = 1 << 1 | 1 << 2 | 1 << 3 | 1 << 5 | 1 << 17;
uint32_t unit_mask = COMPONENT_UNIT;
static bool component_was_last = true;

// What the hardware has followed to.
static int32_t followed[CONTROLS];

int32_t pack(int32_t red, int32_t blue) {
  return (int32_t)((uint32_t)(uint16_t)red << 16 | (uint16_t)blue);
}

int32_t red_of(int32_t packed) { return (int16_t)((uint32_t)packed >> 16); }
int32_t blue_of(int32_t packed) { return (int16_t)packed; }

void take_ranges_of_laws(void) {
  const struct component_law *c = component_law;
  const struct temperature_law *t = temperature_law;
  int32_t neutral = bends.is_falling ? c->minimum + c->maximum - c->neutral : c->neutral;
  int32_t initial = bends.is_falling ? t->minimum + t->maximum - t->initial : t->initial;
  struct control *component = &controls[COMPONENT], *temperature = &controls[TEMPERATURE];
  component->minimum = pack(c->minimum, c->minimum);
  component->maximum = pack(c->maximum, c->maximum);
  component->step = pack(1, 1);
  component->initial = component->value = pack(neutral, neutral);
  temperature->minimum = t->minimum;
  temperature->maximum = t->maximum;
  temperature->step = t->step;
  temperature->initial = temperature->value = initial;
  followed[COMPONENT] = component->value;
  followed[TEMPERATURE] = temperature->value;
}

bool is_present(int control) {
  const struct control *c = &controls[control];
  return (c->entity == CAMERA_TERMINAL ? terminal_mask : unit_mask) >> c->bit & 1;
}

struct control *find_control(const char *name) {
  for (int i = 0; i < CONTROLS; i++) {
    if (!strcmp(controls[i].name, name)) return &controls[i];
  }
  return NULL;
}

static bool is_on(int control) { return is_present(control) && controls[control].value; }

bool is_white_balance_automatic(void) { return is_on(TEMPERATURE_AUTO) || is_on(COMPONENT_AUTO); }

bool is_locked(int control) {
  switch (control) {
  case TEMPERATURE: return is_on(TEMPERATURE_AUTO);
  case COMPONENT: return is_on(COMPONENT_AUTO);
  case EXPOSURE: return is_present(AE_MODE) && !(controls[AE_MODE].value & 1);
  case FOCUS: return is_on(FOCUS_AUTO);
  default: return false;
  }
}

bool is_by_component(void) {
  return is_present(COMPONENT) && (!is_present(TEMPERATURE) || component_was_last);
}

static bool is_in_range(int control, int32_t value) {
  const struct control *c = &controls[control];
  const struct component_law *law = component_law;
  switch (control) {
  case AE_MODE: return (value & c->step) != 0;
  case COMPONENT:
    return red_of(value) >= law->minimum && red_of(value) <= law->maximum &&
           blue_of(value) >= law->minimum && blue_of(value) <= law->maximum;
  default: return value >= c->minimum && value <= c->maximum;
  }
}

int32_t hardware_value(int control) {
  int32_t value = controls[control].value, *before = &followed[control];
  if (control == COMPONENT) {
    value = pack(lagging(red_of(*before), red_of(value)),
                 lagging(blue_of(*before), blue_of(value)));
  } else {
    value = lagging(*before, value);
  }
  return *before = value;
}

enum { WRONG_STATE = 2, OUT_OF_RANGE = 4 };

int set_control(int control, int32_t value) {
  if (is_locked(control)) return WRONG_STATE;
  if (!is_in_range(control, value)) return OUT_OF_RANGE;
  if (control == COMPONENT) component_was_last = true;
  if (control == TEMPERATURE) component_was_last = false;
  controls[control].value = value;
  hardware_value(control);
  return 0;
}
