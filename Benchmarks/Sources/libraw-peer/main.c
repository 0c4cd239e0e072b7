// Opens and unpacks raw photographs with LibRaw and does nothing else, in a number of processes
// given by the first argument.

#include <libraw/libraw.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static int unpack(const char *path) {
  libraw_data_t *raw = libraw_init(0);
  if (!raw) return 1;
  int code = libraw_open_file(raw, path);
  if (code == LIBRAW_SUCCESS) code = libraw_unpack(raw);
  if (code != LIBRAW_SUCCESS) fprintf(stderr, "%s: %s\n", path, libraw_strerror(code));
  libraw_close(raw);
  return code != LIBRAW_SUCCESS;
}

int main(int count, char **arguments) {
  int processes = count > 1 ? atoi(arguments[1]) : 0;
  for (int process = 0; process < processes; process++) {
    pid_t child = fork();
    if (child < 0) return 1;
    if (child) continue;
    int failed = 0;
    for (int index = 2 + process; index < count; index += processes)
      failed |= unpack(arguments[index]);
    _exit(failed);
  }
  int failed = 0, status;
  while (wait(&status) > 0) failed |= status != 0;
  return failed;
}
