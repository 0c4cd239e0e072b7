#include "commands.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "ciede2000.h"
#include "controls.h"
#include "faults.h"
#include "laws.h"
#include "lies.h"
#include "log.h"
#include "requests.h"
#include "scene.h"
#include "stream.h"
#include "usbip.h"

enum { WORDS = 8, LINE = 512, ANSWER = 1024 };

struct command {
  char *words[WORDS];
  int count, port;
  char *answer;
  size_t size;
};

static double number(const struct command *command, int index, double otherwise) {
  return index < command->count ? strtod(command->words[index], NULL) : otherwise;
}

static int whole(const struct command *command, int index, int otherwise) {
  return index < command->count ? (int)strtol(command->words[index], NULL, 0) : otherwise;
}

static bool set_light(const struct command *command) {
  struct scene scene = present_scene();
  if (command->count != 4) return false;
  for (int i = 0; i < 3; i++) scene.illuminant[i] = number(command, 1 + i, 1);
  set_scene(scene);
  return true;
}

// The names of lamps have spaces.
static bool set_lamp(const struct command *command) {
  char name[LINE] = "";
  for (int i = 1; i < command->count; i++) {
    snprintf(name + strlen(name), sizeof name - strlen(name), i > 1 ? " %s" : "%s",
             command->words[i]);
  }
  return light_with(name);
}

static bool set_level(const struct command *command) {
  struct scene scene = present_scene();
  scene.level = number(command, 1, 1);
  if (!(scene.level > 0)) return false;
  set_scene(scene);
  return true;
}

static bool set_card(const struct command *command) {
  struct scene scene = present_scene();
  scene.card = number(command, 1, 0.18);
  if (!(scene.card > 0)) return false;
  set_scene(scene);
  return true;
}

static bool set_noise(const struct command *command) {
  struct scene scene = present_scene();
  scene.shot_noise = number(command, 1, 0);
  scene.read_noise = number(command, 2, 0);
  set_scene(scene);
  return true;
}

static bool set_flicker(const struct command *command) {
  struct scene scene = present_scene();
  scene.flicker = number(command, 1, 3) / 100;
  scene.flicker_period = number(command, 2, scene.flicker_period);
  scene.flicker_color = number(command, 3, number(command, 1, 3) / 10) / 100;
  if (!(scene.flicker_period > 0)) return false;
  set_scene(scene);
  return true;
}

static bool set_drift(const struct command *command) {
  struct scene scene = present_scene();
  scene.drift = number(command, 1, 0) / 100;
  scene.drift_start = now();
  set_scene(scene);
  return true;
}

static bool get(const struct command *command) {
  const struct control *control = command->count == 2 ? find_control(command->words[1]) : NULL;
  if (control) snprintf(command->answer, command->size, "%d\n", control->value);
  return control != NULL;
}

static bool poke(const struct command *command) {
  const struct control *control = command->count == 3 ? find_control(command->words[1]) : NULL;
  if (control) change_control((int)(control - controls), whole(command, 2, 0));
  return control != NULL;
}

static bool target(const struct command *command) {
  faults.entity = whole(command, 1, 0);
  faults.selector = whole(command, 2, 0);
  faults.request = whole(command, 3, 0);
  return true;
}

static bool stall(const struct command *command) {
  faults.stall = whole(command, 1, 1);
  faults.error_code = whole(command, 2, 7);
  return true;
}

static bool delay(const struct command *command) {
  faults.delay = number(command, 1, 0);
  return true;
}

static bool freeze(const struct command *command) {
  faults.freeze = whole(command, 1, 1);
  return true;
}

static bool hang(const struct command *command) {
  faults.hang = whole(command, 1, 1);
  return true;
}

static bool unplug_now(const struct command *command) {
  (void)command;
  unplug("command");
  return true;
}

static bool plug_again(const struct command *command) {
  is_plugged_in();
  return plug(command->port) == 0;
}

static bool truth(const struct command *command) {
  if (frame_number() < 0) return false;
  char text[ANSWER - 32];
  describe_frame(text, sizeof text);
  snprintf(command->answer, command->size, "frame=%d %s\n", frame_number(), text);
  return true;
}

static bool neutral(const struct command *command) {
  if (frame_number() < 0) return false;
  double card[3];
  card_as_seen(card);
  for (int i = 0; i < 3; i++) card[i] *= number(command, 1 + i, 1);
  snprintf(command->answer, command->size, "%.3f\n", distance_from_neutral(card));
  return true;
}

