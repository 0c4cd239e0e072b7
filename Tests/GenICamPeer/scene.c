#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "formats.h"
#include "peer.h"
#include "registers.h"

// A lamp, and the response of the sensor to a gray card under it: red and blue relative to green.
// The sensor is SimulatedScenes' canon-eos-600d; `PeerTests.lampsAreThoseOfTheSensor` checks them.
static const struct {
  const char *name;
  double red, blue;
} lamps[] = {
    {"A", 0.724534402, 0.417755188},    {"D50", 0.478994844, 0.652036173},
    {"D65", 0.421274640, 0.765095349},  {"FL11", 0.536619280, 0.546896855},
    {"LED-B3", 0.548487309, 0.559542427},
};

enum { NOISE_COUNT = 1 << 16, KEPT_STATES = 16 };

// The settings of one frame.
typedef struct {
  double balance[3];
  double exposure, gain, black, gamma;
  bool is_transformed;
} state;

// What determines a picture, without its noise.
typedef struct {
  double card[3], black, gamma;
  size_t size;
  guint32 width, code;
} look;

struct scene {
  peer_options options;
  ArvFakeCamera *camera;
  char lamp[32];
  unsigned frames;
  FILE *log;
  state states[KEPT_STATES];
  // Pictures that differ in their noise; a scene that stays the same repeats them.
  look shown;
  unsigned char *pictures;
  unsigned picture_count, drawn;
  // Numbers with mean 0 and standard deviation 1.
  float noise[NOISE_COUNT];
};

static double read_float(ArvFakeCamera *camera, guint32 address) {
  guint32 bits;
  float value;
  arv_fake_camera_read_register(camera, address, &bits);
  memcpy(&value, &bits, sizeof value);
  return value;
}

static void write_float(ArvFakeCamera *camera, guint32 address, double number) {
  float value = number;
  guint32 bits;
  memcpy(&bits, &value, sizeof bits);
  arv_fake_camera_write_register(camera, address, bits);
}

static guint32 read_integer(ArvFakeCamera *camera, guint32 address) {
  guint32 value;
  arv_fake_camera_read_register(camera, address, &value);
  return value;
}

// The number of a register's steps in 1; 0 if the register is a floating-point number.
static double ratio_steps(const peer_options *o) {
  return o->names == NAMES_RAW ? 64 : o->ratio_steps;
}

static double read_ratio(const peer_options *o, ArvFakeCamera *camera, int color) {
  guint32 address = REGISTER_BALANCE + 4 * color;
  double steps = ratio_steps(o);
  return steps ? read_integer(camera, address) / steps : read_float(camera, address);
}

static void write_ratio(const peer_options *o, ArvFakeCamera *camera, int color, double ratio) {
  guint32 address = REGISTER_BALANCE + 4 * color;
  double steps = ratio_steps(o);
  if (steps) arv_fake_camera_write_register(camera, address, lround(ratio * steps));
  else write_float(camera, address, ratio);
}

static double read_exposure(const peer_options *o, ArvFakeCamera *camera) {
  return o->names == NAMES_RAW ? read_integer(camera, REGISTER_EXPOSURE)
                               : read_float(camera, REGISTER_EXPOSURE);
}

static void write_exposure(const peer_options *o, ArvFakeCamera *camera, double time) {
  if (o->names == NAMES_RAW) arv_fake_camera_write_register(camera, REGISTER_EXPOSURE, lround(time));
  else write_float(camera, REGISTER_EXPOSURE, time);
}

