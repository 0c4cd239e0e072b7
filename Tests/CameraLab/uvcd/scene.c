#include "scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chain.h"
#include "controls.h"
#include "exposure.h"
#include "faults.h"
#include "lamps.h"
#include "laws.h"
#include "lies.h"
#include "log.h"
#include "random.h"

// Shading is drawn for as many distances from the center; what is between takes turns.
enum { SURFACES = 1 + PAPERS + PATCHES + 1, SAMPLES = 1024, RINGS = 8, HISTORY = 64 };

// What decides about a picture: all controls, and the gains that come of them.
struct settings {
  struct gains gains;
  int32_t values[CONTROLS];
};

static struct scene scene = {
    .level = 1, .card = 0.18, .shot_noise = 0.012, .read_noise = 0.002, .flicker_period = 2.7};
static const struct lamp *lamp;
struct delivery delivery = {
    .latency = 2, .pace = 1, .is_jpeg_full_range = true, .jpeg = {.quality = 85}};

// The settings of this frame and those before, those that the last frame drawn shows, and how many
// frames before it they were set.
static struct settings history[HISTORY], shown;
static int age, lateness;
static bool has_started;
static struct gains automatic = {1, 1};

// What flicker and drift make of the lamp in this frame.
static double flutter[3] = {1, 1, 1};

// Noisy samples of a surface at a distance, drawn again only for other settings or another light.
struct samples {
  bool are_drawn;
  uint8_t macropixels[SAMPLES][4], bare[SAMPLES][3];
};
static struct samples samples[SURFACES][RINGS + 1];

static void forget_samples(void) {
  for (int i = 0; i < SURFACES; i++) {
    for (int ring = 0; ring <= RINGS; ring++) samples[i][ring].are_drawn = false;
  }
}

void set_scene(struct scene changed) {
  scene = changed;
  forget_samples();
}

struct scene present_scene(void) { return scene; }

bool light_with(const char *name) {
  const struct lamp *found = find_lamp(name);
  if (!found) return false;
  lamp = found;
  memcpy(scene.illuminant, lamp->white, sizeof lamp->white);
  forget_samples();
  return true;
}

// The gains under which laws that are balanced by the maker are neutral at their middle.
static struct gains makers_gains(void) {
  const struct lamp *daylight = find_lamp("D50");
  return (struct gains){1 / daylight->white[0], 1 / daylight->white[2]};
}

static struct gains times(struct gains one, struct gains other) {
  return (struct gains){one.red * other.red, one.blue * other.blue};
}

static struct gains manual_gains(void) {
  struct gains gains = {1, 1};
  int32_t gain_control = controls[GAIN].value;
  bool is_balanced = true;
  if (is_by_component()) {
    int32_t value = hardware_value(COMPONENT);
    gains.red = component_gain(red_of(value), gain_control);
    gains.blue = component_gain(blue_of(value), gain_control);
    is_balanced = component_law->is_balanced;
  } else if (is_present(TEMPERATURE)) {
    gains = temperature_gains(hardware_value(TEMPERATURE));
  }
  if (lies.is_relative) return times(automatic, gains);
  return is_balanced ? times(gains, makers_gains()) : gains;
}

int32_t automatic_component(void) {
  struct gains maker = component_law->is_balanced ? makers_gains() : (struct gains){1, 1};
  int32_t gain_control = controls[GAIN].value;
  return pack(component_for(automatic.red / maker.red, gain_control),
              component_for(automatic.blue / maker.blue, gain_control));
}

int32_t automatic_temperature(void) {
  struct gains maker = makers_gains();
  return temperature_for((struct gains){automatic.red / maker.red, automatic.blue / maker.blue});
}

static struct settings present_settings(void) {
  struct settings now = {is_balancing() ? automatic : manual_gains(), {0}};
  for (int i = 0; i < CONTROLS; i++) now.values[i] = controls[i].value;
  return now;
}

void settle(void) {
  for (int i = 0; i < HISTORY; i++) history[i] = present_settings();
  age = lateness = delivery.latency;
  has_started = true;
  forget_pictures();
}

static double creep(double gain, double target, double share) {
  return fabs(gain / target - 1) < 1e-3 ? target : gain + share * (target - gain);
}

