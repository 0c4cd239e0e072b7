// The mean color in the middle of frames in a file.
#ifndef MEAN_H
#define MEAN_H

#include <stdbool.h>

// Prints mean Y, Cb, Cr and their R, G, B of each YUYV frame; the exit status.
int print_means(const char *path, int width, int height, bool is_full_range);

#endif
