// Compares the parts of the camera, on the host, with values computed by hand, and its JPEG with
// the result of another decoder. Prints a line for each check; the status is 1 if one fails.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <turbojpeg.h>
#include <unistd.h>

#include "bytes.h"
#include "chain.h"
#include "ciede2000.h"
#include "controls.h"
#include "descriptors.h"
#include "exposure.h"
#include "faults.h"
#include "filters.h"
#include "jpeg.h"
#include "lamps.h"
#include "laws.h"
#include "lies.h"
#include "log.h"
#include "requests.h"
#include "scene.h"

static int checks, failures;

static void ok(const char *what, bool is_so) {
  checks++;
  failures += !is_so;
  printf("%sok %d - %s\n", is_so ? "" : "not ", checks, what);
}

static void is(const char *what, double value, double expected, double tolerance) {
  bool is_so = fabs(value - expected) <= tolerance;
  ok(what, is_so);
  if (!is_so) printf("#   %.9g, and not %.9g\n", value, expected);
}

static const struct chain plain = {.saturation = 1};
static const struct chain webcam = {
    .saturation = 1.2, .matrix = 1, .s_curve = 0.3, .lift = 6, .shading = 0.1};

// Gains that the line of temperatures has for one.
static struct gains gains_of(int kelvin) {
  choose_law("kelvin10");
  return temperature_law->gains(kelvin);
}

static void check_matrix(void) {
  double matrix[3][3], worst = 0, darkest = 1;
  for (int each = 0; each < 2; each++) {
    chain = plain;
    chain.has_matrix_for_each_light = each;
    for (chain.matrix = 0; chain.matrix <= 2; chain.matrix += 0.25) {
      for (int kelvin = 2000; kelvin <= 7500; kelvin += 100) {
        color_matrix(gains_of(kelvin), matrix);
        double gray[3] = {0.3, 0.3, 0.3};
        apply_matrix((const double(*)[3])matrix, gray);
        for (int i = 0; i < 3; i++) {
          worst = fmax(worst, fabs(matrix[i][0] + matrix[i][1] + matrix[i][2] - 1));
          worst = fmax(worst, fabs(gray[i] - 0.3));
          if (chain.matrix == 1) darkest = fmin(darkest, matrix[i][i] - 1);
        }
      }
    }
  }
  is("the rows of every matrix sum to 1, and gray stays gray", worst, 0, 1e-12);
  ok("the diagonal of a usual matrix is 1.4 at least", darkest >= 0.4);

  chain = plain;
  color_matrix((struct gains){1, 1}, matrix);
  is("a matrix of strength 0 does nothing", matrix[0][0], 1, 0);
  is("nor to other colors", matrix[0][1], 0, 0);
  chain.matrix = 1;
  color_matrix(gains_of(2850), matrix);
  is("the matrix for daylight", matrix[0][0], 1.80, 1e-12);
  chain.matrix = 0.5;
  color_matrix(gains_of(2850), matrix);
  is("at half its strength", matrix[0][0], 1.40, 1e-12);
  is("in other colors", matrix[1][2], -0.19, 1e-12);
  chain.matrix = 1;
  chain.has_matrix_for_each_light = true;
  color_matrix(gains_of(2850), matrix);
  is("the matrix for thermal light", matrix[2][1], -0.98, 1e-6);
  color_matrix(gains_of(6500), matrix);
  is("and for daylight", matrix[2][1], -0.68, 1e-6);
  // 252.36 mired are halfway between 6500 K and 2850 K.
  is("the temperature that gains stand for", temperature_of(gains_of(3963)), 3963, 0.01);
  color_matrix(gains_of(3963), matrix);
  is("and halfway", matrix[2][1], -0.83, 1e-3);

  double light[3] = {0.1, 0.2, 0.3};
  color_matrix(gains_of(6500), matrix);
  apply_gains_and_matrix((struct gains){2, 1}, (const double(*)[3])matrix, light);
  is("red of a color after gains and matrix", light[0], 1.8 * 0.2 - 0.62 * 0.2 - 0.18 * 0.3, 1e-6);
  double dark[3] = {0, 0.1, 0};
  apply_gains_and_matrix((struct gains){1, 1}, (const double(*)[3])matrix, dark);
  is("what would be negative is black", dark[0], 0, 0);
  chain = plain;
  chain.pedestal = 0.01;
  double lifted[3] = {0.1, 0.1, 0.1};
  apply_gains((struct gains){2, 3}, lifted);
  is("what is left of black is gained with red", lifted[0], 0.22, 1e-12);
  is("with green", lifted[1], 0.11, 1e-12);
  is("and with blue", lifted[2], 0.33, 1e-12);
  chain = plain;
}

