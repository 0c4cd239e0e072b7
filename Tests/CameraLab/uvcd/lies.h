// Behavior of the camera that its controls do not report.
#ifndef LIES_H
#define LIES_H

#include <stdbool.h>
#include <stdint.h>

struct lies {
  // The gains set by hand multiply those at which the automatic stopped.
  bool is_relative;
  // The automatic works again so many frames after it was switched off, 0 never; from each start of
  // a stream on; from being plugged in on. Its control reads as off all the while.
  int comes_back_after;
  bool comes_back_at_start, comes_back_at_plug;
  // Red, blue and the temperature read as they were, for the time of so many frames after being
  // set; and as the nearest of every so many values.
  int read_late, read_step;
  // Of red and blue, where both are set together, only the last is taken: red, the second half of a
  // request that changes both; or what the second of two changes within 50 ms.
  bool takes_last_only;
  // Exposure stays automatic, whatever its mode reads as.
  bool exposes_always;
};

extern struct lies lies;

// The automatic balance as it is: on, or come back.
bool is_balancing(void);

// It was switched off, a stream starts, the camera is plugged in, a frame passes.
void balance_was_switched_off(void);
void stream_starts(void);
void is_plugged_in(void);
void frame_passes(void);

// What is taken of red and blue that are about to be set.
int32_t taken_component(int32_t value);

// A control is about to be set; what it reads as.
void will_be_set(int control);
int32_t told_value(int control);

#endif
