// The command line of the camera.
#ifndef OPTIONS_H
#define OPTIONS_H

#include <stdbool.h>

struct options {
  const char *socket, *log, *lamps, *lamp;
  int port;
  bool is_unplugged;
};

// Ends the program where something is not known, or out of range.
void refuse(const char *what, const char *value) __attribute__((noreturn));

// Reads the options, most of which are settings of other parts.
struct options read_options(int count, char **words);

#endif