static void check_curve(void) {
  bool is_monotone = true, has_ends = true;
  for (int i = 0; i < 2 * 3 * 4 * 3; i++) {
    chain.curve = i & 1 ? SRGB : POWER;
    int gamma = (int[]){100, 220, 300}[i / 2 % 3];
    chain.s_curve = (double[]){0, 0.3, 0.7, 1}[i / 6 % 4];
    chain.lift = (double[]){-20, 0, 6}[i / 24];
    for (int k = 0; k < 4096; k++) {
      double here = tone(k / 4096.0, gamma), next = tone((k + 1) / 4096.0, gamma);
      if (next < here || (here > 0 && next == here && chain.s_curve < 1)) is_monotone = false;
    }
    if (fabs(tone(0, gamma) - fmax(chain.lift, 0)) > 1e-9) has_ends = false;
    if (fabs(tone(1, gamma) - 255) > 1e-9) has_ends = false;
  }
  ok("every curve rises from end to end", is_monotone);
  ok("from black, lifted or not, to 255", has_ends);
  // With a power of 1 the figures are plain arithmetic.
  chain = plain;
  is("a power of 1", tone(0.25, 100), 63.75, 1e-9);
  is("a power of 2", tone(0.25, 200), 127.5, 1e-9);
  chain.s_curve = 1;
  is("an S of full strength", tone(0.25, 100), 255 * 0.15625, 1e-9);
  chain.s_curve = 0.5;
  is("and of half", tone(0.25, 100), 255 * 0.203125, 1e-9);
  is("leaves the middle", tone(0.5, 100), 127.5, 1e-9);
  chain = plain;
  chain.lift = 6;
  is("black lifted by 6", tone(0.25, 100), 6 + 249 * 0.25, 1e-9);
  chain.lift = -20;
  is("black cut by 20", tone(0.25, 100), -20 + 275 * 0.25, 1e-9);
  is("below which all is black", tone(0.05, 100), 0, 0);
  chain = plain;
  is("18 % by a power of 2.2 is 117", tone(0.18, 220), 116.96, 0.01);
  is("which shows 18 %", shown_light(tone(0.18, 220), 220), 0.18, 1e-12);
  chain.curve = SRGB;
  is("and 117.6 in sRGB", tone(0.18, 220), 117.64, 0.01);
  is("which shows it too", shown_light(tone(0.18, 220), 220), 0.18, 1e-6);
  chain = plain;
}

static void check_rest_of_chain(void) {
  chain.shading = 0.1;
  is("no shading in the center", transmission(0, 0), 1, 0);
  is("10 % of green in the corners", transmission(1, 1), 0.9, 1e-12);
  is("11 % of red", transmission(1, 0), 0.89, 1e-12);
  is("9.5 % of blue", transmission(1, 2), 0.905, 1e-12);
  is("2.5 % halfway", transmission(0.25, 1), 0.975, 1e-12);
  chain = plain;

  double codes[3] = {130, 110, 90}, yuv[3];
  to_yuv(codes, yuv);
  is("luma of BT.601", yuv[0], 113.7, 1e-9);
  is("Cb", yuv[1], (90 - 113.7) / 1.772, 1e-9);
  is("Cr", yuv[2], (130 - 113.7) / 1.402, 1e-9);
  to_codes(yuv, codes);
  is("and back", codes[1], 110, 1e-3);
  chain.saturation = 1.2;
  to_yuv(codes, yuv);
  apply_look(look_of(128, 128, 64, 0), yuv);
  to_codes(yuv, codes);
  is("saturation 1.2 and half by its control: red", codes[0], 113.7 + 0.6 * 16.3, 1e-3);
  is("green", codes[1], 113.7 - 0.6 * 3.7, 1e-3);
  chain = plain;
  chain.hue = 60;
  double turned[3] = {100, 10, 20};
  apply_look(look_of(256, 138, 128, 30), turned);
  is("contrast is around 128, brightness after it", turned[0], (100 - 128) * 2 + 138, 1e-9);
  is("a hue of 90 turns Cr to −Cb", turned[1], -20, 1e-9);
  is("and Cb to Cr", turned[2], 10, 1e-9);
  chain = webcam;
  double gray[3] = {120, 120, 120};
  to_yuv(gray, yuv);
  apply_look(look_of(128, 128, 200, 70), yuv);
  is("gray has no color at any saturation or hue", fabs(yuv[1]) + fabs(yuv[2]), 0, 1e-9);
  chain = plain;
}

