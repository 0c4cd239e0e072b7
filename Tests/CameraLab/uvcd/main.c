// uvcd: a USB camera that is a program. The kernel's virtual host controller sees it through
// USB/IP, and the kernel's own driver drives it.
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ciede2000.h"
#include "commands.h"
#include "controls.h"
#include "lamps.h"
#include "log.h"
#include "mean.h"
#include "options.h"
#include "scene.h"
#include "stream.h"
#include "usbip.h"

static int run(struct options options) {
  open_log(options.log);
  read_lamps(options.lamps);
  if (!light_with(options.lamp) || !find_lamp("D50")) refuse("lamp", options.lamp);
  take_ranges_of_laws();
  settle();
  signal(SIGPIPE, SIG_IGN);
  int listener = listen_for_commands(options.socket);
  int error = options.is_unplugged ? 0 : plug(options.port);
  if (error) {
    fprintf(stderr, "uvcd: cannot be plugged in: %s\n", strerror(error));
    return 1;
  }
  for (;;) {
    struct pollfd sources[] = {{listener, POLLIN, 0}, {cable(), POLLIN, 0}};
    if (poll(sources, 2, milliseconds_to_next_frame()) < 0 && errno != EINTR) fail("poll");
    if (sources[1].revents && !take_message()) unplug("connection closed by the kernel");
    if (sources[0].revents) take_command(listener, options.port);
    if (cable() >= 0) pump();
  }
}

static int print_difference(char **words) {
  double colors[2][3];
  for (int i = 0; i < 6; i++) colors[i / 3][i % 3] = strtod(words[i], NULL);
  printf("%.4f\n", ciede2000(colors[0], colors[1]));
  return 0;
}

int main(int count, char **words) {
  if (count >= 5 && !strcmp(words[1], "mean")) {
    return print_means(words[2], atoi(words[3]), atoi(words[4]), count > 5);
  }
  if (count == 8 && !strcmp(words[1], "ciede2000")) return print_difference(words + 2);
  if (count > 2 && !strcmp(words[1], "ctl")) {
    const char *socket = getenv("UVCD_SOCKET");
    return send_command(socket ? socket : "/run/uvcd.sock", count - 2, words + 2);
  }
  return run(read_options(count, words));
}
