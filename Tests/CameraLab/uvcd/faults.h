// Faults that occur on command.
#ifndef FAULTS_H
#define FAULTS_H

#include <stdbool.h>

struct faults {
  // Which control requests the next faults meet; 0 is any.
  int entity, selector, request;
  // How many of them are refused with an error code, never answered, acknowledged without effect.
  int stall, mute, ignore;
  int error_code;
  // Seconds before a control request is answered.
  double delay;
  // How many of the next frames are cut in half, left out, marked as broken, or random bytes,
  // and, of JPEG, damaged in their second half.
  int shorten, drop, mark, garble, damage;
  // How many of the next video transfers are refused.
  int stall_stream;
  // The same picture again and again; no frames at all.
  bool freeze, hang;
};

extern struct faults faults;

// Whether faults are aimed at a control request.
bool are_aimed_at(int entity, int selector, int request);

// Whether a fault happens now: counts down to 0; −1 is for ever.
bool happens(int *count);

#endif
