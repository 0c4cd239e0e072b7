#include "jpeg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "random.h"

enum { LUMA, CHROMA, KINDS };

// Places of a block in the order in which they are sent.
static const uint8_t zigzag[64] = {
    0,  1,  8,  16, 9,  2,  3,  10, 17, 24, 32, 25, 18, 11, 4,  5,  12, 19, 26, 33, 40, 48,
    41, 34, 27, 20, 13, 6,  7,  14, 21, 28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23,
    30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63};

// Tables K.1 and K.2 of the standard.
static const uint8_t usual_steps[KINDS][64] = {
    {16, 11, 10, 16, 24,  40,  51,  61,  12, 12, 14, 19, 26,  58,  60,  55,
     14, 13, 16, 24, 40,  57,  69,  56,  14, 17, 22, 29, 51,  87,  80,  62,
     18, 22, 37, 56, 68,  109, 103, 77,  24, 35, 55, 64, 81,  104, 113, 92,
     49, 64, 78, 87, 103, 121, 120, 101, 72, 92, 95, 98, 112, 100, 103, 99},
    {17, 18, 24, 47, 99, 99, 99, 99, 18, 21, 26, 66, 99, 99, 99, 99,
     24, 26, 56, 99, 99, 99, 99, 99, 47, 66, 99, 99, 99, 99, 99, 99,
     99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99,
     99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99}};

// Tables K.3 to K.6: how many codes of each length, 1…16, there are, and what they stand for.
struct huffman {
  uint8_t lengths[16], symbols[162];
};

static const struct huffman levels_tables[KINDS] = {
    {{0, 1, 5, 1, 1, 1, 1, 1, 1}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}},
    {{0, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}}};

