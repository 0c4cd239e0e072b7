#include "scene.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "controls.h"
#include "lamps.h"
#include "laws.h"
#include "random.h"

enum { SURFACES = 1 + PAPERS, SAMPLES = 1024, HISTORY = 16 };

// What decides about a picture: all controls, and the gains that come of them.
struct settings {
  struct gains gains;
  int32_t values[CONTROLS];
};

static struct scene scene = {.level = 1, .card = 0.18, .shot_noise = 0.012, .read_noise = 0.002};
static const struct lamp *lamp;
static int latency = 2;
static bool is_srgb;

// The settings of this frame and those before, and those that the last frame drawn shows.
static struct settings history[HISTORY], shown;
static struct gains automatic = {1, 1};

// Noisy samples of each surface, drawn again only for other settings or another scene.
static uint8_t macropixels[SURFACES][SAMPLES][4], bare[SURFACES][SAMPLES][3];
static bool is_stale = true;

void set_scene(struct scene changed) {
  scene = changed;
  is_stale = true;
}

struct scene present_scene(void) { return scene; }

bool light_with(const char *name) {
  const struct lamp *found = find_lamp(name);
  if (!found) return false;
  lamp = found;
  memcpy(scene.illuminant, lamp->white, sizeof lamp->white);
  is_stale = true;
  return true;
}

void set_behavior(int frames, bool srgb_curve) {
  latency = frames;
  is_srgb = srgb_curve;
}

// The gains under which laws that are balanced by the maker are neutral at their middle.
static struct gains makers_gains(void) {
  const struct lamp *daylight = find_lamp("D50");
  return (struct gains){1 / daylight->white[0], 1 / daylight->white[2]};
}

static struct gains manual_gains(void) {
  struct gains gains;
  int32_t gain_control = controls[GAIN].value;
  if (is_by_component()) {
    gains.red = component_law->gain(red_of(controls[COMPONENT].value), gain_control);
    gains.blue = component_law->gain(blue_of(controls[COMPONENT].value), gain_control);
    if (!component_law->is_balanced) return gains;
  } else if (is_present(TEMPERATURE)) {
    gains = temperature_law->gains(controls[TEMPERATURE].value);
  } else {
    gains = (struct gains){1, 1};
  }
  struct gains maker = makers_gains();
  return (struct gains){gains.red * maker.red, gains.blue * maker.blue};
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
  struct settings now = {is_white_balance_automatic() ? automatic : manual_gains(), {0}};
  for (int i = 0; i < CONTROLS; i++) now.values[i] = controls[i].value;
  return now;
}

void settle(void) {
  for (int i = 0; i < HISTORY; i++) history[i] = present_settings();
}

static double creep(double gain, double target) {
  return fabs(gain / target - 1) < 1e-3 ? target : gain + 0.15 * (target - gain);
}

// Exposure jumps to where the card is right; white balance creeps to where it is gray.
static void run_automatics(void) {
  if (!(controls[AE_MODE].value & 1)) {
    double exposure =
        250 * 0.18 / (scene.card * scene.level * exp2(controls[GAIN].value / 64.0));
    controls[EXPOSURE].value = (int32_t)fmin(fmax(exposure, 3), 2047);
  }
  if (is_white_balance_automatic()) {
    automatic.red = creep(automatic.red, scene.illuminant[1] / scene.illuminant[0]);
    automatic.blue = creep(automatic.blue, scene.illuminant[1] / scene.illuminant[2]);
  }
}

// The light of a surface on the sensor, which clips at 1.
static void sensor_light(int surface, double rgb[3]) {
  double exposure =
      scene.level * shown.values[EXPOSURE] / 250.0 * exp2(shown.values[GAIN] / 64.0);
  for (int i = 0; i < 3; i++) {
    double reflectance = surface ? lamp->papers[surface - 1][i] / lamp->white[i] : scene.card;
    rgb[i] = reflectance * scene.illuminant[i] * exposure;
  }
}

static double clip(double light) { return fmin(fmax(light, 0), 1); }

static void apply_gains(struct gains gains, double rgb[3]) {
  rgb[0] = clip(rgb[0] * gains.red);
  rgb[2] = clip(rgb[2] * gains.blue);
}

static void card_light_with(struct gains gains, double rgb[3]) {
  sensor_light(0, rgb);
  for (int i = 0; i < 3; i++) rgb[i] = clip(rgb[i]);
  apply_gains(gains, rgb);
}

void card_light(double rgb[3]) { card_light_with(shown.gains, rgb); }

void card_light_at(int32_t temperature, double rgb[3]) {
  struct gains gains = temperature_law->gains(temperature), maker = makers_gains();
  card_light_with((struct gains){gains.red * maker.red, gains.blue * maker.blue}, rgb);
}

// The camera's curve: the code, 0…255, of linear light.
static double encoded(double light) {
  if (!is_srgb) return 255 * pow(light, 100.0 / shown.values[GAMMA]);
  return 255 * (light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055);
}

void describe_frame(char *text, size_t size) {
  double card[3];
  card_light(card);
  const int32_t *values = shown.values;
  snprintf(text, size,
           "red=%d blue=%d temperature=%d automatic=%d,%d exposure=%d gain=%d "
           "gains=%.5f,1,%.5f card=%.6f,%.6f,%.6f codes=%.1f,%.1f,%.1f",
           red_of(values[COMPONENT]), blue_of(values[COMPONENT]), values[TEMPERATURE],
           values[COMPONENT_AUTO], values[TEMPERATURE_AUTO], values[EXPOSURE], values[GAIN],
           shown.gains.red, shown.gains.blue, card[0], card[1], card[2], encoded(card[0]),
           encoded(card[1]), encoded(card[2]));
}

