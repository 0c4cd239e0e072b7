// Frames on their way to the host, in UVC payloads.
#ifndef STREAM_H
#define STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Formats and sizes by their numbers on the bus, from 1.
struct stream_format {
  int format, size;
  uint32_t interval;
};

// What the host has decided for; a bulk stream starts.
void commit_stream(struct stream_format format);
void stop_stream(const char *why);

int alternate_setting(void);
// An isochronous stream starts with a setting other than 0, and ends with 0.
void choose_alternate_setting(int alternate);

// Draws frames that are due and fills the transfers that wait.
void pump(void);

// Milliseconds until `pump` has something to do; −1 for ever.
int milliseconds_to_next_frame(void);

// Which frame has begun last, counted as V4L2 counts: −1 before the first of a stream.
int frame_number(void);
bool is_streaming(void);

#endif
