// Little-endian numbers, as USB uses them.
#ifndef BYTES_H
#define BYTES_H

#include <stdint.h>

static inline uint32_t get_number(const uint8_t *from, int size) {
  uint32_t value = 0;
  for (int i = 0; i < size; i++) value |= (uint32_t)from[i] << 8 * i;
  return value;
}

static inline void put_number(uint8_t *to, uint32_t value, int size) {
  for (int i = 0; i < size; i++) to[i] = (uint8_t)(value >> 8 * i);
}

#endif
