#include <libraw/libraw.h>
#include <string.h>

// `cblack`, an array of more than 4096 elements, does not import into Swift.
//
// Black of the pixel at a row and column of the visible area: one level for all, plus one for its
// color, plus one for its place in a repeating block.
static inline unsigned clibraw_black(libraw_data_t *raw, int row, int column) {
  const unsigned *cblack = raw->color.cblack;
  unsigned rows = cblack[4], columns = cblack[5];
  unsigned level = raw->color.black + cblack[libraw_COLOR(raw, row, column) & 3];
  if (rows && columns && (unsigned long)rows * columns <= LIBRAW_CBLACK_SIZE - 6)
    level += cblack[6 + row % rows * columns + column % columns];
  return level;
}

// Rows and columns after which the black levels repeat, at least the color filter's two.
static inline unsigned clibraw_black_rows(const libraw_data_t *raw) {
  unsigned rows = raw->color.cblack[4];
  return rows < 2 ? 2 : rows % 2 ? 2 * rows : rows;
}

static inline unsigned clibraw_black_columns(const libraw_data_t *raw) {
  unsigned columns = raw->color.cblack[5];
  return columns < 2 ? 2 : columns % 2 ? 2 * columns : columns;
}

// Whether the filter's colors are red, green, blue and a second green.
static inline int clibraw_is_rgbg(const libraw_data_t *raw) {
  return raw->idata.colors == 3 && strcmp(raw->idata.cdesc, "RGBG") == 0;
}