void reset_registers(const peer_options *o, ArvFakeCamera *camera) {
  char vendor[32] = "wbcal", model[32] = "Peer";
  arv_fake_camera_write_memory(camera, 0x48, sizeof vendor, vendor);
  arv_fake_camera_write_memory(camera, 0x68, sizeof model, model);
  for (int color = 0; color < 3; color++) write_ratio(o, camera, color, 1);
  write_exposure(o, camera, 10000);
  write_float(camera, REGISTER_GAMMA, 1);
  if (o->has_test_pattern) arv_fake_camera_write_register(camera, REGISTER_TEST_PATTERN, 1);
  if (o->names == NAMES_RAW) arv_fake_camera_write_register(camera, REGISTER_GAIN, lround(10 * o->gain));
  else write_float(camera, REGISTER_GAIN, o->gain);
  arv_fake_camera_write_register(camera, ARV_FAKE_CAMERA_REGISTER_WIDTH, o->width);
  arv_fake_camera_write_register(camera, ARV_FAKE_CAMERA_REGISTER_HEIGHT, o->height);
  arv_fake_camera_write_register(camera, ARV_FAKE_CAMERA_REGISTER_ACQUISITION_FRAME_PERIOD_US,
                                 lround(1e6 / o->frames_per_second));
  if (o->packet_size) arv_fake_camera_write_register(camera, STREAM_PACKET_SIZE, o->packet_size);
  load_default_set(o, camera);
  if (o->has_unknown_format) return;
  for (unsigned i = 0; i < format_count; i++)
    if (!strcmp(formats[i].name, o->format)) {
      arv_fake_camera_write_register(camera, ARV_FAKE_CAMERA_REGISTER_PIXEL_FORMAT,
                                     formats[i].code);
      return;
    }
  fprintf(stderr, "genicam-peer: there is no format '%s'\n", o->format);
  exit(64);
}

scene *new_scene(const peer_options *options, ArvFakeCamera *camera) {
  scene *made = g_new0(scene, 1);
  made->options = *options;
  made->camera = camera;
  g_strlcpy(made->lamp, options->lamp, sizeof made->lamp);
  GRand *random = g_rand_new_with_seed(1);
  for (int i = 0; i < NOISE_COUNT; i++) {
    double sum = -6;
    for (int j = 0; j < 12; j++) sum += g_rand_double(random);
    made->noise[i] = sum;
  }
  g_rand_free(random);
  return made;
}

// The camera's response to the card under the present lamp, green 1.
static void read_lamp(scene *scene, double response[3]) {
  FILE *file = scene->options.lamp_file ? fopen(scene->options.lamp_file, "r") : NULL;
  if (file) {
    char name[sizeof scene->lamp] = "";
    if (fscanf(file, "%31s", name) == 1) memcpy(scene->lamp, name, sizeof name);
    fclose(file);
  }
  for (unsigned i = 0; i < sizeof lamps / sizeof *lamps; i++)
    if (!strcmp(lamps[i].name, scene->lamp)) {
      response[0] = lamps[i].red;
      response[1] = 1;
      response[2] = lamps[i].blue;
      return;
    }
  fprintf(stderr, "genicam-peer: there is no lamp '%s'\n", scene->lamp);
  _exit(64);
}

static state read_state(const scene *scene) {
  const peer_options *o = &scene->options;
  ArvFakeCamera *camera = scene->camera;
  state now = {.exposure = read_exposure(o, camera),
               .gain = o->has_gain_colors ? 0
                       : o->names == NAMES_RAW ? read_integer(camera, REGISTER_GAIN) / 10.0
                                               : read_float(camera, REGISTER_GAIN),
               .black = read_float(camera, REGISTER_BLACK) / 255,
               .gamma = read_float(camera, REGISTER_GAMMA),
               .is_transformed = read_integer(camera, REGISTER_TRANSFORMATION)};
  bool has_effect =
      !o->is_ineffective && (!o->has_enable || read_integer(camera, REGISTER_BALANCE_ENABLE));
  for (int color = 0; color < 3; color++)
    now.balance[color] = has_effect ? read_ratio(o, camera, color) : 1;
  return now;
}

// The card's linear values at settings, before the tone curve.
static void card_at(const state *settings, const double response[3], double card[3]) {
  double level = 0.35 * settings->exposure / 10000 * pow(10, settings->gain / 20);
  for (int color = 0; color < 3; color++)
    card[color] = level * response[color] * settings->balance[color];
}