static void check_laws(void) {
  choose_law("v256");
  bends = (struct bends){.is_falling = true};
  is("falling: the least value is the most gain", component_gain(64, 0), 1023 / 256.0, 1e-12);
  is("and neutral is where it was from the other end", component_gain(831, 0), 1, 1e-12);
  take_ranges_of_laws();
  is("as the control's initial value says", red_of(controls[COMPONENT].initial), 831, 0);
  is("found from a gain", component_for(2, 0), 1087 - 512, 0);
  bends = (struct bends){.flat = 0.1};
  is("flat: 10 % at the lower end", component_gain(64, 0), 160 / 256.0, 1e-12);
  is("give one gain", component_gain(150, 0), 160 / 256.0, 1e-12);
  is("as they do at the upper", component_gain(1023, 0), 927 / 256.0, 1e-12);
  is("and not between", component_gain(512, 0), 2, 1e-12);
  bends = (struct bends){.levels = 8};
  is("stairs: the nearest of 8 temperatures", bent(5000, 2000, 7500), 5143, 0);
  is("from one", bent(2392, 2000, 7500), 2000, 0);
  is("to the next", bent(2393, 2000, 7500), 2786, 0);
  is("and both ends", bent(7500, 2000, 7500), 7500, 0);
  choose_law("kelvin10");
  is("of which the gain is", temperature_gains(5000).red, temperature_law->gains(5143).red, 0);
  bends = (struct bends){.is_falling = true};
  is("temperatures fall too", temperature_gains(2500).blue, temperature_law->gains(7000).blue, 0);
  bends = (struct bends){0};
  is("nothing is bent otherwise", bent(1234, 64, 4095), 1234, 0);

  choose_law("v256");
  bends.hysteresis = 4;
  take_ranges_of_laws();
  controls[COMPONENT_AUTO].value = 0;
  static const int32_t steps[][2] = {{260, 256}, {261, 257}, {300, 296}, {293, 296}, {292, 296},
                                     {291, 295}, {64, 68}};
  for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
    set_control(COMPONENT, pack(steps[i][0], 256));
    is("hysteresis of 4", red_of(hardware_value(COMPONENT)), steps[i][1], 0);
  }
  set_control(COMPONENT, pack(300, 256));
  set_control(COMPONENT, pack(290, 256));
  is("follows values that no frame sees", red_of(hardware_value(COMPONENT)), 294, 0);
  is("is of each color", blue_of(hardware_value(COMPONENT)), 256, 0);
  bends = (struct bends){0};
  take_ranges_of_laws();
  controls[COMPONENT_AUTO].value = 1;
}

// Sets or reads a control as the driver does; its answer.
static int ask(int request, int id, uint32_t value, uint32_t *read) {
  const struct control *c = &controls[id];
  const uint8_t setup[8] = {0x21, (uint8_t)request, 0, c->selector, 0, c->entity, c->size, 0};
  uint8_t sent[4], reply[16] = {0};
  put_number(sent, value, 4);
  int length = answer_request(setup, sent, reply);
  if (read) *read = get_number(reply, 4);
  return length;
}

static int set(int id, int32_t value) { return ask(0x01, id, (uint32_t)value, NULL); }

static int32_t reading(int id) {
  uint32_t value = 0;
  ask(0x81, id, 0, &value);
  return (int32_t)value;
}

// A scene of round figures: a lamp whose light is 0.8, 1, 0.4 on the sensor, and no noise.
static uint8_t picture[1280 * 720 * 2];

static void start(void) {
  chain = plain;
  lies = (struct lies){0};
  bends = (struct bends){0};
  delivery = (struct delivery){.pace = 1, .is_jpeg_full_range = true, .jpeg = {.quality = 85}};
  choose_law("v256");
  unit_mask = COMPONENT_UNIT;
  take_ranges_of_laws();
  light_with("Round");
  struct scene scene = present_scene();
  scene.level = 1, scene.card = 0.18, scene.shot_noise = scene.read_noise = 0;
  scene.flicker = scene.flicker_color = scene.drift = 0;
  set_scene(scene);
  controls[AE_MODE].value = 8;
  controls[COMPONENT_AUTO].value = 1;
  settle();
}

static void draw(int count) {
  while (count--) draw_frame(picture, YUY2, 160, 120);
}

static void start_manual(void) {
  start();
  set(AE_MODE, 1);
  set(COMPONENT_AUTO, 0);
  set(COMPONENT, pack(256, 256));
  set(EXPOSURE, 250);
  settle();
  draw(1);
}

// Another chain, whose curve is drawn anew for another gamma only.
static void use(struct chain other) {
  chain = other;
  controls[GAMMA].value--;
  draw(1);
  controls[GAMMA].value++;
  draw(1);
}

// A number of `truth`, the first of a name or one after it.
static double truth(const char *name, int place) {
  char text[512] = " ", key[32];
  describe_frame(text + 1, sizeof text - 1);
  snprintf(key, sizeof key, " %s=", name);
  const char *at = strstr(text, key);
  if (!at) return NAN;
  at += strlen(key);
  for (; place; place--) at = strchr(at, ',') + 1;
  return strtod(at, NULL);
}

