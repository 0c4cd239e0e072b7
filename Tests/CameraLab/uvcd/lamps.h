// The sensor's linear values of white, of colored papers and of a color chart under each lamp, read
// from a file that the build computes from measured spectra.
#ifndef LAMPS_H
#define LAMPS_H

enum { PAPERS = 10, PATCHES = 24 };

// Linear sensor RGB, green 1 for white.
struct lamp {
  char name[48];
  double white[3];
  double papers[PAPERS][3];
  // The patches of a ColorChecker Classic row by row, then its board.
  double chart[PATCHES + 1][3];
};

// Reads a file of lamps; ends the program where it is none.
void read_lamps(const char *path);

// The lamp of a name, whatever its case; null if there is none.
const struct lamp *find_lamp(const char *name);

#endif
