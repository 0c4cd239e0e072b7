// Random numbers that are the same in every run.
#ifndef RANDOM_H
#define RANDOM_H

#include <stdint.h>

uint32_t random_bits(void);

// Nearly standard normal, the sum of four uniform numbers.
double random_normal(void);

#endif