static void check_lies(void) {
  start_manual();
  lies.comes_back_after = 5;
  set(COMPONENT, pack(384, 256));
  set(COMPONENT_AUTO, 0);
  draw(4);
  ok("the automatic stays off for 4 frames", truth("balancing", 0) == 0);
  draw(1);
  ok("and is back in the fifth", truth("balancing", 0) == 1);
  is("going on from where red was", truth("gains", 0), 1.5 + 0.15 * (1.25 - 1.5), 1e-9);
  is("while its control reads as off", reading(COMPONENT_AUTO), 0, 0);
  draw(60);
  is("red is as the automatic would have it", truth("gains", 0), 1.25, 2e-3);
  is("though another value is set", red_of(reading(COMPONENT)), 384, 0);
  set(COMPONENT_AUTO, 0);
  draw(1);
  is("switched off again, the value is followed", truth("gains", 0), 1.5, 0);
  lies.comes_back_after = 0;
  lies.comes_back_at_start = true;
  draw(300);
  ok("none comes back in the middle of a stream", !is_balancing());
  stream_starts();
  ok("but at the next start", is_balancing());
  set(COMPONENT_AUTO, 0);
  lies.comes_back_at_start = false;
  lies.comes_back_at_plug = true;
  stream_starts();
  ok("or not then", !is_balancing());
  is_plugged_in();
  ok("but when plugged in", is_balancing());

  start();
  lies.is_relative = true;
  draw(80);
  set(COMPONENT_AUTO, 0);
  is("relative: the value is not where the automatic stopped", red_of(reading(COMPONENT)), 256, 0);
  draw(1);
  is("but the gain is", truth("gains", 0), 1.25, 2e-3);
  set(COMPONENT, pack(512, 128));
  draw(1);
  is("and red is gained on top", truth("gains", 0), 2.5, 4e-3);
  is("as blue is", truth("gains", 2), 1.25, 2e-3);

  start_manual();
  lies.read_step = 10;
  set(COMPONENT, pack(258, 259));
  is("read as the nearest of every 10 values: red", red_of(reading(COMPONENT)), 254, 0);
  is("and blue", blue_of(reading(COMPONENT)), 264, 0);
  lies.read_step = 0;
  lies.read_late = 6;
  set(COMPONENT, pack(300, 256));
  is("read late: the value of before", red_of(reading(COMPONENT)), 258, 0);
  draw(1);
  is("while the picture has the new one", truth("red", 0), 300, 0);
  usleep(220000);
  is("until 6 frames' time is over", red_of(reading(COMPONENT)), 300, 0);
  lies.read_late = 0;
  lies.takes_last_only = true;
  set(COMPONENT, pack(310, 270));
  is("of both only the last: red", red_of(reading(COMPONENT)), 310, 0);
  is("and not blue", blue_of(reading(COMPONENT)), 256, 0);
  usleep(60000);
  set(COMPONENT, pack(310, 270));
  is("alone blue is taken", blue_of(reading(COMPONENT)), 270, 0);
  is("and red stays", red_of(reading(COMPONENT)), 310, 0);
  usleep(60000);
  set(COMPONENT, pack(320, 270));
  set(COMPONENT, pack(320, 280));
  is("of two requests in a row, not red", red_of(reading(COMPONENT)), 310, 0);
  is("but blue", blue_of(reading(COMPONENT)), 280, 0);

  start_manual();
  lies.exposes_always = true;
  set(EXPOSURE, 100);
  draw(60);
  is("an exposure that stays automatic reads as manual", reading(AE_MODE), 1, 0);
  // 250 over the luma of 0.8, 1, 0.4, which is 0.8718.
  is("and follows luma", truth("exposure", 0), 287, 1);
  set(COMPONENT, pack(512, 256));
  draw(60);
  is("also when red changes", truth("exposure", 0), 225, 1);
  set(COMPONENT, pack(256, 256));
  chain.matrix = 1;
  draw(60);
  // The matrix makes 0.748, 1.296, −0.032 of the light.
  is("and after the matrix", truth("exposure", 0), 255, 1);
  chain = plain;
}

