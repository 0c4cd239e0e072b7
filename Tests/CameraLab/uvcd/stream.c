#include "stream.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "descriptors.h"
#include "faults.h"
#include "lies.h"
#include "log.h"
#include "random.h"
#include "scene.h"
#include "usbip.h"

enum { HEADER = 2 };
enum { FRAME_IDENTIFIER = 0x01, END_OF_FRAME = 0x02, BROKEN = 0x40, END_OF_HEADER = 0x80 };

static struct stream_format stream = {1, 2, 0};
static bool streaming;
static int alternate;
static double next_frame;

// The frame in work, and how much of it is sent.
static uint8_t frame[1280 * 720 * 2];
static uint32_t frame_length, drawn_length, sent;
static bool has_frame;
static int number = -1;

bool is_streaming(void) { return streaming; }
int frame_number(void) { return number; }
int alternate_setting(void) { return alternate; }

static void start_stream(void) {
  streaming = true;
  has_frame = false;
  number = -1;
  next_frame = now();
  stream_starts();
  settle();
  note("stream on format=%d size=%dx%d interval=%u", stream.format, width_of(stream.size),
       height_of(stream.size), stream.interval);
}

void stop_stream(const char *why) {
  if (streaming) note("stream off (%s) frames=%d", why, number + 1);
  streaming = has_frame = false;
}

void commit_stream(struct stream_format format) {
  stream = format;
  if (!is_isochronous) start_stream();
}

void choose_alternate_setting(int setting) {
  alternate = setting;
  if (setting && is_isochronous) start_stream();
  else stop_stream("alternate setting 0");
}

// Takes a frame where one is due. Frames that are late do not pile up.
static void take_frame(void) {
  double time = now();
  if (!streaming || has_frame || faults.hang || time < next_frame) return;
  next_frame += stream.interval * 1e-7;
  if (next_frame < time) next_frame = time;
  if (!faults.freeze) {
    drawn_length = (uint32_t)draw_frame(frame, format_of(stream.format), width_of(stream.size),
                                        height_of(stream.size));
  }
  if (happens(&faults.drop)) {
    note("fault drop");
    return;
  }
  number++;
  char text[512];
  describe_frame(text, sizeof text);
  note("frame %d %s", number, text);
  has_frame = true;
  sent = 0;
  frame_length = drawn_length;
  if (happens(&faults.garble)) {
    note("fault garbage");
    for (uint32_t i = 0; i < frame_length; i++) frame[i] = (uint8_t)random_bits();
  }
  if (happens(&faults.shorten)) {
    note("fault short");
    frame_length /= 2;
  }
}

// A header and a part of the frame in work; its length.
static uint32_t fill_payload(uint8_t *out, uint32_t room) {
  uint32_t count = frame_length - sent;
  if (count > room - HEADER) count = room - HEADER;
  out[0] = HEADER;
  out[1] = (uint8_t)(END_OF_HEADER | (number & 1 ? FRAME_IDENTIFIER : 0));
  memcpy(out + HEADER, frame + sent, count);
  sent += count;
  if (faults.mark) out[1] |= BROKEN;
  if (sent == frame_length) {
    out[1] |= END_OF_FRAME;
    has_frame = false;
    if (happens(&faults.mark)) note("fault broken");
  }
  return count + HEADER;
}

// Isochronous transfers are always answered, with empty packets between frames.
static bool fill_packets(struct transfer *transfer, uint8_t *buffer, size_t size) {
  double end = transfer->received + transfer->packets * 125e-6;
  if (!has_frame && now() < end) return false;
  uint32_t total = 0;
  for (int i = 0; i < transfer->packets; i++) {
    uint32_t room = ntohl(transfer->packet[i].length), count = 0;
    if (room > microframe_bytes(alternate)) room = microframe_bytes(alternate);
    if (has_frame && room > HEADER && total + room <= size) {
      count = fill_payload(buffer + total, room);
    }
    transfer->packet[i].actual = htonl(count);
    transfer->packet[i].status = 0;
    total += count;
  }
  answer_video(0, buffer, total);
  return true;
}

void pump(void) {
  static uint8_t buffer[1 << 20];
  while (streaming) {
    take_frame();
    struct transfer *transfer = waiting_video();
    if (!transfer) return;
    if (transfer->packets) {
      if (!fill_packets(transfer, buffer, sizeof buffer)) return;
    } else if (happens(&faults.stall_stream)) {
      note("fault stalled stream");
      answer_video(-EPIPE, NULL, 0);
    } else if (has_frame) {
      uint32_t room = (uint32_t)transfer->length;
      if (room > largest_payload()) room = largest_payload();
      answer_video(0, buffer, fill_payload(buffer, room));
    } else {
      return;
    }
  }
}

int milliseconds_to_next_frame(void) {
  if (!streaming) return -1;
  const struct transfer *transfer = waiting_video();
  if (!transfer || faults.hang) return 20;
  if (transfer->packets) return 1;
  double wait = (next_frame - now()) * 1000;
  return wait < 0 ? 0 : (int)wait + 1;
}
