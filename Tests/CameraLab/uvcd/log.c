#include "log.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static FILE *file;
static double opened;

double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

void fail(const char *what) {
  perror(what);
  exit(1);
}

void open_log(const char *path) {
  file = fopen(path, "a");
  if (!file) fail(path);
  opened = now();
}

void note(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fprintf(file, "%.3f ", now() - opened);
  vfprintf(file, format, arguments);
  fputc('\n', file);
  fflush(file);
  va_end(arguments);
}