static const struct huffman runs_tables[KINDS] = {
    {{0, 2, 1, 3, 3, 2, 4, 3, 5, 5, 4, 4, 0, 0, 1, 0x7d},
     {0x01, 0x02, 0x03, 0x00, 0x04, 0x11, 0x05, 0x12, 0x21, 0x31, 0x41, 0x06, 0x13, 0x51, 0x61,
      0x07, 0x22, 0x71, 0x14, 0x32, 0x81, 0x91, 0xa1, 0x08, 0x23, 0x42, 0xb1, 0xc1, 0x15, 0x52,
      0xd1, 0xf0, 0x24, 0x33, 0x62, 0x72, 0x82, 0x09, 0x0a, 0x16, 0x17, 0x18, 0x19, 0x1a, 0x25,
      0x26, 0x27, 0x28, 0x29, 0x2a, 0x34, 0x35, 0x36, 0x37, 0x38, 0x39, 0x3a, 0x43, 0x44, 0x45,
      0x46, 0x47, 0x48, 0x49, 0x4a, 0x53, 0x54, 0x55, 0x56, 0x57, 0x58, 0x59, 0x5a, 0x63, 0x64,
      0x65, 0x66, 0x67, 0x68, 0x69, 0x6a, 0x73, 0x74, 0x75, 0x76, 0x77, 0x78, 0x79, 0x7a, 0x83,
      0x84, 0x85, 0x86, 0x87, 0x88, 0x89, 0x8a, 0x92, 0x93, 0x94, 0x95, 0x96, 0x97, 0x98, 0x99,
      0x9a, 0xa2, 0xa3, 0xa4, 0xa5, 0xa6, 0xa7, 0xa8, 0xa9, 0xaa, 0xb2, 0xb3, 0xb4, 0xb5, 0xb6,
      0xb7, 0xb8, 0xb9, 0xba, 0xc2, 0xc3, 0xc4, 0xc5, 0xc6, 0xc7, 0xc8, 0xc9, 0xca, 0xd2, 0xd3,
      0xd4, 0xd5, 0xd6, 0xd7, 0xd8, 0xd9, 0xda, 0xe1, 0xe2, 0xe3, 0xe4, 0xe5, 0xe6, 0xe7, 0xe8,
      0xe9, 0xea, 0xf1, 0xf2, 0xf3, 0xf4, 0xf5, 0xf6, 0xf7, 0xf8, 0xf9, 0xfa}},
    {{0, 2, 1, 2, 4, 4, 3, 4, 7, 5, 4, 4, 0, 1, 2, 0x77},
     {0x00, 0x01, 0x02, 0x03, 0x11, 0x04, 0x05, 0x21, 0x31, 0x06, 0x12, 0x41, 0x51, 0x07, 0x61,
      0x71, 0x13, 0x22, 0x32, 0x81, 0x08, 0x14, 0x42, 0x91, 0xa1, 0xb1, 0xc1, 0x09, 0x23, 0x33,
      0x52, 0xf0, 0x15, 0x62, 0x72, 0xd1, 0x0a, 0x16, 0x24, 0x34, 0xe1, 0x25, 0xf1, 0x17, 0x18,
      0x19, 0x1a, 0x26, 0x27, 0x28, 0x29, 0x2a, 0x35, 0x36, 0x37, 0x38, 0x39, 0x3a, 0x43, 0x44,
      0x45, 0x46, 0x47, 0x48, 0x49, 0x4a, 0x53, 0x54, 0x55, 0x56, 0x57, 0x58, 0x59, 0x5a, 0x63,
      0x64, 0x65, 0x66, 0x67, 0x68, 0x69, 0x6a, 0x73, 0x74, 0x75, 0x76, 0x77, 0x78, 0x79, 0x7a,
      0x82, 0x83, 0x84, 0x85, 0x86, 0x87, 0x88, 0x89, 0x8a, 0x92, 0x93, 0x94, 0x95, 0x96, 0x97,
      0x98, 0x99, 0x9a, 0xa2, 0xa3, 0xa4, 0xa5, 0xa6, 0xa7, 0xa8, 0xa9, 0xaa, 0xb2, 0xb3, 0xb4,
      0xb5, 0xb6, 0xb7, 0xb8, 0xb9, 0xba, 0xc2, 0xc3, 0xc4, 0xc5, 0xc6, 0xc7, 0xc8, 0xc9, 0xca,
      0xd2, 0xd3, 0xd4, 0xd5, 0xd6, 0xd7, 0xd8, 0xd9, 0xda, 0xe2, 0xe3, 0xe4, 0xe5, 0xe6, 0xe7,
      0xe8, 0xe9, 0xea, 0xf2, 0xf3, 0xf4, 0xf5, 0xf6, 0xf7, 0xf8, 0xf9, 0xfa}}};

// The code of each symbol.
struct codes {
  uint16_t code[256];
  uint8_t length[256];
};

static int symbols_of(const struct huffman *table) {
  int count = 0;
  for (int i = 0; i < 16; i++) count += table->lengths[i];
  return count;
}

static void number_codes(const struct huffman *table, struct codes *codes) {
  const uint8_t *symbol = table->symbols;
  uint16_t code = 0;
  for (int length = 1; length <= 16; length++, code = (uint16_t)(code << 1)) {
    for (int i = 0; i < table->lengths[length - 1]; i++, symbol++) {
      codes->code[*symbol] = code++;
      codes->length[*symbol] = (uint8_t)length;
    }
  }
}

// The file in work. Where it is full, nothing more is written.
struct writer {
  uint8_t *next, *end;
  bool is_full;
  uint32_t bits;
  int count;
};

static void write_bytes(struct writer *writer, const uint8_t *bytes, size_t count) {
  if ((size_t)(writer->end - writer->next) < count) {
    writer->is_full = true;
    return;
  }
  memcpy(writer->next, bytes, count);
  writer->next += count;
}

#define BYTES(...) \
  write_bytes(writer, (const uint8_t[]){__VA_ARGS__}, sizeof((uint8_t[]){__VA_ARGS__}))
#define TWO(x) (uint8_t)((x) >> 8), (uint8_t)(x)

