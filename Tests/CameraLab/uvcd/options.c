#include "options.h"

#include <getopt.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chain.h"
#include "controls.h"
#include "descriptors.h"
#include "exposure.h"
#include "laws.h"
#include "lies.h"
#include "log.h"
#include "scene.h"

static struct options options = {
    "/run/uvcd.sock", "/run/uvcd.log", "/etc/lamps", "D65", 0, false};
static bool has_mask;

// The light, and what a flicker brings with it where that is not said.
static struct scene light;
static double flicker_color = -1;

void refuse(const char *what, const char *value) {
  fprintf(stderr, "uvcd: no %s %s\n", what, value);
  exit(64);
}

// Options that are numbers of other parts, in a unit, and their ranges.
static const struct {
  const char *name;
  double *value, unit, lowest, highest;
} amounts[] = {
    {"pedestal", &chain.pedestal, 0.01, -10, 10},
    {"shading", &chain.shading, 0.01, 0, 80},
    {"matrix", &chain.matrix, 1, 0, 2},
    {"s-curve", &chain.s_curve, 1, 0, 1},
    {"lift", &chain.lift, 1, -64, 64},
    {"saturation", &chain.saturation, 1, 0, 4},
    {"hue", &chain.hue, 1, -180, 180},
    {"sharpen", &delivery.filters.sharpening, 0.01, 0, 200},
    {"denoise", &delivery.filters.smoothing, 0.01, 0, 95},
    {"slow", &delivery.pace, 0.01, 1, 100},
    {"flat", &bends.flat, 0.01, 0, 45},
    {"flicker", &light.flicker, 0.01, 0, 90},
    {"flicker-period", &light.flicker_period, 1, 1, 1000},
    {"flicker-color", &flicker_color, 0.01, 0, 90},
    {"drift", &light.drift, 0.01, -50, 100},
    {"texture", &lens.texture, 0.01, 0, 90},
};

static const struct {
  const char *name;
  int *value, lowest, highest;
} counts[] = {
    {"fps", &highest_rate, 1, 1000},
    {"latency", &delivery.latency, 0, 30},
    {"jitter", &delivery.jitter, 0, 30},
    {"levels", &bends.levels, 2, 4096},
    {"hysteresis", &bends.hysteresis, 0, 1000},
    {"comeback", &lies.comes_back_after, 1, 100000},
    {"read-late", &lies.read_late, 0, 1000},
    {"read-step", &lies.read_step, 1, 1000},
    {"jpeg-quality", &delivery.jpeg.quality, 1, 100},
    {"damage-every", &delivery.jpeg.damage_every, 1, 100000},
    {"port", &options.port, 0, 7},
    {"sharp-at", &lens.best, 0, 250},
    {"backlash", &lens.backlash, 0, 100},
};

static const struct {
  const char *name;
  bool *value;
} flags[] = {
    {"iso", &is_isochronous},
    {"unplugged", &options.is_unplugged},
    {"matrix-for-each-light", &chain.has_matrix_for_each_light},
    {"falling", &bends.is_falling},
    {"relative", &lies.is_relative},
    {"comeback-at-start", &lies.comes_back_at_start},
    {"comeback-at-plug", &lies.comes_back_at_plug},
    {"last-only", &lies.takes_last_only},
    {"chart", &light.has_chart},
    {"exposure-stays", &lies.exposes_always},
    {"jpeg-without-tables", &delivery.jpeg.has_no_tables},
};

static const struct {
  const char *name;
  const char **value;
} texts[] = {
    {"lamp", &options.lamp}, {"lamps", &options.lamps}, {"serial", &identity.serial},
    {"card", &identity.name}, {"sock", &options.socket}, {"log", &options.log},
};

static bool is_one_of(const char *what, const char *value, const char *yes, const char *no) {
  if (!strcmp(value, yes)) return true;
  if (strcmp(value, no)) refuse(what, value);
  return false;
}

static void take_law(const char *value) {
  int kind = choose_law(value);
  if (kind < 0) refuse("law", value);
  if (!has_mask) unit_mask = kind ? TEMPERATURE_UNIT : COMPONENT_UNIT;
}

static void take_time_law(const char *value) {
  if (!choose_time_law(value)) refuse("law of exposure times", value);
}

static void take_gain_law(const char *value) {
  if (!choose_gain_law(value)) refuse("law of gains", value);
}

static void take_curve(const char *value) {
  static const char *names[] = {[POWER] = "gamma", [SRGB] = "srgb", [BT709] = "bt709"};
  int curve = 0;
  while (curve < 3 && strcmp(value, names[curve])) curve++;
  if (curve == 3) refuse("curve", value);
  chain.curve = curve;
}