static void matrix_for(struct gains gains, double matrix[3][3]) {
  struct gains maker = makers_gains();
  color_matrix((struct gains){gains.red / maker.red, gains.blue / maker.blue}, matrix);
}

// An exposure that cannot be switched off meters the card's luma, and goes towards 18 % of it.
static void meter(struct gains gains) {
  double matrix[3][3], rgb[3];
  matrix_for(gains, matrix);
  for (int i = 0; i < 3; i++) rgb[i] = scene.illuminant[i] * flutter[i] * scene.card;
  const double factors[3] = {gains.red, 1, gains.blue};
  for (int i = 0; i < 3; i++) rgb[i] *= factors[i];
  apply_matrix((const double(*)[3])matrix, rgb);
  double luma = fmax(0.299 * rgb[0] + 0.587 * rgb[1] + 0.114 * rgb[2], 1e-3);
  double target = time_for(0.18 / (luma * scene.level * light_of_gain(controls[GAIN].value)));
  double gap = target - controls[EXPOSURE].value;
  double exposure = controls[EXPOSURE].value + round(fabs(gap) < 2 ? gap : 0.3 * gap);
  controls[EXPOSURE].value = (int32_t)fmin(fmax(exposure, 3), 2047);
}

// Exposure jumps to where the card is right; white balance creeps to where it is gray.
static void run_automatics(void) {
  // The lens creeps to where the scene is sharp.
  int32_t gap = lens.best - controls[FOCUS].value;
  if (is_locked(FOCUS)) controls[FOCUS].value += abs(gap) < 5 ? gap : gap / 4;
  bool was_balancing = is_balancing();
  if (!(controls[AE_MODE].value & 1)) {
    double light = 0.18 / (scene.card * scene.level * light_of_gain(controls[GAIN].value));
    controls[EXPOSURE].value = time_for(light);
  } else if (lies.exposes_always) {
    meter(was_balancing ? automatic : manual_gains());
  }
  struct gains manual = manual_gains();
  frame_passes();
  if (!is_balancing()) return;
  // One that comes back goes on from where it finds the gains.
  if (!was_balancing) automatic = manual;
  double red = scene.illuminant[0] * flutter[0], green = scene.illuminant[1] * flutter[1];
  automatic.red = creep(automatic.red, green / red, 0.15);
  automatic.blue = creep(automatic.blue, green / (scene.illuminant[2] * flutter[2]), 0.15);
}

// What flicker and drift make of the light in the next frame.
static void let_light_pass(void) {
  static double frames;
  frames++;
  double wave = sin(2 * M_PI * frames / scene.flicker_period);
  double drift = scene.drift ? pow(1 + scene.drift, (now() - scene.drift_start) / 60) : 1;
  double color = wave * scene.flicker_color, light = 1 + wave * scene.flicker;
  double next[3] = {light * (1 + color) * drift, light, light * (1 - color) / drift};
  if (!memcmp(next, flutter, sizeof next)) return;
  memcpy(flutter, next, sizeof next);
  forget_samples();
}

// The light of a surface in the center on the sensor, which clips at 1.
static void sensor_light(int surface, double rgb[3]) {
  double exposure = scene.level * light_of_time(shown.values[EXPOSURE]) *
                    light_of_gain(shown.values[GAIN]);
  for (int i = 0; i < 3; i++) {
    double color = surface > PAPERS ? lamp->chart[surface - 1 - PAPERS][i]
                   : surface        ? lamp->papers[surface - 1][i]
                                    : scene.card * lamp->white[i];
    rgb[i] = color / lamp->white[i] * scene.illuminant[i] * flutter[i] * exposure;
  }
}

static double clip(double light) { return fmin(fmax(light, 0), 1); }

static void bare_card(double rgb[3]) {
  sensor_light(0, rgb);
  for (int i = 0; i < 3; i++) rgb[i] = clip(rgb[i]);
}

void card_light(double rgb[3]) {
  bare_card(rgb);
  apply_gains(shown.gains, rgb);
}

static struct look present_look(void) {
  return look_of(shown.values[CONTRAST], shown.values[BRIGHTNESS], shown.values[SATURATION],
                 shown.values[HUE]);
}