static void check_time(void) {
  start_manual();
  delivery.pace = 0.1;
  set(COMPONENT, pack(512, 256));
  draw(1);
  is("slow: 10 % of the way", truth("gains", 0), 1.1, 1e-9);
  draw(2);
  is("and of what is left, twice", truth("gains", 0), 1.271, 1e-9);
  draw(100);
  is("to the end", truth("gains", 0), 2, 0);
  start_manual();
  delivery.pace = 0.01;
  set(COMPONENT, pack(512, 256));
  draw(100);
  is("1 % of the way, a hundred times", truth("gains", 0), 2 - pow(0.99, 100), 1e-5);

  start_manual();
  delivery.latency = 30;
  settle();
  set(COMPONENT, pack(512, 256));
  draw(30);
  is("a latency of 30 frames: not yet", truth("red", 0), 256, 0);
  draw(1);
  is("then it shows", truth("red", 0), 512, 0);

  start_manual();
  delivery.latency = 2;
  delivery.jitter = 4;
  settle();
  int least = 100, most = 0;
  for (int i = 0; i < 40; i++) {
    int frames = 0;
    draw(20);
    set(COMPONENT, pack(300 + i, 256));
    do draw(1), frames++;
    while (truth("red", 0) != 300 + i && frames < 100);
    if (frames < least) least = frames;
    if (frames > most) most = frames;
  }
  is("jitter: at best after the latency", least, 3, 0);
  is("at worst with all of it", most, 7, 0);
  bool goes_back = false;
  for (int i = 0; i < 200; i++) {
    double before = truth("red", 0);
    set(COMPONENT, pack(400 + i, 256));
    draw(1);
    if (i > 20 && truth("red", 0) < before) goes_back = true;
  }
  ok("and never back to an older value", !goes_back);

  start_manual();
  struct scene scene = present_scene();
  scene.flicker = 0.03, scene.flicker_period = 3.5, scene.flicker_color = 0.003;
  set_scene(scene);
  double green_least = 1, green_most = 0, sum = 0, warmest = 0;
  for (int i = 0; i < 70; i++) {
    draw(1);
    double green = truth("card", 1), ratio = truth("card", 0) / truth("card", 2) / 2;
    green_least = fmin(green_least, green), green_most = fmax(green_most, green);
    warmest = fmax(warmest, ratio);
    sum += green;
  }
  // Seven phases, the nearest to the top of which is a 28th of a turn off.
  double top = cos(2 * M_PI / 28);
  is("flicker: the brightest", green_most, 0.18 * (1 + 0.03 * top), 1e-6);
  is("the darkest", green_least, 0.18 * (1 - 0.03 * top), 1e-6);
  is("as before on average", sum / 70, 0.18, 1e-6);
  is("warmer at the top", warmest, (1 + 0.003 * top) / (1 - 0.003 * top), 1e-4);
  start_manual();
  scene = present_scene();
  scene.drift = 0.2, scene.drift_start = now() - 60;
  set_scene(scene);
  draw(1);
  is("drift: after a minute red is 20 % up", truth("card", 0), 0.18 * 0.8 * 1.2, 2e-5);
  is("blue as much down", truth("card", 2), 0.18 * 0.4 / 1.2, 2e-5);
  is("and green as it was", truth("card", 1), 0.18, 1e-9);
}

// The mean of samples of the card in the middle of YUYV, 160×120, every second from an offset.
static double mean_at(int offset, int step) {
  double sum = 0;
  int count = 0;
  for (int y = 50; y < 70; y++) {
    for (int x = 140 + offset; x < 180; x += step) sum += picture[y * 320 + x], count++;
  }
  return sum / count;
}

// How far the picture's middle is from the codes of the truth, at worst.
static double off_truth(bool is_full_range) {
  double yuv[3] = {mean_at(0, 2), mean_at(1, 4) - 128, mean_at(3, 4) - 128}, codes[3], worst = 0;
  if (!is_full_range) {
    yuv[0] = (yuv[0] - 16) * 255 / 219;
    yuv[1] *= 255.0 / 224, yuv[2] *= 255.0 / 224;
  }
  to_codes(yuv, codes);
  for (int i = 0; i < 3; i++) worst = fmax(worst, fabs(codes[i] - truth("codes", i)));
  return worst;
}

static double distance(void) {
  double seen[3];
  card_as_seen(seen);
  return distance_from_neutral(seen);
}