static void take_range(const char *value) {
  delivery.is_full_range = is_one_of("range", value, "full", "limited");
}

static void take_jpeg_range(const char *value) {
  delivery.is_jpeg_full_range = is_one_of("range", value, "full", "limited");
}

static void take_sampling(const char *value) {
  delivery.jpeg.is_420 = is_one_of("sampling", value, "420", "422");
}

static void take_formats(const char *value) {
  if (!offer_formats(value)) refuse("formats", value);
}

static uint32_t mask(const char *value) { return (uint32_t)strtoul(value, NULL, 0); }

static void take_unit(const char *value) {
  unit_mask = mask(value);
  has_mask = true;
}

static void take_terminal(const char *value) { terminal_mask = mask(value); }
static void take_vendor(const char *value) { identity.vendor = (uint16_t)mask(value); }
static void take_product(const char *value) { identity.product = (uint16_t)mask(value); }

// A usual camera of a shop.
static const struct chain webcam = {
    .matrix = 1, .saturation = 1.2, .s_curve = 0.3, .lift = 6, .shading = 0.1};

// Gains and a power alone.
static void take_ideal(const char *value) {
  (void)value;
  chain = (struct chain){.saturation = 1};
  offer_formats("yuyv,nv12,rggb");
}

static const struct {
  const char *name;
  int has_value;
  void (*take)(const char *value);
} others[] = {
    {"law", 1, take_law}, {"time-law", 1, take_time_law}, {"gain-law", 1, take_gain_law},
    {"curve", 1, take_curve}, {"range", 1, take_range},
    {"jpeg-range", 1, take_jpeg_range}, {"jpeg-sampling", 1, take_sampling},
    {"formats", 1, take_formats}, {"pu", 1, take_unit}, {"ct", 1, take_terminal},
    {"vid", 1, take_vendor}, {"pid", 1, take_product}, {"ideal", 0, take_ideal},
};

#define COUNT(table) ((int)(sizeof table / sizeof *table))

enum {
  AMOUNTS = COUNT(amounts), COUNTS = COUNT(counts), FLAGS = COUNT(flags), TEXTS = COUNT(texts),
  OTHERS = COUNT(others), ALL = AMOUNTS + COUNTS + FLAGS + TEXTS + OTHERS,
};

static double number(const char *name, double lowest, double highest) {
  char *end;
  double value = strtod(optarg, &end);
  if (end == optarg || *end || !(value >= lowest && value <= highest)) refuse(name, optarg);
  return value;
}

static void take(int i) {
  if (i < AMOUNTS) {
    *amounts[i].value =
        number(amounts[i].name, amounts[i].lowest, amounts[i].highest) * amounts[i].unit;
  } else if ((i -= AMOUNTS) < COUNTS) {
    *counts[i].value = (int)number(counts[i].name, counts[i].lowest, counts[i].highest);
  } else if ((i -= COUNTS) < FLAGS) {
    *flags[i].value = true;
  } else if ((i -= FLAGS) < TEXTS) {
    *texts[i].value = optarg;
  } else {
    others[i - TEXTS].take(optarg);
  }
}

struct options read_options(int count, char **words) {
  struct option names[ALL + 1];
  int next = 0;
  memset(names, 0, sizeof names);
  for (int i = 0; i < AMOUNTS; i++) names[next++].name = amounts[i].name;
  for (int i = 0; i < COUNTS; i++) names[next++].name = counts[i].name;
  for (int i = 0; i < FLAGS; i++) names[next++].name = flags[i].name;
  for (int i = 0; i < TEXTS; i++) names[next++].name = texts[i].name;
  for (int i = 0; i < OTHERS; i++) names[next++].name = others[i].name;
  for (int i = 0; i < ALL; i++) {
    bool is_flag = i >= AMOUNTS + COUNTS && i < AMOUNTS + COUNTS + FLAGS;
    names[i].has_arg = !is_flag;
    if (i >= ALL - OTHERS) names[i].has_arg = others[i - (ALL - OTHERS)].has_value;
  }
  light = present_scene();
  chain = webcam;
  offer_formats("yuyv,mjpg");
  int option, which;
  while ((option = getopt_long(count, words, "", names, &which)) >= 0) {
    if (option) exit(64);
    take(which);
  }
  light.flicker_color = flicker_color < 0 ? light.flicker / 10 : flicker_color;
  light.drift_start = now();
  set_scene(light);
  return options;
}