static void card_codes(struct gains gains, double codes[3]) {
  double matrix[3][3], rgb[3], yuv[3];
  bare_card(rgb);
  matrix_for(gains, matrix);
  apply_gains_and_matrix(gains, (const double(*)[3])matrix, rgb);
  for (int i = 0; i < 3; i++) rgb[i] = tone(rgb[i], shown.values[GAMMA]);
  to_yuv(rgb, yuv);
  apply_look(present_look(), yuv);
  to_codes(yuv, codes);
}

static void card_as_seen_with(struct gains gains, double rgb[3]) {
  card_codes(gains, rgb);
  for (int i = 0; i < 3; i++) rgb[i] = shown_light(rgb[i], shown.values[GAMMA]);
}

void card_as_seen(double rgb[3]) { card_as_seen_with(shown.gains, rgb); }

void card_as_seen_at(int32_t temperature, double rgb[3]) {
  struct gains base = lies.is_relative ? automatic : makers_gains();
  card_as_seen_with(times(temperature_gains(temperature), base), rgb);
}

void describe_frame(char *text, size_t size) {
  double card[3], codes[3], seen[3];
  card_light(card);
  card_codes(shown.gains, codes);
  card_as_seen(seen);
  const int32_t *values = shown.values;
  snprintf(text, size,
           "red=%d blue=%d temperature=%d automatic=%d,%d exposure=%d gain=%d stops=%.4f meter=%.4f focus=%d "
           "gains=%.5f,1,%.5f card=%.6f,%.6f,%.6f codes=%.1f,%.1f,%.1f seen=%.6f,%.6f,%.6f "
           "balancing=%d",
           red_of(values[COMPONENT]), blue_of(values[COMPONENT]), values[TEMPERATURE],
           values[COMPONENT_AUTO], values[TEMPERATURE_AUTO], values[EXPOSURE], values[GAIN],
           log2(light_of_time(values[EXPOSURE]) * light_of_gain(values[GAIN])),
           log2(fmax(0.2126 * card[0] + 0.7152 * card[1] + 0.0722 * card[2], 1e-9) / 0.18),
           values[FOCUS],
           shown.gains.red, shown.gains.blue, card[0], card[1], card[2], codes[0], codes[1],
           codes[2], seen[0], seen[1], seen[2], is_balancing());
}

// The codes of linear light in steps of 1/4096, to the nearest of which light is rounded.
static const uint8_t *tone_curve(void) {
  static uint8_t codes[4097];
  static int32_t drawn_for;
  if (drawn_for == shown.values[GAMMA]) return codes;
  drawn_for = shown.values[GAMMA];
  for (int i = 0; i <= 4096; i++) codes[i] = (uint8_t)lround(tone(i / 4096.0, drawn_for));
  return codes;
}

// Where luma begins, how long luma and chroma are, and which codes there are.
struct range {
  double black, luma, chroma, lowest, highest;
};

static const struct range video_range = {16, 219 / 255.0, 224 / 255.0, 1, 254};
static const struct range full_range = {0, 1, 1, 0, 255};

static uint8_t byte(double value, const struct range *range) {
  return (uint8_t)lround(fmin(fmax(value, range->lowest), range->highest));
}

// Two pixels as Y Cb Y Cr, after contrast, brightness, saturation and hue.
static void encode(const double rgb[2][3], const uint8_t *curve, struct look look,
                   const struct range *range, uint8_t out[4]) {
  double yuv[2][3];
  for (int i = 0; i < 2; i++) {
    double codes[3];
    for (int c = 0; c < 3; c++) codes[c] = curve[(int)(rgb[i][c] * 4096 + 0.5)];
    to_yuv(codes, yuv[i]);
    apply_look(look, yuv[i]);
  }
  out[0] = byte(range->black + yuv[0][0] * range->luma, range);
  out[1] = byte(128 + (yuv[0][1] + yuv[1][1]) / 2 * range->chroma, range);
  out[2] = byte(range->black + yuv[1][0] * range->luma, range);
  out[3] = byte(128 + (yuv[0][2] + yuv[1][2]) / 2 * range->chroma, range);
}