// Moves what the camera chooses by itself a step nearer to its target.
static void choose_settings(scene *scene, const double response[3]) {
  const peer_options *o = &scene->options;
  ArvFakeCamera *camera = scene->camera;
  guint32 balance = o->has_gain_colors ? AUTO_OFF : read_integer(camera, REGISTER_BALANCE_AUTO);
  double farthest = 0;
  for (int color = 0; balance != AUTO_OFF && color < 3; color++) {
    double ratio = read_ratio(o, camera, color), step = 1 / response[color] - ratio;
    write_ratio(o, camera, color, ratio + (fabs(step) < 0.03 ? step : 0.2 * step));
    farthest = fmax(farthest, fabs(step));
  }
  if (balance == AUTO_ONCE && farthest < 0.01)
    arv_fake_camera_write_register(camera, REGISTER_BALANCE_AUTO, AUTO_OFF);
  if (read_integer(camera, REGISTER_EXPOSURE_AUTO) != AUTO_OFF) {
    double time = read_exposure(o, camera);
    double target = 10000 / pow(10, read_state(scene).gain / 20);
    write_exposure(o, camera, time + 0.2 * (target - time));
  }
}

// Writes a line for a frame: its time in nanoseconds, and the card.
static void log_truth(scene *scene, guint64 time, const double card[3]) {
  if (!scene->options.truth_log) return;
  if (!scene->log) scene->log = fopen(scene->options.truth_log, "w");
  if (!scene->log) return;
  fprintf(scene->log, "%" G_GUINT64_FORMAT " %.9g %.9g %.9g\n", time, card[0], card[1], card[2]);
  fflush(scene->log);
}

static void write_truth(const scene *scene, const double card[3]) {
  if (!scene->options.truth_file) return;
  char *name = g_strdup_printf("%s.new", scene->options.truth_file);
  FILE *file = fopen(name, "w");
  if (file) {
    fprintf(file, "%.9g %.9g %.9g\n", card[0], card[1], card[2]);
    fclose(file);
    rename(name, scene->options.truth_file);
  }
  g_free(name);
}

static void begin_faults(scene *scene) {
  const peer_options *o = &scene->options;
  unsigned frame = scene->frames;
  if (o->vanishes_after && frame == o->vanishes_after) _exit(0);
  if (o->stalls_after && frame == o->stalls_after)
    arv_fake_camera_write_register(scene->camera, ARV_FAKE_CAMERA_REGISTER_TRIGGER_MODE, 1);
  if (o->loses_control_after && frame == o->loses_control_after)
    arv_fake_camera_set_control_channel_privilege(scene->camera, 0);
  if (o->misses_heartbeats_after && frame == o->misses_heartbeats_after) miss_heartbeats();
}

// The value of a sample with noise, and after the tone curve, from 0 to its largest.
static unsigned stored(const scene *scene, const state *settings, double linear, float noise,
                       unsigned bits) {
  double value = linear + scene->options.noise * sqrt(fmin(linear, 1) + 0.02) * noise;
  value = fmin(fmax(value, 0), 1);
  if (settings->gamma != 1) value = pow(value, settings->gamma);
  double largest = (1u << bits) - 1;
  return fmin(fmax(floor((value + settings->black) * largest + 0.5), 0), largest);
}

static void store(unsigned char *data, size_t index, unsigned value, const pixel_format *format) {
  if (format->storage == STORED_ALONE) {
    if (format->bits == 8) data[index] = value;
    else {
      data[2 * index] = value;
      data[2 * index + 1] = value >> 8;
    }
  } else if (format->storage == STORED_PACKED_LSB) {
    size_t bit = index * format->bits;
    for (unsigned left = 0; left < format->bits; left++)
      if (value >> left & 1) data[(bit + left) / 8] |= 1 << (bit + left) % 8;
  } else {
    // Two samples in three bytes, the lower bits of both in the middle one.
    unsigned char *pair = data + index / 2 * 3;
    pair[index % 2 * 2] = value >> 4;
    pair[1] |= (value & 15) << (index % 2 * 4);
  }
}

