#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tiffio.h>

// A TIFF file in memory and the first error that the library reports about it. libtiff's handlers
// take a va_list and are per file only since 4.5, so both are implemented in C.
typedef struct {
  const uint8_t *bytes;
  uint64_t count;
  uint64_t position;
  char message[256];
  // For a file that is written: the allocation that `bytes` points to, and its size.
  uint8_t *output;
  uint64_t capacity;
} CTIFFSource;

static inline tmsize_t ctiff_read(thandle_t handle, void *buffer, tmsize_t wanted) {
  CTIFFSource *source = (CTIFFSource *)handle;
  uint64_t left = source->position < source->count ? source->count - source->position : 0;
  uint64_t count = wanted < 0 ? 0 : (uint64_t)wanted < left ? (uint64_t)wanted : left;
  memcpy(buffer, source->bytes + (count ? source->position : 0), count);
  source->position += count;
  return (tmsize_t)count;
}

// Writes bytes, and grows the output if necessary; bytes that a seek skipped are 0.
static inline tmsize_t ctiff_write(thandle_t handle, void *buffer, tmsize_t wanted) {
  CTIFFSource *source = (CTIFFSource *)handle;
  uint64_t count = (uint64_t)wanted, end = source->position + count;
  if (wanted < 0 || end < count || end > (uint64_t)1 << 40) return -1;
  if (end > source->capacity) {
    uint64_t capacity = end + end / 2;
    uint8_t *output = (uint8_t *)realloc(source->output, capacity);
    if (!output) return -1;
    memset(output + source->capacity, 0, capacity - source->capacity);
    source->bytes = source->output = output;
    source->capacity = capacity;
  }
  memcpy(source->output + source->position, buffer, count);
  source->position = end;
  if (end > source->count) source->count = end;
  return wanted;
}

// Lets a file that is written begin with bytes, before what libtiff writes; returns 0 without
// memory. libtiff then overwrites the header, and appends.
static inline int ctiff_begin(CTIFFSource *source, const uint8_t *bytes, uint64_t count) {
  int isWritten = ctiff_write(source, (void *)bytes, (tmsize_t)count) == (tmsize_t)count;
  source->position = 0;
  return isWritten;
}

static inline toff_t ctiff_seek(thandle_t handle, toff_t offset, int origin) {
  CTIFFSource *source = (CTIFFSource *)handle;
  uint64_t base =
      origin == SEEK_SET ? 0 : origin == SEEK_CUR ? source->position : source->count;
  return source->position = base + offset;
}

static inline toff_t ctiff_size(thandle_t handle) { return ((CTIFFSource *)handle)->count; }

static inline int ctiff_close(thandle_t handle) {
  (void)handle;
  return 0;
}

// Gives the decoders direct access to the bytes; libtiff copies them before it changes any.
static inline int ctiff_map(thandle_t handle, void **base, toff_t *size) {
  CTIFFSource *source = (CTIFFSource *)handle;
  *base = (void *)source->bytes;
  *size = source->count;
  return 1;
}

static inline int ctiff_error(
    TIFF *file, void *user, const char *module, const char *format, va_list arguments) {
  (void)file, (void)module;
  CTIFFSource *source = (CTIFFSource *)user;
  if (!source->message[0])
    vsnprintf(source->message, sizeof source->message, format, arguments);
  return 1;
}

static inline int ctiff_warning(
    TIFF *file, void *user, const char *module, const char *format, va_list arguments) {
  (void)file, (void)user, (void)module, (void)format, (void)arguments;
  return 1;
}

// Opens a file; returns NULL, with a message in the source, if that fails. The source must outlive
// the file. The mode is libtiff's: r, w or w8.
static inline TIFF *ctiff_open(CTIFFSource *source, const char *mode) {
  TIFFOpenOptions *options = TIFFOpenOptionsAlloc();
  if (!options) return NULL;
  TIFFOpenOptionsSetMaxSingleMemAlloc(options, (tmsize_t)1 << 30);
  TIFFOpenOptionsSetErrorHandlerExtR(options, ctiff_error, source);
  TIFFOpenOptionsSetWarningHandlerExtR(options, ctiff_warning, NULL);
  TIFF *file = TIFFClientOpenExt(
      "picture", mode, source, ctiff_read, ctiff_write, ctiff_seek, ctiff_close, ctiff_size,
      ctiff_map, NULL, options);
  TIFFOpenOptionsFree(options);
  return file;
}

static inline const char *ctiff_message(const CTIFFSource *source) { return source->message; }

// Returns a tag of 16 bits, or its default; the fallback if it has none.
static inline uint16_t ctiff_tag16(TIFF *file, uint32_t tag, uint16_t fallback) {
  uint16_t value = fallback;
  return TIFFGetFieldDefaulted(file, tag, &value) ? value : fallback;
}

// Returns a tag of 32 bits, or its default; the fallback if it has none.
static inline uint32_t ctiff_tag32(TIFF *file, uint32_t tag, uint32_t fallback) {
  uint32_t value = fallback;
  return TIFFGetFieldDefaulted(file, tag, &value) ? value : fallback;
}

// Returns a tag of one floating-point number; the fallback if it is missing.
static inline float ctiff_number(TIFF *file, uint32_t tag, float fallback) {
  float value = fallback;
  return TIFFGetField(file, tag, &value) ? value : fallback;
}

// Returns the meaning of the first sample after the colors (EXTRASAMPLE_…); the fallback if the
// file does not state it.
static inline uint16_t ctiff_extra_sample(TIFF *file, uint16_t fallback) {
  uint16_t count = 0, *kinds = NULL;
  return TIFFGetField(file, TIFFTAG_EXTRASAMPLES, &count, &kinds) && count ? kinds[0] : fallback;
}

// Returns the bytes of the ICC profile, which belong to the library; NULL if there is none.
static inline const uint8_t *ctiff_profile(TIFF *file, uint32_t *count) {
  void *bytes = NULL;
  return TIFFGetField(file, TIFFTAG_ICCPROFILE, count, &bytes) ? (const uint8_t *)bytes : NULL;
}

static inline int ctiff_set_integer(TIFF *file, uint32_t tag, uint32_t value) {
  return TIFFSetField(file, tag, value);
}

static inline int ctiff_set_number(TIFF *file, uint32_t tag, float value) {
  return TIFFSetField(file, tag, (double)value);
}

static inline int ctiff_set_extra_sample(TIFF *file, uint16_t kind) {
  return TIFFSetField(file, TIFFTAG_EXTRASAMPLES, 1, &kind);
}

static inline int ctiff_set_profile(TIFF *file, const uint8_t *bytes, uint32_t count) {
  return TIFFSetField(file, TIFFTAG_ICCPROFILE, count, bytes);
}
