#include "formats.h"

#define MOSAIC(order, colors, code8, code10, code12, code16, code10p, code12p, code12packed)    \
  {"Bayer" order "8", code8, STORED_ALONE, 8, colors, true},                                    \
  {"Bayer" order "10", code10, STORED_ALONE, 10, colors, true},                                 \
  {"Bayer" order "12", code12, STORED_ALONE, 12, colors, true},                                 \
  {"Bayer" order "16", code16, STORED_ALONE, 16, colors, true},                                 \
  {"Bayer" order "10p", code10p, STORED_PACKED_LSB, 10, colors, true},                          \
  {"Bayer" order "12p", code12p, STORED_PACKED_LSB, 12, colors, true},                          \
  {"Bayer" order "12Packed", code12packed, STORED_PACKED_GIGE, 12, colors, true}

// The numbers are those of the Pixel Format Naming Convention.
const pixel_format formats[] = {
    MOSAIC("RG", "RGGB", 0x01080009, 0x0110000d, 0x01100011, 0x0110002f, 0x010a0058, 0x010c0059,
           0x010c002b),
    MOSAIC("GR", "GRBG", 0x01080008, 0x0110000c, 0x01100010, 0x0110002e, 0x010a0056, 0x010c0057,
           0x010c002a),
    MOSAIC("GB", "GBRG", 0x0108000a, 0x0110000e, 0x01100012, 0x01100030, 0x010a0054, 0x010c0055,
           0x010c002c),
    MOSAIC("BG", "BGGR", 0x0108000b, 0x0110000f, 0x01100013, 0x01100031, 0x010a0052, 0x010c0053,
           0x010c002d),
    {"Mono8", 0x01080001, STORED_ALONE, 8, "Y", false},
    {"Mono12", 0x01100005, STORED_ALONE, 12, "Y", false},
    {"RGB8", 0x02180014, STORED_ALONE, 8, "RGB", false},
    {"BGR8", 0x02180015, STORED_ALONE, 8, "BGR", false},
};
const unsigned format_count = sizeof formats / sizeof *formats;