// Standard normal numbers, drawn once.
static const double *normals(void) {
  static double numbers[SURFACES * SAMPLES * 3];
  static bool are_drawn;
  if (are_drawn) return numbers;
  are_drawn = true;
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) numbers[i] = random_normal();
  return numbers;
}

// With shading there are more surfaces, of fewer samples each.
static uint32_t sample_count(void) { return chain.shading != 0 ? SAMPLES / 4 : SAMPLES; }

static void draw_samples(int surface, int ring, const double *normal, const struct range *range) {
  const uint8_t *curve = tone_curve();
  const struct look look = present_look();
  struct samples *drawn = &samples[surface][ring];
  double read_noise = scene.read_noise * light_of_gain(shown.values[GAIN]);
  double light[3], deviation[3], noise[2][3], matrix[3][3];
  matrix_for(shown.gains, matrix);
  sensor_light(surface, light);
  for (int c = 0; c < 3; c++) {
    light[c] *= transmission((double)ring / RINGS, c);
    deviation[c] = sqrt(scene.shot_noise * scene.shot_noise * light[c] + read_noise * read_noise);
  }
  for (uint32_t i = 0; i < sample_count(); i++) {
    double rgb[2][3];
    for (int k = 0; k < 2; k++) {
      for (int c = 0; c < 3; c++) {
        // Every second sample has the noise of the one before reversed: their mean is exact.
        noise[k][c] = i & 1 ? -noise[k][c] : deviation[c] * *normal++;
        rgb[k][c] = clip(light[c] + noise[k][c]);
      }
      if (!k) {
        for (int c = 0; c < 3; c++) drawn->bare[i][c] = (uint8_t)lround(16 + rgb[0][c] * 239);
      }
      apply_gains_and_matrix(shown.gains, (const double(*)[3])matrix, rgb[k]);
    }
    encode((const double(*)[3])rgb, curve, look, range, drawn->macropixels[i]);
  }
  drawn->are_drawn = true;
}

// The patch or board of the chart at a pixel; 0 beside it.
static int chart_at(int x, int y, int width, int height) {
  const double angle = 0.12, cell = 0.13;
  double across = (x - width / 2.0) / height, down = (y - height / 2.0) / height;
  double u = across * cos(angle) + down * sin(angle), v = down * cos(angle) - across * sin(angle);
  double depth = cell * (1 + 0.2 * u - 0.15 * v);
  u = 3 + u / depth;
  v = 2 + v / depth;
  if (fmin(u, v) < -0.15 || u > 6.15 || v > 4.15) return 0;
  bool is_patch = fmin(u, v) >= 0 && u < 6 && v < 4 && fabs(u - floor(u) - 0.5) < 0.43 &&
                  fabs(v - floor(v) - 0.5) < 0.43;
  return 1 + PAPERS + (is_patch ? (int)v * 6 + (int)u : PATCHES);
}

// The card in the middle half, papers around it, and what lies on them.
static int surface_at(int x, int y, int width, int height) {
  int chart = scene.has_chart ? chart_at(x, y, width, height) : 0;
  if (chart) return chart;
  bool is_card = x >= width / 4 && x < width * 3 / 4 && y >= height / 4 && y < height * 3 / 4;
  return is_card ? 0 : 1 + (x * 8 / width * 3 + y * 6 / height * 5) % PAPERS;
}

// The square of the distance from the center over that of a corner, in 256ths of a ring; 0 where
// nothing depends on it.
static uint32_t distance_at(int x, int y, int width, int height) {
  if (chain.shading == 0) return 0;
  int across = 2 * x - width, down = 2 * y - height;
  return (uint32_t)((across * across + down * down) * 256LL * RINGS /
                    (width * width + height * height));
}