static void check_truth(void) {
  start_manual();
  // Rounding is no matter on average where there is noise.
  struct scene scene = present_scene();
  scene.shot_noise = 0.012, scene.read_noise = 0.002;
  set_scene(scene);
  set(COMPONENT, pack(288, 512));
  draw(1);
  double plain_distance = distance();
  is("a plain camera's card is seen as after gains", truth("seen", 2), truth("card", 2), 1e-6);
  ok("the picture shows the truth", off_truth(false) < 1);
  use(webcam);
  ok("a webcam's, too", off_truth(false) < 1);
  ok("with the light after gains as before", fabs(truth("card", 2) - 0.144) < 1e-6);
  ok("but a color that is stronger", distance() > 1.3 * plain_distance);
  delivery.is_full_range = true;
  draw(1);
  ok("in full range", off_truth(true) < 1);
  set(SATURATION, 60), set(HUE, 25), set(CONTRAST, 140), set(BRIGHTNESS, 120);
  draw(1);
  ok("with its controls", off_truth(true) < 1);
  set(COMPONENT, pack(320, 640));
  draw(1);
  is("gains of 1.25 and 2.5 are neutral whatever follows", distance(), 0, 1e-3);
  start();
  use(webcam);
  draw(80);
  is("so they are where the automatic finds them", distance(), 0, 0.05);

  start_manual();
  controls[COMPONENT].value = pack(320, 640);
  set(EXPOSURE, 1000);
  chain.shading = 0.1;
  draw_frame(picture, RGGB, 160, 120);
  // 0.72 in the center, and 24 % of the way to a corner in the card's.
  is("Bayer green in the center", picture[60 * 160 + 81], 16 + 239 * 0.72, 1);
  is("and in the card's corner", picture[30 * 160 + 41], 16 + 239 * 0.72 * (1 - 0.1 * 0.24), 1);
}

static void check_exposure(void) {
  ok("a law of exposure times that is none", !choose_time_law("none"));
  ok("a law of gains that is none", !choose_gain_law("none"));
  choose_time_law("absolute");
  is("250 times 100 µs", light_of_time(250), 1, 0);
  is("20 ms", light_of_time(200), 0.8, 1e-12);
  choose_time_law("lines");
  is("lines of which some are lost", light_of_time(119) / light_of_time(250), 0.5, 1e-12);
  choose_time_law("logarithmic");
  is("steps of a stop", light_of_time(1024 + 128) / light_of_time(1024), 2, 1e-12);
  is("the nearest time to a light", time_for(4), 1024 + 256, 0);
  is("and at the end of the range", time_for(1e9), 2047, 0);
  choose_time_law("absolute");
  choose_gain_law("decibels");
  is("gain of a doubling", light_of_gain(64), 2, 1e-12);
  choose_gain_law("additive");
  is("gain of 16 steps", light_of_gain(16), 2, 0);
  choose_gain_law("coarse");
  is("half of the second doubling", light_of_gain(64 + 32), 3, 0);
  choose_gain_law("decibels");

  lens.backlash = 8;
  is("a lens that comes from below stays behind", place_of(100), 96, 0);
  is("within its play it stays", place_of(98), 96, 0);
  is("from above it stays before", place_of(50), 54, 0);
  lens.backlash = 0;
  lens.texture = 0.4;
  static uint8_t picture[2][64 * 16 * 2];
  double contrast[2] = {0, 0};
  for (int i = 0; i < 2; i++) {
    memset(picture[i], 128, sizeof picture[i]);
    draw_texture(picture[i], 64, 16, lens.best + 40 * i);
    for (int k = 0; k < 64 * 16; k++) contrast[i] += fabs(picture[i][2 * k] - 128.0) / (64 * 16);
  }
  ok("a sharp texture is seen", contrast[0] > 8);
  ok("a blurred one hardly", contrast[1] < contrast[0] / 3);
  lens.texture = 0;
}

static void check_filters(void) {
  enum { WIDTH = 16, HEIGHT = 8 };
  static uint8_t yuyv[WIDTH * HEIGHT * 2];
  for (int i = 0; i < WIDTH * HEIGHT * 2; i++) {
    yuyv[i] = i & 1 ? 130 : i % (2 * WIDTH) < WIDTH ? 100 : 108;
  }
  sharpen(yuyv, WIDTH, HEIGHT, 1);
  const uint8_t *row = yuyv + 4 * WIDTH * 2;
  is("sharpening darkens the dark side of an edge", row[2 * 7], 98, 0);
  is("and brightens the other", row[2 * 8], 110, 0);
  ok("and nothing else", row[2 * 6] == 100 && row[2 * 9] == 108 && row[1] == 130);
  for (int i = 0; i < WIDTH * HEIGHT; i++) yuyv[2 * i] = i < WIDTH * 4 ? 100 : 108;
  sharpen(yuyv, WIDTH, HEIGHT, 1);
  is("as it does above", yuyv[(3 * WIDTH + 5) * 2], 98, 0);
  is("and below", yuyv[(4 * WIDTH + 5) * 2], 110, 0);
  ok("in two lines", yuyv[(2 * WIDTH + 5) * 2] == 100 && yuyv[(5 * WIDTH + 5) * 2] == 108);
  static const uint8_t before[] = {100, 104, 104, 150, 151}, after[] = {100, 102, 103, 150, 151};
  forget_pictures();
  for (int i = 0; i < 5; i++) {
    memset(yuyv, before[i], sizeof yuyv);
    smooth(yuyv, WIDTH, HEIGHT, 0.5);
    is("smoothing by half", yuyv[17], after[i], 0);
  }
}

