#define _GNU_SOURCE
#include <dlfcn.h>
#include <gio/gio.h>
#include <string.h>

#include "peer.h"
#include "registers.h"

// The commands of GVCP; an acknowledgement has the next number.
enum { DISCOVERY = 2, READ_REGISTER = 0x80, WRITE_REGISTER = 0x82, WRITE_MEMORY = 0x86 };
enum { CONTROL_PRIVILEGE = 0x0a00 };

// The library's calls of two functions for sockets are answered here, so that each packet of the
// control channel passes through the faults. There is one thread that receives and sends.
static struct {
  const peer_options *options;
  ArvFakeCamera *camera;
  GSocket *control;
  unsigned writes, answers, status;
  bool is_deaf, misses_heartbeats;
} channel;

void wire(const peer_options *options, ArvFakeCamera *camera) {
  channel.camera = camera;
  channel.options = options;
}

void miss_heartbeats(void) { channel.misses_heartbeats = true; }

static unsigned number(const unsigned char *bytes, int count) {
  unsigned value = 0;
  for (int i = 0; i < count; i++) value = value << 8 | bytes[i];
  return value;
}

// Returns the status of a write to an address; `is_kept` is false if the value is not stored.
static unsigned status(guint32 address, guint32 value, bool *is_kept) {
  const peer_options *o = channel.options;
  if (o->user_sets && address >= REGISTER_SET_DEFAULT && address <= REGISTER_SET_SAVE) {
    // A command's register reads as done.
    *is_kept = address == REGISTER_SET_DEFAULT;
    return carry_out(o, channel.camera, address, value);
  }
  if (address < REGISTER_BALANCE || address >= REGISTER_BALANCE + 12) return 0;
  guint32 is_streaming;
  arv_fake_camera_read_register(channel.camera, ARV_FAKE_CAMERA_REGISTER_ACQUISITION, &is_streaming);
  unsigned code = o->is_locked_by_stream && is_streaming ? STATUS_WRITE_PROTECT : o->refusal;
  *is_kept = !code && !o->ignores_balance;
  channel.is_deaf = o->deaf_after && channel.writes >= o->deaf_after;
  channel.writes++;
  return code;
}

// Applies the faults to a packet that has arrived; returns its size, or 0 if it got lost.
static gssize received(unsigned char *packet, gssize size) {
  channel.status = 0;
  if (channel.is_deaf) return 0;
  if (size < 12) return size;
  unsigned command = number(packet + 2, 2), address = number(packet + 8, 4);
  if (command == READ_REGISTER && address == CONTROL_PRIVILEGE && channel.misses_heartbeats) return 0;
  if ((command != WRITE_REGISTER && command != WRITE_MEMORY) || size < 16) return size;
  bool is_kept = true;
  channel.status = status(address, number(packet + 12, 4), &is_kept);
  if (channel.is_deaf) return 0;
  if (!is_kept) {
    memset(packet + 8, 0, 4);
    packet[10] = REGISTER_NOWHERE >> 8;
    packet[11] = REGISTER_NOWHERE & 0xff;
  }
  return size;
}

gssize g_socket_receive_message(GSocket *socket, GSocketAddress **address, GInputVector *vectors,
                                gint count, GSocketControlMessage ***messages, gint *message_count,
                                gint *flags, GCancellable *cancellable, GError **error) {
  static gssize (*next)(GSocket *, GSocketAddress **, GInputVector *, gint,
                        GSocketControlMessage ***, gint *, gint *, GCancellable *, GError **);
  if (!next) *(void **)&next = dlsym(RTLD_NEXT, "g_socket_receive_message");
  gssize size = next(socket, address, vectors, count, messages, message_count, flags, cancellable, error);
  channel.control = socket;
  return size > 0 && channel.options ? received(vectors[0].buffer, size) : size;
}

typedef gssize send_function(GSocket *, GSocketAddress *, const gchar *, gsize, GCancellable *,
                             GError **);

// Answers a search as another camera with the same serial number.
static void send_twin(send_function *next, GSocketAddress *address, const gchar *answer, gsize size) {
  enum { HEADER = 8, MAC = HEADER + 0x0f, ADDRESS = HEADER + 0x27, MODEL = HEADER + 0x68 };
  char copy[1024];
  if (size > sizeof copy || size < MODEL + 32) return;
  memcpy(copy, answer, size);
  copy[MAC]++;
  copy[ADDRESS]++;
  strcpy(copy + MODEL, "Twin");
  next(channel.control, address, copy, size, NULL, NULL);
}

gssize g_socket_send_to(GSocket *socket, GSocketAddress *address, const gchar *buffer, gsize size,
                        GCancellable *cancellable, GError **error) {
  static send_function *next;
  if (!next) *(void **)&next = dlsym(RTLD_NEXT, "g_socket_send_to");
  char copy[1024];
  if (!channel.options || socket != channel.control || size > sizeof copy || size < 8)
    return next(socket, address, buffer, size, cancellable, error);
  memcpy(copy, buffer, size);
  if (channel.status) {
    copy[0] = (char)0x80;
    copy[1] = (char)channel.status;
  }
  if (channel.options->has_twin && number((unsigned char *)copy + 2, 2) == DISCOVERY + 1)
    send_twin(next, address, buffer, size);
  channel.answers++;
  if (channel.options->lost_answers && channel.answers % channel.options->lost_answers == 0)
    return size;
  return next(socket, address, copy, size, cancellable, error);
}
