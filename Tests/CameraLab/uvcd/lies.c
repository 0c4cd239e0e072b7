#include "lies.h"

#include "controls.h"
#include "descriptors.h"
#include "log.h"

struct lies lies;

static bool has_come_back;
static int frames_since_off;

bool is_balancing(void) { return is_white_balance_automatic() || has_come_back; }

void balance_was_switched_off(void) {
  has_come_back = false;
  frames_since_off = 0;
}

static void come_back(void) {
  if (is_balancing() || !(is_present(TEMPERATURE_AUTO) || is_present(COMPONENT_AUTO))) return;
  note("the automatic comes back");
  has_come_back = true;
}

void stream_starts(void) {
  if (lies.comes_back_at_start) come_back();
}

void is_plugged_in(void) {
  if (lies.comes_back_at_plug) come_back();
}

void frame_passes(void) {
  if (is_balancing()) return;
  if (lies.comes_back_after && ++frames_since_off >= lies.comes_back_after) come_back();
}

int32_t taken_component(int32_t value) {
  // The values of before the first of requests that belong together.
  static int32_t before;
  static double last = -1;
  int32_t present = controls[COMPONENT].value;
  if (!lies.takes_last_only) return value;
  if (now() - last > 0.05) before = present;
  last = now();
  if (red_of(value) != red_of(present)) return pack(red_of(value), blue_of(before));
  return pack(red_of(before), blue_of(value));
}

// What a control still reads as, and until when.
static struct {
  int32_t value;
  double until;
} late[CONTROLS];

void will_be_set(int control) {
  if (!lies.read_late) return;
  late[control].value = told_value(control);
  late[control].until = now() + (double)lies.read_late / highest_rate;
}

static int32_t rounded(int32_t value, int32_t minimum) {
  int32_t step = lies.read_step;
  return minimum + (value - minimum + step / 2) / step * step;
}

int32_t told_value(int control) {
  const struct control *c = &controls[control];
  int32_t value = c->value;
  if (control != TEMPERATURE && control != COMPONENT) return value;
  if (now() < late[control].until) return late[control].value;
  if (lies.read_step < 2) return value;
  if (control == TEMPERATURE) return rounded(value, c->minimum);
  return pack(rounded(red_of(value), red_of(c->minimum)),
              rounded(blue_of(value), blue_of(c->minimum)));
}
