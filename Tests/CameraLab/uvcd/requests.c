#include "requests.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "bytes.h"
#include "controls.h"
#include "descriptors.h"
#include "faults.h"
#include "lies.h"
#include "log.h"
#include "scene.h"
#include "stream.h"
#include "usbip.h"

enum {
  SET_CUR = 0x01, GET_CUR = 0x81, GET_MIN, GET_MAX, GET_RES, GET_LEN, GET_INFO, GET_DEF,
};
enum { INVALID_CONTROL = 6, INVALID_REQUEST = 7, ERROR_CODE_CONTROL = 2 };
enum { LOCKED = 4 };

// Why the last request was refused; the host reads it.
static int error_code;

static int refuse(int code) {
  error_code = code;
  return -EPIPE;
}

static int answer_number(uint8_t *reply, int32_t value, int size) {
  put_number(reply, (uint32_t)value, size);
  return size;
}

// What the automatic has arrived at, in the manual controls.
static void leave_automatic_values(int automatic) {
  if (lies.is_relative) return;
  if (automatic == COMPONENT_AUTO) controls[COMPONENT].value = automatic_component();
  if (automatic == TEMPERATURE_AUTO) controls[TEMPERATURE].value = automatic_temperature();
}

static int set(int id, const uint8_t *sent, bool is_faulty) {
  const struct control *control = &controls[id];
  int32_t value = (int32_t)get_number(sent, control->size);
  if (control->size == 2) value = control->minimum < 0 ? (int16_t)value : value;
  note("SET %s %d (0x%x)%s", control->name, value, (unsigned)value, is_locked(id) ? " LOCKED" : "");
  int32_t before = control->value;
  bool is_balance = id == COMPONENT_AUTO || id == TEMPERATURE_AUTO;
  if (is_faulty && happens(&faults.ignore)) {
    note("fault ignore");
    return 0;
  }
  if (id == COMPONENT) value = taken_component(value);
  will_be_set(id);
  int error = set_control(id, value);
  if (error) return refuse(error);
  if (is_balance && !value) balance_was_switched_off();
  if (before && !value) leave_automatic_values(id);
  return 0;
}

static int get(int id) {
  if (id == COMPONENT && is_locked(id)) leave_automatic_values(COMPONENT_AUTO);
  if (id == TEMPERATURE && is_locked(id)) leave_automatic_values(TEMPERATURE_AUTO);
  return told_value(id);
}

static int find(int entity, int selector) {
  for (int i = 0; i < CONTROLS; i++) {
    const struct control *control = &controls[i];
    if (control->entity == entity && control->selector == selector && is_present(i)) return i;
  }
  return -1;
}

static int answer_unit(const uint8_t *setup, const uint8_t *sent, uint8_t *reply) {
  int request = setup[1], selector = setup[3], entity = setup[5];
  if (!entity && selector == ERROR_CODE_CONTROL) {
    return answer_number(reply, request == GET_INFO ? 1 : error_code, 1);
  }
  bool is_faulty = are_aimed_at(entity, selector, request);
  if (is_faulty && happens(&faults.mute)) {
    note("fault mute request=%02x entity=%d selector=%d", request, entity, selector);
    return NO_ANSWER;
  }
  if (is_faulty && happens(&faults.stall)) {
    note("fault stall request=%02x entity=%d selector=%d", request, entity, selector);
    return refuse(faults.error_code);
  }
  int id = find(entity, selector);
  if (id < 0) return refuse(INVALID_CONTROL);
  const struct control *control = &controls[id];
  switch (request) {
  case SET_CUR: return set(id, sent, is_faulty);
  case GET_CUR: return answer_number(reply, get(id), control->size);
  case GET_MIN: return answer_number(reply, control->minimum, control->size);
  case GET_MAX: return answer_number(reply, control->maximum, control->size);
  case GET_RES: return answer_number(reply, control->step, control->size);
  case GET_DEF: return answer_number(reply, control->initial, control->size);
  case GET_LEN: return answer_number(reply, control->size, 2);
  case GET_INFO: return answer_number(reply, control->info | (is_locked(id) ? LOCKED : 0), 1);
  default: return refuse(INVALID_REQUEST);
  }
}