// The codes of linear light in steps of 1/4096.
static const uint8_t *tone_curve(void) {
  static uint8_t codes[4097];
  static int32_t drawn_for;
  if (drawn_for == shown.values[GAMMA]) return codes;
  drawn_for = shown.values[GAMMA];
  for (int i = 0; i <= 4096; i++) codes[i] = (uint8_t)lround(encoded(i / 4096.0));
  return codes;
}

static uint8_t byte(double value) { return (uint8_t)lround(fmin(fmax(value, 1), 254)); }

// What saturation and hue make of chroma.
struct chroma_turn {
  double along, across;
};

static struct chroma_turn present_turn(void) {
  double saturation = shown.values[SATURATION] / 128.0;
  double angle = shown.values[HUE] * M_PI / 180;
  return (struct chroma_turn){cos(angle) * saturation, sin(angle) * saturation};
}

// Two pixels as Y Cb Y Cr, BT.601 of limited range, after contrast, brightness, saturation and hue.
static void encode(const double rgb[2][3], const uint8_t *curve, struct chroma_turn turn,
                   uint8_t out[4]) {
  double luma[2], cb = 0, cr = 0;
  for (int i = 0; i < 2; i++) {
    double p[3];
    for (int c = 0; c < 3; c++) p[c] = curve[(int)(rgb[i][c] * 4096)];
    luma[i] = 0.299 * p[0] + 0.587 * p[1] + 0.114 * p[2];
    cb += (p[2] - luma[i]) / 1.772 / 2;
    cr += (p[0] - luma[i]) / 1.402 / 2;
    luma[i] = (luma[i] - 128) * shown.values[CONTRAST] / 128.0 + shown.values[BRIGHTNESS];
  }
  out[0] = byte(16 + luma[0] * 219 / 255);
  out[1] = byte(128 + (cb * turn.along - cr * turn.across) * 224 / 255);
  out[2] = byte(16 + luma[1] * 219 / 255);
  out[3] = byte(128 + (cb * turn.across + cr * turn.along) * 224 / 255);
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

static void draw_samples(void) {
  const uint8_t *curve = tone_curve();
  const struct chroma_turn turn = present_turn();
  const double *normal = normals();
  double read_noise = scene.read_noise * exp2(shown.values[GAIN] / 64.0);
  for (int surface = 0; surface < SURFACES; surface++) {
    double light[3], deviation[3], noise[2][3];
    sensor_light(surface, light);
    for (int c = 0; c < 3; c++) {
      deviation[c] = sqrt(scene.shot_noise * scene.shot_noise * light[c] + read_noise * read_noise);
    }
    for (int i = 0; i < SAMPLES; i++) {
      double rgb[2][3];
      for (int k = 0; k < 2; k++) {
        for (int c = 0; c < 3; c++) {
          // Every second sample has the noise of the one before reversed: their mean is exact.
          noise[k][c] = i & 1 ? -noise[k][c] : deviation[c] * *normal++;
          rgb[k][c] = clip(light[c] + noise[k][c]);
        }
        if (!k) {
          for (int c = 0; c < 3; c++) {
            bare[surface][i][c] = (uint8_t)lround(16 + rgb[0][c] * 239);
          }
        }
        apply_gains(shown.gains, rgb[k]);
      }
      encode((const double(*)[3])rgb, curve, turn, macropixels[surface][i]);
    }
  }
}

// The card in the middle half, papers around it.
static int surface_at(int x, int y, int width, int height) {
  bool is_card = x >= width / 4 && x < width * 3 / 4 && y >= height / 4 && y < height * 3 / 4;
  return is_card ? 0 : 1 + (x * 8 / width * 3 + y * 6 / height * 5) % PAPERS;
}

static void draw_pixels(uint8_t *out, int format, int width, int height) {
  uint32_t random = random_bits();
  for (int y = 0; y < height; y++) {
    for (int x = 0; x < width; x += 2) {
      // All sizes have their edges at multiples of 8.
      static int surface;
      if (x % 8 == 0) surface = surface_at(x, y, width, height);
      random = random * 1664525u + 1013904223u;
      uint32_t i = random >> 22;
      const uint8_t *pair = macropixels[surface][i], *rgb = bare[surface][i];
      uint8_t *plane = out + y * width + x;
      if (format == YUY2) {
        memcpy(out + (y * width + x) * 2, pair, 4);
      } else if (format == NV12) {
        plane[0] = pair[0], plane[1] = pair[2];
        uint8_t *chroma = out + width * height + y / 2 * width + x;
        if (!(y & 1)) chroma[0] = pair[1], chroma[1] = pair[3];
      } else {
        // Bayer samples know no gains.
        plane[0] = rgb[y & 1], plane[1] = bare[surface][(i + 7) % SAMPLES][1 + (y & 1)];
      }
    }
  }
}

void draw_frame(uint8_t *out, int format, int width, int height) {
  run_automatics();
  memmove(history + 1, history, sizeof history - sizeof *history);
  history[0] = present_settings();
  const struct settings *due = &history[latency];
  if (due->gains.red != shown.gains.red || due->gains.blue != shown.gains.blue ||
      memcmp(due->values, shown.values, sizeof shown.values)) {
    shown = *due;
    is_stale = true;
  }
  if (is_stale) draw_samples();
  is_stale = false;
  draw_pixels(out, format, width, height);
}
