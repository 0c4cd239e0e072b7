#include <arv.h>
#include <stdbool.h>

// A pixel format: its name, and how a sample's bits are stored.
typedef struct {
  const char *name;
  ArvPixelFormat code;
  enum { STORED_ALONE, STORED_PACKED_LSB, STORED_PACKED_GIGE } storage;
  // The bits of a sample.
  unsigned bits;
  // The color of each sample: of the 2x2 pixels of a mosaic, or in the order of a pixel's samples.
  // 'Y' is the mean of colors.
  const char *colors;
  bool is_mosaic;
} pixel_format;

extern const pixel_format formats[];
extern const unsigned format_count;
