#include "descriptors.h"

#include <errno.h>
#include <string.h>

#include "bytes.h"
#include "controls.h"
#include "scene.h"

struct identity identity = {0x1209, 0x0c01, "LAB0001", "Lab Camera"};
bool is_isochronous;
int highest_rate = 30;

static const struct {
  uint16_t width, height;
} sizes[SIZES] = {{320, 240}, {640, 480}, {1280, 720}, {160, 120}};
static const uint16_t microframes[] = {0, 512, 1024, 2 * 1024, 3 * 1024};
enum { ALTERNATES = sizeof microframes / sizeof *microframes };

int width_of(int size) { return sizes[size - 1].width; }
int height_of(int size) { return sizes[size - 1].height; }

static const struct {
  const char *name, *code;
  int bits_per_pixel;
} formats[FORMATS] = {
    [YUY2] = {"yuyv", "YUY2", 16},
    [NV12] = {"nv12", "NV12", 12},
    [RGGB] = {"rggb", "RGGB", 8},
    [MJPG] = {"mjpg", "MJPG", 16},
};
static int offered[FORMATS] = {YUY2, NV12, RGGB};
int format_count = 3;

int format_of(int number) { return offered[number - 1]; }

bool offer_formats(const char *names) {
  format_count = 0;
  for (;;) {
    size_t length = strcspn(names, ",");
    int format = 0;
    while (format < FORMATS && strncmp(names, formats[format].name, length)) format++;
    if (length != 4 || format == FORMATS || format_count == FORMATS) return false;
    offered[format_count++] = format;
    if (!names[length]) return true;
    names += length + 1;
  }
}

uint32_t bytes_of(int format, int size) {
  return (uint32_t)(width_of(size) * height_of(size) * formats[format].bits_per_pixel / 8);
}

uint32_t shortest_interval(void) { return (uint32_t)(10000000 / highest_rate); }

uint32_t nearest_interval(uint32_t interval) {
  uint32_t shortest = shortest_interval();
  return interval > shortest * 3 / 2 ? 2 * shortest : shortest;
}

uint32_t microframe_bytes(int alternate) { return microframes[alternate % ALTERNATES]; }
uint32_t largest_payload(void) { return is_isochronous ? 3072 : 16384; }

// A descriptor that is being written.
static uint8_t *text;
static int written;

static void append(const uint8_t *bytes, int count) {
  memcpy(text + written, bytes, (size_t)count);
  written += count;
}

#define BYTES(...) append((const uint8_t[]){__VA_ARGS__}, sizeof((uint8_t[]){__VA_ARGS__}))
#define TWO(x) (uint8_t)(x), (uint8_t)((x) >> 8)
#define THREE(x) TWO(x), (uint8_t)((x) >> 16)
#define FOUR(x) TWO(x), TWO((x) >> 16)

enum { INTERFACE_SPECIFIC = 0x24, CONTROL_EVENTS = 0x83, VIDEO = 0x81 };

static void append_control_interface(void) {
  BYTES(9, 4, 0, 0, 1, 14, 1, 0, 4);
  int start = written;
  BYTES(13, INTERFACE_SPECIFIC, 1, 0x10, 0x01, TWO(0), FOUR(48000000), 1, 1);
  BYTES(18, INTERFACE_SPECIFIC, 2, CAMERA_TERMINAL, 0x01, 0x02, 0, 0, TWO(0), TWO(0), TWO(0), 3,
        THREE(terminal_mask));
  BYTES(13, INTERFACE_SPECIFIC, 5, PROCESSING_UNIT, CAMERA_TERMINAL, TWO(0), 3, THREE(unit_mask),
        0, 0);
  BYTES(9, INTERFACE_SPECIFIC, 3, OUTPUT_TERMINAL, 0x01, 0x01, 0, PROCESSING_UNIT, 0);
  put_number(text + start + 5, (uint32_t)(written - start), 2);
  BYTES(7, 5, CONTROL_EVENTS, 3, 16, 0, 8);
  BYTES(5, 0x25, 3, 16, 0);
}

