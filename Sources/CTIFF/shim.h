#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <tiffio.h>

// A TIFF file in memory and the first error that the library reports about it. libtiff's handlers
// take a va_list and are per file only since 4.5, so both stay on this side of the border.
typedef struct {
  const uint8_t *bytes;
  uint64_t count;
  uint64_t position;
  char message[256];
} CTIFFSource;

static inline tmsize_t ctiff_read(thandle_t handle, void *buffer, tmsize_t wanted) {
  CTIFFSource *source = (CTIFFSource *)handle;
  uint64_t left = source->position < source->count ? source->count - source->position : 0;
  uint64_t count = wanted < 0 ? 0 : (uint64_t)wanted < left ? (uint64_t)wanted : left;
  memcpy(buffer, source->bytes + (count ? source->position : 0), count);
  source->position += count;
  return (tmsize_t)count;
}

static inline tmsize_t ctiff_write(thandle_t handle, void *buffer, tmsize_t count) {
  (void)handle, (void)buffer, (void)count;
  return -1;
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

// The decoders read the bytes where they are; libtiff copies before it changes any.
static inline int ctiff_map(thandle_t handle, void **base, toff_t *size) {
  CTIFFSource *source = (CTIFFSource *)handle;
  *base = (void *)source->bytes;
  *size = source->count;
  return 1;
}

static inline void ctiff_unmap(thandle_t handle, void *base, toff_t size) {
  (void)handle, (void)base, (void)size;
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

// The file, or NULL and a message. The source must outlive it.
static inline TIFF *ctiff_open(CTIFFSource *source) {
  TIFFOpenOptions *options = TIFFOpenOptionsAlloc();
  if (!options) return NULL;
  TIFFOpenOptionsSetMaxSingleMemAlloc(options, (tmsize_t)1 << 30);
  TIFFOpenOptionsSetErrorHandlerExtR(options, ctiff_error, source);
  TIFFOpenOptionsSetWarningHandlerExtR(options, ctiff_warning, NULL);
  TIFF *file = TIFFClientOpenExt(
      "picture", "r", source, ctiff_read, ctiff_write, ctiff_seek, ctiff_close, ctiff_size,
      ctiff_map, ctiff_unmap, options);
  TIFFOpenOptionsFree(options);
  return file;
}

static inline const char *ctiff_message(const CTIFFSource *source) { return source->message; }

// A tag of 16 bits, or its default; the fallback where it has none.
static inline uint16_t ctiff_tag16(TIFF *file, uint32_t tag, uint16_t fallback) {
  uint16_t value = fallback;
  return TIFFGetFieldDefaulted(file, tag, &value) ? value : fallback;
}

// A tag of 32 bits, or its default; the fallback where it has none.
static inline uint32_t ctiff_tag32(TIFF *file, uint32_t tag, uint32_t fallback) {
  uint32_t value = fallback;
  return TIFFGetFieldDefaulted(file, tag, &value) ? value : fallback;
}
