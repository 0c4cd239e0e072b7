// What the camera says of itself on the bus: identity, formats, sizes, rates and controls.
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

// Frame sizes are numbered from 1.
enum { SIZES = 4 };
int width_of(int size);
int height_of(int size);
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
