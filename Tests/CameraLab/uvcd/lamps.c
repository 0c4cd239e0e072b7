#include "lamps.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "log.h"

static struct lamp lamps[256];
static int count;

// A line is a name, then after tabs the numbers of white and each paper.
static int parse(char *line, struct lamp *lamp) {
  char *field = strchr(line, '\t');
  if (!field || field - line >= (long)sizeof lamp->name) return 0;
  memcpy(lamp->name, line, (size_t)(field - line));
  for (int i = 0; i < 3 * (PAPERS + 1); i++) {
    char *end;
    double value = strtod(field, &end);
    if (end == field) return 0;
    *(i < 3 ? &lamp->white[i] : &lamp->papers[i / 3 - 1][i % 3]) = value;
    field = end;
  }
  return *field == '\n';
}

void read_lamps(const char *path) {
  FILE *file = fopen(path, "r");
  if (!file) fail(path);
  char line[1024];
  while (fgets(line, sizeof line, file)) {
    if (count == (int)(sizeof lamps / sizeof *lamps) || !parse(line, &lamps[count++])) {
      fprintf(stderr, "uvcd: line %d of %s is no lamp\n", count, path);
      exit(1);
    }
  }
  fclose(file);
}

const struct lamp *find_lamp(const char *name) {
  for (int i = 0; i < count; i++) {
    if (!strcasecmp(name, lamps[i].name)) return &lamps[i];
  }
  return NULL;
}