// What the host would stream, and what it then commits to.
static int answer_streaming(const uint8_t *setup, const uint8_t *sent, uint8_t *reply) {
  enum { PROBE = 1, COMMIT = 2, LENGTH = 34 };
  static struct stream_format probed = {1, 2, 0};
  int request = setup[1], selector = setup[3];
  if (selector != PROBE && selector != COMMIT) return -EPIPE;
  if (request == GET_LEN) return answer_number(reply, LENGTH, 2);
  if (request == GET_INFO) return answer_number(reply, 3, 1);
  struct stream_format wanted = probed;
  if (request == SET_CUR) {
    wanted = (struct stream_format){sent[2], sent[3], get_number(sent + 4, 4)};
    if (wanted.format < 1 || wanted.format > format_count) wanted.format = 1;
    if (wanted.size < 1 || wanted.size > SIZES) wanted.size = 2;
  }
  wanted.interval = request == GET_MIN   ? shortest_interval()
                    : request == GET_MAX ? 2 * shortest_interval()
                                         : nearest_interval(wanted.interval);
  if (request == SET_CUR) {
    probed = wanted;
    if (selector == COMMIT) commit_stream(wanted);
    return 0;
  }
  memset(reply, 0, LENGTH);
  put_number(reply, 1, 2);
  reply[2] = (uint8_t)wanted.format;
  reply[3] = (uint8_t)wanted.size;
  put_number(reply + 4, wanted.interval, 4);
  put_number(reply + 18, bytes_of(format_of(wanted.format), wanted.size), 4);
  put_number(reply + 22, largest_payload(), 4);
  put_number(reply + 26, 48000000, 4);
  reply[30] = 3;
  return LENGTH;
}

static int answer_standard(const uint8_t *setup, uint8_t *reply) {
  enum {
    GET_STATUS = 0, CLEAR_FEATURE = 1, SET_FEATURE = 3, GET_DESCRIPTOR = 6,
    GET_CONFIGURATION = 8, SET_CONFIGURATION = 9, GET_INTERFACE = 10, SET_INTERFACE = 11,
  };
  switch (setup[1]) {
  case GET_STATUS: return answer_number(reply, 0, 2);
  case GET_DESCRIPTOR: return get_descriptor(setup[3], setup[2], reply);
  case GET_CONFIGURATION: return answer_number(reply, 1, 1);
  case SET_CONFIGURATION: stop_stream("set configuration"); return 0;
  case GET_INTERFACE: return answer_number(reply, alternate_setting(), 1);
  case SET_INTERFACE:
    if (setup[4] == 1) choose_alternate_setting(setup[2]);
    return 0;
  case CLEAR_FEATURE:
  case SET_FEATURE:
    // How the driver ends bulk streaming.
    if (setup[4] == 0x81) stop_stream("clear halt");
    return 0;
  default: return -EPIPE;
  }
}

int answer_request(const uint8_t setup[8], const uint8_t *sent, uint8_t *reply) {
  enum { STANDARD = 0x00, CLASS = 0x20 };
  int kind = setup[0] & 0x60, interface = setup[4];
  if (kind == STANDARD) return answer_standard(setup, reply);
  if (kind != CLASS) return -EPIPE;
  if (faults.delay > 0) usleep((useconds_t)(faults.delay * 1e6));
  return interface == 1 ? answer_streaming(setup, sent, reply) : answer_unit(setup, sent, reply);
}

void change_control(int id, int32_t value) {
  struct control *control = &controls[id];
  control->value = value;
  uint8_t event[16] = {1, control->entity, 0, control->selector, 0};
  put_number(event + 5, (uint32_t)value, control->size);
  send_event(event, 5 + control->size);
}
