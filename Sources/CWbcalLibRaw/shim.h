#include <libraw/libraw.h>
#include <stdint.h>
#include <string.h>

// The array `cblack`, of more than 4096 elements, does not import into Swift.
//
// Returns the black level of the pixel at a row and column of the visible area: one level for all,
// plus one for its color, plus one for its position in a repeating block.
static inline unsigned clibraw_black(libraw_data_t *raw, int row, int column) {
  const unsigned *cblack = raw->color.cblack;
  unsigned rows = cblack[4], columns = cblack[5];
  unsigned level = raw->color.black + cblack[libraw_COLOR(raw, row, column) & 3];
  if (rows && columns && (unsigned long)rows * columns <= LIBRAW_CBLACK_SIZE - 6)
    level += cblack[6 + row % rows * columns + column % columns];
  return level;
}

// Returns the number of rows after which the black levels repeat, at least the color filter's two.
static inline unsigned clibraw_black_rows(const libraw_data_t *raw) {
  unsigned rows = raw->color.cblack[4];
  return rows < 2 ? 2 : rows % 2 ? 2 * rows : rows;
}

static inline unsigned clibraw_black_columns(const libraw_data_t *raw) {
  unsigned columns = raw->color.cblack[5];
  return columns < 2 ? 2 : columns % 2 ? 2 * columns : columns;
}

// Text in arrays, which import into Swift as tuples.
static inline const char *clibraw_make(const libraw_data_t *raw) { return raw->idata.make; }
static inline const char *clibraw_model(const libraw_data_t *raw) { return raw->idata.model; }
static inline const char *clibraw_serial(const libraw_data_t *raw) {
  return raw->shootinginfo.BodySerial;
}

// Returns 1 if the filter's colors are red, green, blue and a second green.
static inline int clibraw_is_rgbg(const libraw_data_t *raw) {
  return raw->idata.colors == 3 && strcmp(raw->idata.cdesc, "RGBG") == 0;
}

// Returns 1 if a file may contain, anywhere that LibRaw could find it, a directory entry for a
// filter of 36 colors. For such an entry Debian's LibRaw 0.20 writes to memory endlessly: GCC
// compiled a loop over `xtrans[0][c]`, which crosses the six rows, as an infinite one.
static inline int clibraw_may_have_36_colors(const uint8_t *bytes, size_t count) {
  for (size_t block = 0; block < count; block += 4096) {
    size_t end = block + 4096 < count ? block + 4096 : count;
    // The number 36 has three consecutive zero bytes, two of which form an even word.
    uint16_t found = 0;
    for (size_t i = block; i + 1 < end; i += 2) {
      uint16_t word;
      memcpy(&word, bytes + i, 2);
      found |= word == 0;
    }
    if (!found) continue;
    for (size_t i = block < 8 ? 0 : block - 8; i < end && i + 8 <= count; i++) {
      const uint8_t *entry = bytes + i;  // tag, type, count; CFAPattern is 0x828E, Kodak's 0xFD09
      static const uint8_t little[] = {36, 0, 0, 0}, big[] = {0, 0, 0, 36};
      if (!memcmp(entry + 4, little, 4)
          && (!memcmp(entry, "\x8E\x82", 2) || !memcmp(entry, "\x09\xFD", 2)))
        return 1;
      if (!memcmp(entry + 4, big, 4)
          && (!memcmp(entry, "\x82\x8E", 2) || !memcmp(entry, "\xFD\x09", 2)))
        return 1;
    }
  }
  return 0;
}
