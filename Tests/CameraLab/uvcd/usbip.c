#define _GNU_SOURCE
#include "usbip.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "log.h"
#include "requests.h"
#include "stream.h"

enum { SUBMIT = 1, UNLINK = 2, SUBMITTED = 3, UNLINKED = 4 };
enum { CONTROL_ENDPOINT = 0, VIDEO_ENDPOINT = 1, EVENT_ENDPOINT = 3 };
enum { HIGH_SPEED = 3, DEVICE = 0x10002, MOST_PACKETS = 1024 };

// Every message starts with this, in big-endian order.
struct header {
  uint32_t command, number, device, is_in, endpoint;
  union {
    struct {
      uint32_t flags, length, first_frame, packets, interval;
      uint8_t setup[8];
    } submit;
    uint32_t unlinked;
    uint32_t words[7];
  };
};
_Static_assert(sizeof(struct header) == 48, "the header of USB/IP is 48 bytes");

static int host = -1;
static struct transfer *video, *events, *unanswered;

int cable(void) { return host; }
struct transfer *waiting_video(void) { return video; }

// A broken connection shows when the next message is read.
static void send_all(const void *bytes, size_t count) {
  const uint8_t *next = bytes;
  while (count) {
    ssize_t sent = send(host, next, count, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) return;
    next += sent;
    count -= (size_t)sent;
  }
}

static bool receive_all(void *bytes, size_t count) {
  uint8_t *next = bytes;
  while (count) {
    ssize_t received = recv(host, next, count, 0);
    if (received < 0 && errno == EINTR) continue;
    if (received <= 0) return false;
    next += received;
    count -= (size_t)received;
  }
  return true;
}

static void release(struct transfer *transfer) {
  free(transfer->packet);
  free(transfer);
}

static void append(struct transfer **list, struct transfer *transfer) {
  while (*list) list = &(*list)->next;
  *list = transfer;
}

static struct transfer *take_first(struct transfer **list) {
  struct transfer *first = *list;
  *list = first->next;
  return first;
}

static void answer(const struct transfer *transfer, int status, const uint8_t *data,
                   uint32_t length) {
  struct header header = {htonl(SUBMITTED), htonl(transfer->number), 0, 0, 0, .words = {0}};
  header.words[0] = htonl((uint32_t)status);
  header.words[1] = htonl(length);
  if (transfer->packets) {
    header.words[2] = htonl((uint32_t)transfer->first_frame);
    header.words[3] = htonl((uint32_t)transfer->packets);
  }
  send_all(&header, sizeof header);
  if (data) send_all(data, length);
  if (transfer->packets) {
    send_all(transfer->packet, (size_t)transfer->packets * sizeof *transfer->packet);
  }
}

void answer_video(int status, const uint8_t *data, uint32_t length) {
  struct transfer *transfer = take_first(&video);
  answer(transfer, status, data, length);
  release(transfer);
}

void send_event(const uint8_t *event, int length) {
  if (!events) return;
  struct transfer *transfer = take_first(&events);
  answer(transfer, 0, event, (uint32_t)length);
  release(transfer);
}

static bool forget(struct transfer **list, uint32_t number) {
  for (; *list; list = &(*list)->next) {
    if ((*list)->number != number) continue;
    release(take_first(list));
    return true;
  }
  return false;
}

static void unlink_transfer(uint32_t number, uint32_t unlinked) {
  bool found =
      forget(&video, unlinked) || forget(&events, unlinked) || forget(&unanswered, unlinked);
  struct header header = {htonl(UNLINKED), htonl(number), 0, 0, 0, .words = {0}};
  header.words[0] = htonl((uint32_t)(found ? -ECONNRESET : 0));
  send_all(&header, sizeof header);
}

static void take_control_transfer(struct transfer *transfer, const uint8_t setup[8], bool is_in,
                                  const uint8_t *sent) {
  static uint8_t reply[8192];
  int length = answer_request(setup, sent, reply);
  if (length == NO_ANSWER) {
    append(&unanswered, transfer);
    return;
  }
  if (length > transfer->length) length = transfer->length;
  if (length < 0) answer(transfer, length, NULL, 0);
  else if (is_in) answer(transfer, 0, reply, (uint32_t)length);
  else answer(transfer, 0, NULL, (uint32_t)transfer->length);
  release(transfer);
}

static bool take_transfer(const struct header *header) {
  static uint8_t sent[4096];
  bool is_in = ntohl(header->is_in) == 1;
  int32_t length = (int32_t)ntohl(header->submit.length);
  int32_t packets = (int32_t)ntohl(header->submit.packets);
  if (!is_in && (length > (int32_t)sizeof sent || !receive_all(sent, (size_t)length))) return false;
  struct transfer *transfer = calloc(1, sizeof *transfer);
  if (!transfer) fail("memory");
  transfer->number = ntohl(header->number);
  transfer->length = length;
  transfer->first_frame = (int32_t)ntohl(header->submit.first_frame);
  transfer->received = now();
  if (packets > 0 && packets <= MOST_PACKETS) {
    transfer->packets = packets;
    transfer->packet = calloc((size_t)packets, sizeof *transfer->packet);
    if (!receive_all(transfer->packet, (size_t)packets * sizeof *transfer->packet)) return false;
  }
  switch (ntohl(header->endpoint)) {
  case CONTROL_ENDPOINT:
    take_control_transfer(transfer, header->submit.setup, is_in, sent);
    break;
  case VIDEO_ENDPOINT: append(&video, transfer); break;
  case EVENT_ENDPOINT: append(&events, transfer); break;
  default:
    answer(transfer, -EPIPE, NULL, 0);
    release(transfer);
  }
  return true;
}

bool take_message(void) {
  struct header header;
  if (!receive_all(&header, sizeof header)) return false;
  switch (ntohl(header.command)) {
  case SUBMIT: return take_transfer(&header);
  case UNLINK: unlink_transfer(ntohl(header.number), ntohl(header.unlinked)); return true;
  default: note("unknown message %u", ntohl(header.command)); return false;
  }
}

void unplug(const char *why) {
  if (host < 0) return;
  note("unplug (%s)", why);
  stop_stream("unplug");
  shutdown(host, SHUT_RDWR);
  close(host);
  host = -1;
  while (video) release(take_first(&video));
  while (events) release(take_first(&events));
  while (unanswered) release(take_first(&unanswered));
}

int plug(int port) {
  if (host >= 0) return EBUSY;
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends)) fail("socketpair");
  for (int i = 0; i < 2; i++) {
    int size = 1 << 20;
    setsockopt(ends[i], SOL_SOCKET, SO_SNDBUFFORCE, &size, sizeof size);
    setsockopt(ends[i], SOL_SOCKET, SO_RCVBUFFORCE, &size, sizeof size);
  }
  int attach = open("/sys/devices/platform/vhci_hcd.0/attach", O_WRONLY);
  if (attach < 0) fail("the virtual host controller");
  // The port of an unplugged camera is free again after a while.
  int error = EBUSY;
  for (int attempt = 0; attempt < 50 && error == EBUSY; attempt++) {
    if (attempt) usleep(20000);
    error = dprintf(attach, "%d %d %d %d", port, ends[1], DEVICE, HIGH_SPEED) < 0 ? errno : 0;
  }
  close(attach);
  close(ends[1]);
  if (error) {
    close(ends[0]);
    note("cannot be plugged in: %s", strerror(error));
    return error;
  }
  host = ends[0];
  note("plug port=%d", port);
  return 0;
}