static double linear_value(char color, const double card[3]) {
  switch (color) {
    case 'R': return card[0];
    case 'G': return card[1];
    case 'B': return card[2];
    default: return (card[0] + card[1] + card[2]) / 3;
  }
}

static void draw_samples(const scene *scene, const state *settings, const double card[3],
                         const pixel_format *format, unsigned char *data) {
  unsigned width = read_integer(scene->camera, ARV_FAKE_CAMERA_REGISTER_WIDTH);
  unsigned height = read_integer(scene->camera, ARV_FAKE_CAMERA_REGISTER_HEIGHT);
  unsigned count = format->is_mosaic ? 1 : strlen(format->colors);
  guint32 place = scene->frames * 2654435761u;
  for (unsigned y = 0; y < height; y++) {
    for (unsigned x = 0; x < width; x++) {
      // The card fills the middle, in front of something darker.
      bool is_card = 8 * x >= width && 8 * x < 7 * width && 8 * y >= height && 8 * y < 7 * height;
      for (unsigned sample = 0; sample < count; sample++) {
        char color = format->colors[format->is_mosaic ? y % 2 * 2 + x % 2 : sample];
        double linear = linear_value(color, card) * (is_card ? 1 : 0.3);
        place = place * 1664525u + 1013904223u;
        unsigned value = stored(scene, settings, linear, scene->noise[place >> 16], format->bits);
        store(data, ((size_t)y * width + x) * count + sample, value, format);
      }
    }
  }
}

// Draws a picture into a buffer, or repeats one.
static void show(scene *scene, const state *settings, const double card[3],
                 const pixel_format *format, unsigned char *data) {
  look wanted;
  memset(&wanted, 0, sizeof wanted);
  memcpy(wanted.card, card, sizeof wanted.card);
  wanted.black = settings->black;
  wanted.gamma = settings->gamma;
  wanted.size = arv_fake_camera_get_payload(scene->camera);
  wanted.width = read_integer(scene->camera, ARV_FAKE_CAMERA_REGISTER_WIDTH);
  wanted.code = format->code;
  if (memcmp(&wanted, &scene->shown, sizeof wanted)) {
    scene->picture_count = MAX((1u << 25) / wanted.size, 8);
    scene->pictures = g_realloc(scene->pictures, scene->picture_count * wanted.size);
    scene->shown = wanted;
    scene->drawn = 0;
  }
  unsigned char *picture =
      scene->pictures + scene->frames % scene->picture_count * wanted.size;
  if (scene->drawn < scene->picture_count) {
    if (format->storage != STORED_ALONE) memset(picture, 0, wanted.size);
    draw_samples(scene, settings, card, format, picture);
    scene->drawn++;
  }
  memcpy(data, picture, wanted.size);
}

void draw(ArvBuffer *buffer, void *user, guint32 time, guint32 gain, ArvPixelFormat code) {
  (void)time, (void)gain;
  scene *scene = user;
  double response[3], card[3];
  read_lamp(scene, response);
  choose_settings(scene, response);
  scene->states[scene->frames % KEPT_STATES] = read_state(scene);
  unsigned latency = MIN(scene->options.latency, scene->frames);
  const state *settings = &scene->states[(scene->frames - latency) % KEPT_STATES];
  card_at(settings, response, card);
  write_truth(scene, card);
  log_truth(scene, arv_buffer_get_timestamp(buffer), card);
  double mean = (card[0] + card[1] + card[2]) / 3;
  size_t size;
  unsigned char *data = (unsigned char *)arv_buffer_get_data(buffer, &size);
  for (unsigned i = 0; i < format_count; i++) {
    const pixel_format *format = &formats[i];
    if (format->code != code) continue;
    for (int color = 0; settings->is_transformed && !format->is_mosaic && color < 3; color++)
      card[color] = mean + 1.3 * (card[color] - mean);
    show(scene, settings, card, format, data);
  }
  scene->frames++;
  begin_faults(scene);
}
