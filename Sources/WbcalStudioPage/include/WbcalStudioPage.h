#ifndef WBCAL_STUDIO_PAGE_H
#define WBCAL_STUDIO_PAGE_H

#include <stddef.h>

// A file of the studio's page, which is a part of the program.
typedef struct {
  const char *name;
  const unsigned char *bytes;
  size_t count;
} wb_page_file;

size_t wb_page_file_count(void);

// The file at an index below the count.
wb_page_file wb_page_file_at(size_t index);

#endif