// Draws YUYV, or Bayer samples, which know no gains.
static void draw_pixels(uint8_t *out, bool is_bayer, int width, int height,
                        const struct range *range) {
  const double *normal = normals();
  uint32_t random = random_bits(), last = sample_count() - 1;
  for (int y = 0; y < height; y++) {
    int surface = 0;
    uint32_t distance = 0;
    for (int x = 0; x < width; x += 2) {
      // All sizes have their edges at multiples of 8, but a chart's are anywhere.
      if (x % 8 == 0 || scene.has_chart) {
        surface = surface_at(x, y, width, height);
        distance = distance_at(x + 4, y, width, height);
      }
      random = random * 1664525u + 1013904223u;
      uint32_t i = random >> 22 & last, ring = (distance + (random >> 14 & 255)) >> 8;
      struct samples *from = &samples[surface][ring];
      if (!from->are_drawn) {
        draw_samples(surface, (int)ring, normal + surface * SAMPLES * 3, range);
      }
      if (is_bayer) {
        uint8_t *plane = out + y * width + x;
        plane[0] = from->bare[i][y & 1];
        plane[1] = from->bare[(i + 7) & last][1 + (y & 1)];
      } else {
        memcpy(out + (y * width + x) * 2, from->macropixels[i], 4);
      }
    }
  }
}

static void draw_yuyv(uint8_t *out, bool is_full_range, int width, int height) {
  // Samples have codes of one range.
  static bool was_full_range;
  if (is_full_range != was_full_range) forget_samples();
  was_full_range = is_full_range;
  draw_pixels(out, false, width, height, is_full_range ? &full_range : &video_range);
  if (lens.texture > 0) draw_texture(out, width, height, place_of(shown.values[FOCUS]));
  double sharpening = delivery.filters.sharpening * shown.values[SHARPNESS] / 128.0;
  if (sharpening > 0) sharpen(out, width, height, sharpening);
  if (delivery.filters.smoothing > 0) smooth(out, width, height, delivery.filters.smoothing);
}

// Every second line's chroma.
static void pack_nv12(const uint8_t *yuyv, uint8_t *out, int width, int height) {
  uint8_t *chroma = out + width * height;
  for (int i = 0; i < width * height; i++) out[i] = yuyv[2 * i];
  for (int y = 0; y < height; y += 2) {
    for (int x = 0; x < width; x++) *chroma++ = yuyv[(y * width + x) * 2 + 1];
  }
}

static size_t draw_jpeg(uint8_t *out, const uint8_t *yuyv, int width, int height) {
  static int number;
  struct jpeg_style style = delivery.jpeg;
  size_t room = (size_t)(width * height * 2), length;
  // A quality that needs more room than the driver was promised is lowered.
  while (!(length = encode_jpeg(yuyv, width, height, style, out, room))) style.quality /= 2;
  bool is_turn = style.damage_every && ++number % style.damage_every == 0;
  if (happens(&faults.damage) || is_turn) {
    note("fault damage");
    damage_jpeg(out, length);
  }
  return length;
}

static bool are_same(const struct settings *one, const struct settings *other) {
  return one->gains.red == other->gains.red && one->gains.blue == other->gains.blue &&
         !memcmp(one->values, other->values, sizeof one->values);
}

// The settings whose turn it is: never any that were set before those of the last frame.
static void show_settings(void) {
  memmove(history + 1, history, sizeof history - sizeof *history);
  history[0] = present_settings();
  if (delivery.jitter && !are_same(&history[0], &history[1])) {
    lateness = delivery.latency + (int)(random_bits() % (uint32_t)(delivery.jitter + 1));
  }
  age = age + 1 < lateness ? age + 1 : lateness;
  struct settings due = history[age];
  if (delivery.pace < 1 && !has_started) {
    due.gains.red = creep(shown.gains.red, due.gains.red, delivery.pace);
    due.gains.blue = creep(shown.gains.blue, due.gains.blue, delivery.pace);
  }
  has_started = false;
  if (are_same(&due, &shown)) return;
  shown = due;
  forget_samples();
}

size_t draw_frame(uint8_t *out, int format, int width, int height) {
  static uint8_t yuyv[1280 * 720 * 2];
  size_t pixels = (size_t)(width * height);
  let_light_pass();
  run_automatics();
  show_settings();
  switch (format) {
  case NV12:
    draw_yuyv(yuyv, delivery.is_full_range, width, height);
    pack_nv12(yuyv, out, width, height);
    return pixels * 3 / 2;
  case RGGB: draw_pixels(out, true, width, height, &video_range); return pixels;
  case MJPG:
    draw_yuyv(yuyv, delivery.is_jpeg_full_range, width, height);
    return draw_jpeg(out, yuyv, width, height);
  default: draw_yuyv(out, delivery.is_full_range, width, height); return pixels * 2;
  }
}