static void write_bits(struct writer *writer, uint32_t bits, int count) {
  writer->bits = writer->bits << count | (bits & ((1u << count) - 1));
  for (writer->count += count; writer->count >= 8; writer->count -= 8) {
    uint8_t byte = (uint8_t)(writer->bits >> (writer->count - 8));
    BYTES(byte);
    if (byte == 0xff) BYTES(0);
  }
}

static void write_tables(struct writer *writer, const struct huffman *tables, int class) {
  for (int kind = 0; kind < KINDS; kind++) {
    int count = symbols_of(&tables[kind]);
    BYTES(0xff, 0xc4, TWO(19 + count), (uint8_t)(class << 4 | kind));
    write_bytes(writer, tables[kind].lengths, 16);
    write_bytes(writer, tables[kind].symbols, (size_t)count);
  }
}

static void write_header(struct writer *writer, uint8_t steps[KINDS][64], int width, int height,
                         struct jpeg_style style) {
  BYTES(0xff, 0xd8);
  BYTES(0xff, 0xe0, TWO(16));
  if (style.has_no_tables) BYTES('A', 'V', 'I', '1', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
  else BYTES('J', 'F', 'I', 'F', 0, 1, 1, 0, TWO(1), TWO(1), 0, 0);
  for (int kind = 0; kind < KINDS; kind++) {
    BYTES(0xff, 0xdb, TWO(67), (uint8_t)kind);
    for (int i = 0; i < 64; i++) BYTES(steps[kind][zigzag[i]]);
  }
  BYTES(0xff, 0xc0, TWO(17), 8, TWO(height), TWO(width), 3);
  BYTES(1, style.is_420 ? 0x22 : 0x21, LUMA, 2, 0x11, CHROMA, 3, 0x11, CHROMA);
  if (!style.has_no_tables) {
    write_tables(writer, levels_tables, 0);
    write_tables(writer, runs_tables, 1);
  }
  BYTES(0xff, 0xda, TWO(12), 3, 1, 0x00, 2, 0x11, 3, 0x11, 0, 63, 0);
}

// The cosines of the transform, in 8192nds, half of each row: the other half mirrors it.
static int32_t cosines[8][4];
static struct codes level_codes[KINDS], run_codes[KINDS];

static void prepare(void) {
  static bool is_prepared;
  if (is_prepared) return;
  is_prepared = true;
  for (int k = 0; k < 8; k++) {
    for (int i = 0; i < 4; i++) {
      double scale = k ? 0.5 : sqrt(0.125);
      cosines[k][i] = (int32_t)lround(8192 * scale * cos((2 * i + 1) * k * M_PI / 16));
    }
  }
  for (int kind = 0; kind < KINDS; kind++) {
    number_codes(&levels_tables[kind], &level_codes[kind]);
    number_codes(&runs_tables[kind], &run_codes[kind]);
  }
}

// Transforms eight numbers at a distance from each other, and leaves out some of the 13 bits of the
// cosines.
static void transform(int32_t *x, int stride, int shift) {
  int32_t sum[4], difference[4];
  for (int i = 0; i < 4; i++) {
    sum[i] = x[i * stride] + x[(7 - i) * stride];
    difference[i] = x[i * stride] - x[(7 - i) * stride];
  }
  for (int k = 0; k < 8; k++) {
    const int32_t *from = k & 1 ? difference : sum, *c = cosines[k];
    int32_t total = from[0] * c[0] + from[1] * c[1] + from[2] * c[2] + from[3] * c[3];
    x[k * stride] = (total + (1 << (shift - 1))) >> shift;
  }
}

static void write_number(struct writer *writer, const struct codes *codes, int run, int value) {
  int size = value ? 32 - __builtin_clz((unsigned)abs(value)) : 0;
  int symbol = run << 4 | size;
  write_bits(writer, codes->code[symbol], codes->length[symbol]);
  if (size) write_bits(writer, (uint32_t)(value < 0 ? value - 1 : value), size);
}

static void write_block(struct writer *writer, int32_t block[64], int kind,
                        const uint8_t steps[64], int *level) {
  for (int i = 0; i < 8; i++) transform(block + 8 * i, 1, 10);
  for (int i = 0; i < 8; i++) transform(block + i, 8, 16);
  int run = 0;
  for (int i = 0; i < 64; i++) {
    int32_t value = block[zigzag[i]], step = steps[zigzag[i]];
    value = value < 0 ? -((step / 2 - value) / step) : (value + step / 2) / step;
    if (i == 0) {
      write_number(writer, &level_codes[kind], 0, value - *level);
      *level = value;
    } else if (value == 0) {
      run++;
    } else {
      for (; run > 15; run -= 16) write_number(writer, &run_codes[kind], 15, 0);
      write_number(writer, &run_codes[kind], run, value);
      run = 0;
    }
  }
  if (run) write_number(writer, &run_codes[kind], 0, 0);
}

// A picture, and from where in it a block is taken. What lies outside is like the edge.
struct picture {
  const uint8_t *yuyv;
  int width, height;
};

static const uint8_t *row_of(const struct picture *picture, int y) {
  return picture->yuyv + (y < picture->height ? y : picture->height - 1) * picture->width * 2;
}

static int within(int x, int count) { return x < count ? x : count - 1; }

static void take_luma(const struct picture *picture, int left, int top, int32_t block[64]) {
  for (int i = 0; i < 64; i++) {
    int x = within(left + i % 8, picture->width);
    block[i] = row_of(picture, top + i / 8)[2 * x] - 128;
  }
}

// Chroma of an offset in YUYV; of two lines together under 4:2:0. Left is in pairs of pixels, top
// in lines.
static void take_chroma(const struct picture *picture, int left, int top, int offset, bool is_420,
                        int32_t block[64]) {
  for (int i = 0; i < 64; i++) {
    int at = within(left + i % 8, picture->width / 2) * 4 + offset;
    int y = top + (i / 8 << is_420);
    int sum = row_of(picture, y)[at] + row_of(picture, y + is_420)[at];
    // Halves go up and down by turns.
    block[i] = ((sum + (i & 1)) >> 1) - 128;
  }
}

size_t encode_jpeg(const uint8_t *yuyv, int width, int height, struct jpeg_style style,
                   uint8_t *out, size_t room) {
  prepare();
  uint8_t steps[KINDS][64];
  int scale = style.quality < 50 ? 5000 / style.quality : 200 - 2 * style.quality;
  for (int i = 0; i < KINDS * 64; i++) {
    int step = (usual_steps[i / 64][i % 64] * scale + 50) / 100;
    steps[i / 64][i % 64] = (uint8_t)(step < 1 ? 1 : step > 255 ? 255 : step);
  }
  struct writer state = {.next = out, .end = out + room}, *writer = &state;
  write_header(writer, steps, width, height, style);
  const struct picture picture = {yuyv, width, height};
  int levels[3] = {0}, lines = style.is_420 ? 16 : 8;
  int32_t block[64];
  for (int top = 0; top < height; top += lines) {
    for (int left = 0; left < width && !writer->is_full; left += 16) {
      for (int i = 0; i < lines / 4; i++) {
        take_luma(&picture, left + i % 2 * 8, top + i / 2 * 8, block);
        write_block(writer, block, LUMA, steps[LUMA], &levels[0]);
      }
      for (int c = 1; c < 3; c++) {
        take_chroma(&picture, left / 2, top, 2 * c - 1, style.is_420, block);
        write_block(writer, block, CHROMA, steps[CHROMA], &levels[c]);
      }
    }
  }
  write_bits(writer, 0x7f, 7);
  BYTES(0xff, 0xd9);
  return writer->is_full ? 0 : (size_t)(writer->next - out);
}

void damage_jpeg(uint8_t *bytes, size_t count) {
  size_t half = count / 2;
  for (int i = 0; i < 64 && half > 2; i++) {
    bytes[half + random_bits() % (half - 2)] = (uint8_t)random_bits();
  }
}
