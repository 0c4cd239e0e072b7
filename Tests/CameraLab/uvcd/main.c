// uvcd: a USB camera that is a program. The kernel's virtual host controller sees it through
// USB/IP, and the kernel's own driver drives it.
#include <errno.h>
#include <getopt.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ciede2000.h"
#include "commands.h"
#include "controls.h"
#include "descriptors.h"
#include "lamps.h"
#include "laws.h"
#include "log.h"
#include "mean.h"
#include "scene.h"
#include "stream.h"
#include "usbip.h"

struct options {
  const char *socket, *log, *lamps, *lamp;
  int port, latency;
  bool is_unplugged, is_srgb;
};

static void refuse(const char *what, const char *value) {
  fprintf(stderr, "uvcd: no %s %s\n", what, value);
  exit(64);
}

static struct options parse(int count, char **words) {
  struct options options = {"/run/uvcd.sock", "/run/uvcd.log", "/etc/lamps", "D65", 0, 2, false,
                            false};
  static const struct option names[] = {
      {"law", 1, 0, 'w'}, {"curve", 1, 0, 'u'}, {"lamp", 1, 0, 'a'}, {"lamps", 1, 0, 'A'},
      {"pu", 1, 0, 'p'}, {"ct", 1, 0, 'c'}, {"iso", 0, 0, 'i'}, {"fps", 1, 0, 'f'},
      {"latency", 1, 0, 'y'}, {"vid", 1, 0, 'v'}, {"pid", 1, 0, 'd'}, {"serial", 1, 0, 's'},
      {"card", 1, 0, 'n'}, {"port", 1, 0, 'P'}, {"sock", 1, 0, 'S'}, {"log", 1, 0, 'l'},
      {"unplugged", 0, 0, 'U'}, {0}};
  bool has_mask = false;
  int option;
  while ((option = getopt_long(count, words, "", names, NULL)) >= 0) {
    int number = optarg ? (int)strtol(optarg, NULL, 0) : 0, kind;
    switch (option) {
    case 'w':
      kind = choose_law(optarg);
      if (kind < 0) refuse("law", optarg);
      if (!has_mask) unit_mask = kind ? TEMPERATURE_UNIT : COMPONENT_UNIT;
      break;
    case 'u':
      options.is_srgb = !strcmp(optarg, "srgb");
      if (!options.is_srgb && strcmp(optarg, "gamma")) refuse("curve", optarg);
      break;
    case 'a': options.lamp = optarg; break;
    case 'A': options.lamps = optarg; break;
    case 'p': unit_mask = (uint32_t)number, has_mask = true; break;
    case 'c': terminal_mask = (uint32_t)number; break;
    case 'i': is_isochronous = true; break;
    case 'f':
      if (number < 1 || number > 1000) refuse("rate", optarg);
      highest_rate = number;
      break;
    case 'y':
      if (number < 0 || number > 15) refuse("latency", optarg);
      options.latency = number;
      break;
    case 'v': identity.vendor = (uint16_t)number; break;
    case 'd': identity.product = (uint16_t)number; break;
    case 's': identity.serial = optarg; break;
    case 'n': identity.name = optarg; break;
    case 'P': options.port = number; break;
    case 'S': options.socket = optarg; break;
    case 'l': options.log = optarg; break;
    case 'U': options.is_unplugged = true; break;
    default: exit(64);
    }
  }
  return options;
}

static int run(struct options options) {
  open_log(options.log);
  read_lamps(options.lamps);
  if (!light_with(options.lamp) || !find_lamp("D50")) refuse("lamp", options.lamp);
  take_ranges_of_laws();
  set_behavior(options.latency, options.is_srgb);
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
  if (count == 5 && !strcmp(words[1], "mean")) {
    return print_means(words[2], atoi(words[3]), atoi(words[4]));
  }
  if (count == 8 && !strcmp(words[1], "ciede2000")) return print_difference(words + 2);
  if (count > 2 && !strcmp(words[1], "ctl")) {
    const char *socket = getenv("UVCD_SOCKET");
    return send_command(socket ? socket : "/run/uvcd.sock", count - 2, words + 2);
  }
  return run(parse(count, words));
}
