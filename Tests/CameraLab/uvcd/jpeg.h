// A baseline JPEG encoder (ITU-T T.81), like those of webcams.
#ifndef JPEG_H
#define JPEG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct jpeg_style {
  // 1…100, by the scale of the IJG's library.
  int quality;
  // Chroma halved in both directions, and not in width alone.
  bool is_420;
  // Without Huffman tables and with the marker AVI1: who reads it is to know the usual tables.
  bool has_no_tables;
  // Every so many frames are damaged, 0 none.
  int damage_every;
};

// Encodes YUYV whose codes are taken as JPEG's; the bytes written, 0 where there is no room.
size_t encode_jpeg(const uint8_t *yuyv, int width, int height, struct jpeg_style style,
                   uint8_t *out, size_t room);

// Overwrites bytes in the second half.
void damage_jpeg(uint8_t *bytes, size_t count);

#endif