static bool best(const struct command *command) {
  if (frame_number() < 0 || !is_present(TEMPERATURE)) return false;
  int32_t best_value = 0;
  double least = 1e9;
  for (int32_t value = temperature_law->minimum; value <= temperature_law->maximum;
       value += temperature_law->step) {
    double card[3];
    card_as_seen_at(value, card);
    double distance = distance_from_neutral(card);
    if (distance < least) least = distance, best_value = value;
  }
  snprintf(command->answer, command->size, "%.3f at %d\n", least, best_value);
  return true;
}

static bool status(const struct command *command) {
  snprintf(command->answer, command->size, "plugged=%d streaming=%d frame=%d\n", cable() >= 0,
           is_streaming(), frame_number());
  return true;
}

static bool quit(const struct command *command) {
  (void)command;
  unplug("quit");
  exit(0);
}

static const struct {
  const char *name;
  bool (*obey)(const struct command *command);
} commands[] = {
    {"illum", set_light}, {"lamp", set_lamp}, {"level", set_level}, {"card", set_card},
    {"noise", set_noise}, {"flicker", set_flicker}, {"drift", set_drift}, {"get", get},
    {"poke", poke}, {"target", target}, {"stall", stall},
    {"delay", delay}, {"freeze", freeze}, {"hang", hang}, {"unplug", unplug_now},
    {"plug", plug_again}, {"truth", truth}, {"neutral", neutral}, {"best", best},
    {"stat", status}, {"quit", quit},
};

// Faults that are only counted.
static const struct {
  const char *name;
  int *count;
} counted[] = {
    {"mute", &faults.mute}, {"ignore", &faults.ignore}, {"short", &faults.shorten},
    {"drop", &faults.drop}, {"errbit", &faults.mark}, {"garbage", &faults.garble},
    {"stallstream", &faults.stall_stream}, {"damage", &faults.damage},
};

static bool obey_words(const struct command *command) {
  const char *name = command->words[0];
  for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
    if (!strcmp(name, commands[i].name)) return commands[i].obey(command);
  }
  for (size_t i = 0; i < sizeof counted / sizeof *counted; i++) {
    if (strcmp(name, counted[i].name)) continue;
    *counted[i].count = whole(command, 1, 1);
    return true;
  }
  return false;
}

void obey(char *line, int port, char *answer, size_t size) {
  note("command %s", line);
  struct command command = {.port = port, .answer = answer, .size = size};
  char *word = strtok(line, " \n");
  for (; word && command.count < WORDS; word = strtok(NULL, " \n")) {
    command.words[command.count++] = word;
  }
  snprintf(answer, size, "ok\n");
  if (!command.count || !obey_words(&command)) snprintf(answer, size, "refused\n");
}

static struct sockaddr_un address(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
  return address;
}

int listen_for_commands(const char *path) {
  struct sockaddr_un at = address(path);
  int listener = socket(AF_UNIX, SOCK_STREAM, 0);
  unlink(path);
  if (bind(listener, (struct sockaddr *)&at, sizeof at) || listen(listener, 8)) fail(path);
  return listener;
}

void take_command(int listener, int port) {
  char line[LINE], answer[ANSWER];
  int connection = accept(listener, NULL, NULL);
  size_t length = 0;
  ssize_t count;
  while (length < LINE - 1 && (count = read(connection, line + length, LINE - 1 - length)) > 0) {
    length += (size_t)count;
  }
  line[length] = 0;
  obey(line, port, answer, sizeof answer);
  dprintf(connection, "%s", answer);
  close(connection);
}

int send_command(const char *path, int count, char **words) {
  struct sockaddr_un at = address(path);
  int connection = socket(AF_UNIX, SOCK_STREAM, 0), failed = -1;
  // The camera may still be starting.
  for (int attempt = 0; attempt < 100 && failed; attempt++) {
    failed = connect(connection, (struct sockaddr *)&at, sizeof at);
    if (failed) usleep(20000);
  }
  if (failed) fail(path);
  for (int i = 0; i < count; i++) dprintf(connection, i ? " %s" : "%s", words[i]);
  shutdown(connection, SHUT_WR);
  char answer[ANSWER];
  ssize_t length = read(connection, answer, sizeof answer - 1);
  answer[length > 0 ? length : 0] = 0;
  fputs(answer, stdout);
  return !strcmp(answer, "refused\n");
}
