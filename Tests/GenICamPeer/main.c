#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "peer.h"

// Indicates whether nobody else answers at the port of GigE Vision's control channel. The library
// runs in any case.
static bool is_port_free(const char *address) {
  struct sockaddr_in place = {.sin_family = AF_INET, .sin_port = htons(3956)};
  if (inet_pton(AF_INET, address, &place.sin_addr) != 1) return false;
  int descriptor = socket(AF_INET, SOCK_DGRAM, 0);
  bool is_free = bind(descriptor, (struct sockaddr *)&place, sizeof place) == 0;
  close(descriptor);
  return is_free;
}

int main(int count, char **arguments) {
  peer_options options = parse_options(count, arguments);
  if (!is_port_free(options.interface)) {
    fprintf(stderr, "genicam-peer: another camera answers at %s\n", options.interface);
    return 74;
  }
  char *description = write_description(&options);
  ArvGvFakeCamera *peer = arv_gv_fake_camera_new_full(options.interface, options.serial, description);
  unlink(description);
  if (!arv_gv_fake_camera_is_running(peer)) {
    fprintf(stderr, "genicam-peer: cannot answer at %s\n", options.interface);
    return 74;
  }
  ArvFakeCamera *camera = arv_gv_fake_camera_get_fake_camera(peer);
  reset_registers(&options, camera);
  wire(&options, camera);
  arv_fake_camera_set_fill_pattern(camera, draw, new_scene(&options, camera));
  g_object_set(peer, "gvsp-lost-ratio", options.lost_packets, NULL);
  puts("ready");
  fflush(stdout);
  // The end of the input is the end of the one who started this.
  char rest[64];
  while (read(STDIN_FILENO, rest, sizeof rest) > 0) {}
  g_object_unref(peer);
  g_free(description);
  return 0;
}
