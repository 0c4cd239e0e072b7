// The connection: the kernel's virtual host controller sends requests through a socket, in the
// USB/IP protocol.
#ifndef USBIP_H
#define USBIP_H

#include <stdbool.h>
#include <stdint.h>

// Big-endian, as on the wire.
struct packet {
  uint32_t offset, length, actual, status;
};

// A transfer that the host has asked for.
struct transfer {
  uint32_t number;
  int32_t length, first_frame;
  // Isochronous transfers have packets.
  int packets;
  struct packet *packet;
  double received;
  struct transfer *next;
};

// Plugs the camera in at a port of the host controller; 0, or an error number.
int plug(int port);
void unplug(const char *why);

// The socket; negative while unplugged.
int cable(void);

// Takes one message from the host; false where the connection is over.
bool take_message(void);

// The transfer that waits longest for video; null if none.
struct transfer *waiting_video(void);

// Answers that transfer, and forgets it.
void answer_video(int status, const uint8_t *data, uint32_t length);

// Tells the host of a changed value, if it listens.
void send_event(const uint8_t *event, int length);

#endif