static void append_format(int number) {
  int format = format_of(number);
  bool is_compressed = format == MJPG;
  const char *code = formats[format].code;
  if (is_compressed) {
    BYTES(11, INTERFACE_SPECIFIC, 6, (uint8_t)number, SIZES, 0, 2, 0, 0, 0, 0);
  } else {
    BYTES(27, INTERFACE_SPECIFIC, 4, (uint8_t)number, SIZES);
    BYTES((uint8_t)code[0], (uint8_t)code[1], (uint8_t)code[2], (uint8_t)code[3]);
    BYTES(0, 0, 0x10, 0, 0x80, 0, 0, 0xaa, 0, 0x38, 0x9b, 0x71);
    BYTES((uint8_t)formats[format].bits_per_pixel, 2, 0, 0, 0, 0);
  }
  for (int size = 1; size <= SIZES; size++) {
    uint32_t bytes = bytes_of(format, size), interval = shortest_interval();
    BYTES(26 + 8, INTERFACE_SPECIFIC, is_compressed ? 7 : 5, (uint8_t)size, 0,
          TWO(width_of(size)), TWO(height_of(size)), FOUR(bytes * 8 * 5),
          FOUR(bytes * 8 * (uint32_t)highest_rate), FOUR(bytes), FOUR(interval), 2, FOUR(interval),
          FOUR(interval * 2));
  }
  // Primaries and curve of BT.709, luma of BT.601: what UVC takes for sRGB.
  BYTES(6, INTERFACE_SPECIFIC, 13, 1, 1, 4);
}

static void append_streaming_interface(void) {
  BYTES(9, 4, 1, 0, !is_isochronous, 14, 2, 0, 0);
  int start = written;
  BYTES((uint8_t)(13 + format_count), INTERFACE_SPECIFIC, 1, (uint8_t)format_count, TWO(0), VIDEO,
        0, OUTPUT_TERMINAL, 0, 0, 0, 1);
  for (int number = 1; number <= format_count; number++) BYTES(0);
  for (int number = 1; number <= format_count; number++) append_format(number);
  put_number(text + start + 4, (uint32_t)(written - start), 2);
  if (!is_isochronous) {
    BYTES(7, 5, VIDEO, 2, TWO(512), 0);
    return;
  }
  for (int alternate = 1; alternate < ALTERNATES; alternate++) {
    int bytes = microframes[alternate], packets = (bytes + 1023) / 1024;
    BYTES(9, 4, 1, (uint8_t)alternate, 1, 14, 2, 0, 0);
    BYTES(7, 5, VIDEO, 5, TWO(bytes / packets | (packets - 1) << 11), 1);
  }
}

static void append_configuration(void) {
  BYTES(9, 2, TWO(0), 2, 1, 0, 0x80, 250);
  BYTES(8, 11, 0, 2, 14, 3, 0, 4);
  append_control_interface();
  append_streaming_interface();
  put_number(text + 2, (uint32_t)written, 2);
}

static void append_string(const char *string) {
  int length = (int)strlen(string);
  BYTES((uint8_t)(2 + 2 * length), 3);
  for (int i = 0; i < length; i++) BYTES((uint8_t)string[i], 0);
}

int get_descriptor(int type, int index, uint8_t *out) {
  text = out;
  written = 0;
  const char *strings[] = {"Camera Lab", identity.name, identity.serial, identity.name};
  switch (type) {
  case 1:
    BYTES(18, 1, 0, 2, 0xef, 2, 1, 64, TWO(identity.vendor), TWO(identity.product), 0, 1, 1, 2, 3,
          1);
    break;
  case 2: append_configuration(); break;
  case 3:
    if (index > 4) return -EPIPE;
    if (index) append_string(strings[index - 1]);
    else BYTES(4, 3, 9, 4);
    break;
  case 6: BYTES(10, 6, 0, 2, 0xef, 2, 1, 64, 1, 0); break;
  default: return -EPIPE;
  }
  return written;
}
