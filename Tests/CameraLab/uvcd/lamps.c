#include "lamps.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "log.h"

static struct lamp lamps[256];
static int count;

// A line is a name, then after tabs the numbers of white, of each paper and of the chart.
static int parse(char *line, struct lamp *lamp) {
  char *field = strchr(line, '\t');
  if (!field || field - line >= (long)sizeof lamp->name) return 0;
  memcpy(lamp->name, line, (size_t)(field - line));
  double(*const parts[])[3] = {&lamp->white, lamp->papers, lamp->chart};
  const int counts[] = {1, PAPERS, PATCHES + 1};
  for (int part = 0; part < 3; part++) {
    for (int i = 0; i < 3 * counts[part]; i++) {
      char *end;
      parts[part][i / 3][i % 3] = strtod(field, &end);
      if (end == field) return 0;
      field = end;
    }
  }
  return *field == '\n';
}

void read_lamps(const char *path) {
  FILE *file = fopen(path, "r");
  if (!file) fail(path);
  char line[4096];
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
