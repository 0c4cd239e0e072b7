// The camera's USB descriptors: identity, formats, sizes, rates and controls.
#ifndef DESCRIPTORS_H
#define DESCRIPTORS_H

#include <stdbool.h>
#include <stdint.h>

struct identity {
  uint16_t vendor, product;
  const char *serial, *name;
};

extern struct identity identity;
// Isochronous transfer with alternate settings, instead of bulk.
extern bool is_isochronous;
extern int highest_rate;

// Whether formats of these names, with commas between, are those offered.
bool offer_formats(const char *names);
// They are numbered from 1, as are frame sizes.
extern int format_count;
int format_of(int number);

enum { SIZES = 4 };
int width_of(int size);
int height_of(int size);
// Of a frame of a format, at most.
uint32_t bytes_of(int format, int size);

// Frame intervals, in 100 ns.
uint32_t shortest_interval(void);
uint32_t nearest_interval(uint32_t interval);

// Bytes in each microframe of an isochronous alternate setting.
uint32_t microframe_bytes(int alternate);
// Bytes in a payload at most.
uint32_t largest_payload(void);

// Answers a request for a descriptor; its length, or a negative error.
int get_descriptor(int type, int index, uint8_t *out);

#endif