// A picture of slopes and noise, in YUYV.
static void paint(uint8_t *yuyv, int width, int height) {
  uint32_t random = 1;
  for (int i = 0; i < width * height * 2; i++) {
    int x = i / 2 % width, y = i / 2 / width;
    random = random * 1664525u + 1013904223u;
    int noise = (int)(random >> 28);
    yuyv[i] = (uint8_t)(i & 1 ? 60 + (i & 2 ? x : y) + noise / 4 : 20 + (x + y) / 2 + noise);
  }
}

// The farthest that a decoded JPEG is from the picture; −1 where it cannot be decoded, or with a
// complaint.
static double off_picture(const uint8_t *jpeg, size_t length, const uint8_t *yuyv, int width,
                          int height, bool is_420) {
  static uint8_t planes[3][640 * 480];
  uint8_t *pointers[3] = {planes[0], planes[1], planes[2]};
  int strides[3] = {640, 640, 640}, widths, heights, sampling, space;
  tjhandle decoder = tjInitDecompress();
  bool failed = tjDecompressHeader3(decoder, jpeg, length, &widths, &heights, &sampling, &space) ||
                widths != width || heights != height ||
                sampling != (is_420 ? TJSAMP_420 : TJSAMP_422) ||
                tjDecompressToYUVPlanes(decoder, jpeg, length, pointers, width, strides, height, 0);
  tjDestroy(decoder);
  if (failed) return -1;
  double worst = 0;
  for (int y = 0; y < height; y++) {
    for (int x = 0; x < width; x++) {
      const uint8_t *at = yuyv + (y * width + x) * 2;
      worst = fmax(worst, abs(planes[0][y * 640 + x] - at[0]));
      double mean = is_420 ? (at[1] + at[1 + width * 2 * (y + 1 < height)]) / 2.0 : at[1];
      int decoded = planes[1 + (x & 1)][(y >> is_420) * 640 + x / 2];
      if (!(is_420 && y & 1)) worst = fmax(worst, fabs(decoded - mean));
    }
  }
  return worst;
}

static bool has_marker(const uint8_t *jpeg, int marker) {
  for (const uint8_t *at = jpeg + 2; at[1] != 0xda; at += 2 + (at[2] << 8 | at[3])) {
    if (at[1] == marker) return true;
  }
  return false;
}

static void check_jpeg(void) {
  static uint8_t yuyv[160 * 120 * 2], jpeg[160 * 120 * 2];
  static const int sizes[][2] = {{160, 120}, {40, 24}, {72, 42}};
  for (int i = 0; i < 6; i++) {
    int width = sizes[i / 2][0], height = sizes[i / 2][1];
    struct jpeg_style style = {.quality = 100, .is_420 = i & 1};
    paint(yuyv, width, height);
    size_t length = encode_jpeg(yuyv, width, height, style, jpeg, sizeof jpeg);
    double off = off_picture(jpeg, length, yuyv, width, height, style.is_420);
    char what[80];
    snprintf(what, sizeof what, "JPEG 4:2:%d of %d×%d is within 2 codes (%g)", i & 1 ? 0 : 2, width,
             height, off);
    ok(what, off >= 0 && off <= 2);
  }
  size_t lengths[4];
  double offs[4];
  for (int i = 0; i < 4; i++) {
    struct jpeg_style style = {.quality = (int[]){5, 50, 85, 98}[i]};
    paint(yuyv, 160, 120);
    lengths[i] = encode_jpeg(yuyv, 160, 120, style, jpeg, sizeof jpeg);
    offs[i] = off_picture(jpeg, lengths[i], yuyv, 160, 120, false);
  }
  ok("a higher quality takes more bytes",
     lengths[0] < lengths[1] && lengths[1] < lengths[2] && lengths[2] < lengths[3]);
  ok("and is nearer", offs[0] > offs[2] && offs[2] > offs[3] && offs[3] >= 0);
  memset(yuyv, 117, sizeof yuyv);
  struct jpeg_style style = {.quality = 85};
  size_t length = encode_jpeg(yuyv, 160, 120, style, jpeg, sizeof jpeg);
  ok("a flat picture stays as it is", off_picture(jpeg, length, yuyv, 160, 120, false) <= 1);
  for (int i = 0; i < 160 * 120 * 2; i++) yuyv[i] = i / 2 & 1 ? 255 : 0;
  style.quality = 100;
  length = encode_jpeg(yuyv, 160, 120, style, jpeg, sizeof jpeg);
  ok("the hardest contrasts are no trouble", off_picture(jpeg, length, yuyv, 160, 120, false) <= 2);
  is("without room there is none", (double)encode_jpeg(yuyv, 160, 120, style, jpeg, 1000), 0, 0);
  paint(yuyv, 160, 120);
  length = encode_jpeg(yuyv, 160, 120, style, jpeg, sizeof jpeg);
  ok("the Huffman tables are there", has_marker(jpeg, 0xc4));
  style.has_no_tables = true;
  size_t shorter = encode_jpeg(yuyv, 160, 120, style, jpeg, sizeof jpeg);
  ok("unless they are not wanted", !has_marker(jpeg, 0xc4) && !memcmp(jpeg + 6, "AVI1", 4));
  // Four headers of 21 bytes, and 12, 12, 162 and 162 symbols.
  is("which saves 432 bytes", (double)(length - shorter), 432, 0);
  ok("and those who know them read on", off_picture(jpeg, shorter, yuyv, 160, 120, false) <= 2);
  style.has_no_tables = false;
  length = encode_jpeg(yuyv, 160, 120, style, jpeg, sizeof jpeg);
  damage_jpeg(jpeg, length);
  double off = off_picture(jpeg, length, yuyv, 160, 120, false);
  ok("damage shows", off < 0 || off > 20);
}

