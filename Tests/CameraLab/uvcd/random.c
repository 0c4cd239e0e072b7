#include "random.h"

#include <math.h>

// Marsaglia's xorshift (2003).
uint32_t random_bits(void) {
  static uint32_t state = 2463534242u;
  state ^= state << 13;
  state ^= state >> 17;
  return state ^= state << 5;
}

double random_normal(void) {
  double sum = 0;
  for (int i = 0; i < 4; i++) sum += random_bits() * 0x1p-32 - 0.5;
  return sum * sqrt(3);
}