static void check_stream(void) {
  start_manual();
  use(webcam);
  size_t length = draw_frame(picture, MJPG, 160, 120);
  static uint8_t rgb[160 * 120 * 3];
  tjhandle decoder = tjInitDecompress();
  ok("a frame is a JPEG",
     !tjDecompress2(decoder, picture, length, rgb, 160, 0, 120, TJPF_RGB, 0));
  double worst = 0;
  for (int i = 0; i < 3; i++) {
    worst = fmax(worst, fabs(rgb[(60 * 160 + 80) * 3 + i] - truth("codes", i)));
  }
  is("that shows the truth", worst, 0, 3);
  delivery.jpeg.damage_every = 3;
  int damaged = 0;
  for (int i = 0; i < 6; i++) {
    length = draw_frame(picture, MJPG, 160, 120);
    damaged |= (tjDecompress2(decoder, picture, length, rgb, 160, 0, 120, TJPF_RGB, 0) != 0) << i;
  }
  is("every third is damaged", damaged, 1 << 2 | 1 << 5, 0);
  delivery.jpeg.damage_every = 0;
  faults.damage = 1;
  length = draw_frame(picture, MJPG, 160, 120);
  ok("or one on command",
     tjDecompress2(decoder, picture, length, rgb, 160, 0, 120, TJPF_RGB, 0) && !faults.damage);
  tjDestroy(decoder);

  ok("formats by name", offer_formats("yuyv,mjpg") && format_count == 2 && format_of(2) == MJPG);
  uint8_t text[4096];
  int written = get_descriptor(2, 0, text), at = 0, jpegs = 0;
  for (; at < written && text[at]; at += text[at]) {
    jpegs += text[at + 1] == 0x24 && text[at + 2] == 7;
  }
  ok("the descriptors have their lengths", at == written && (text[2] | text[3] << 8) == written);
  is("and MJPG its sizes", jpegs, SIZES, 0);
  ok("others are refused", !offer_formats("yuyv,h264") && !offer_formats("yu"));
  offer_formats("yuyv,nv12,rggb");
}

// Lamps of round figures: light of white, and papers that reflect half of it.
static void write_lamps(const char *path) {
  static const struct {
    const char *name;
    double white[3];
  } lamps[] = {{"D50", {0.5, 1, 0.5}}, {"Round", {0.8, 1, 0.4}}};
  FILE *file = fopen(path, "w");
  if (!file) fail(path);
  for (int i = 0; i < 2; i++) {
    const double *w = lamps[i].white;
    fprintf(file, "%s\t%g %g %g", lamps[i].name, w[0], w[1], w[2]);
    for (int k = 0; k < PAPERS + PATCHES + 1; k++) {
      fprintf(file, "\t%g %g %g", w[0] / 2, w[1] / 2, w[2] / 2);
    }
    fputc('\n', file);
  }
  fclose(file);
}

int main(void) {
  char lamps[] = "/tmp/lampsXXXXXX";
  int file = mkstemp(lamps);
  if (file < 0) fail(lamps);
  close(file);
  open_log("/dev/null");
  write_lamps(lamps);
  read_lamps(lamps);
  unlink(lamps);
  check_matrix();
  check_curve();
  check_rest_of_chain();
  check_laws();
  check_lies();
  check_time();
  check_truth();
  check_exposure();
  check_filters();
  check_jpeg();
  check_stream();
  printf("1..%d\n", checks);
  return failures > 0;
}
