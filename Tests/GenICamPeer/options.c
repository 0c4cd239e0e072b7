#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "peer.h"
#include "registers.h"

static const char usage[] =
    "usage: genicam-peer [OPTION...]\n"
    "A GigE Vision camera in front of a gray card, until the standard input ends.\n"
    "  --interface ADDRESS   the address to answer at (127.0.0.1)\n"
    "  --serial TEXT         the serial number (PEER1)\n"
    "  --format NAME         the pixel format (BayerRG12)\n"
    "  --size WxH            the size of frames (160x120)\n"
    "  --packet-size N       the size of packets in bytes (1400)\n"
    "  --fps N               the rate of frames (100)\n"
    "  --lamp NAME           the lamp: A, D50, D65, FL11, LED-B3 (D65)\n"
    "  --lamp-file FILE      a file with the lamp's name, read before each frame\n"
    "  --truth FILE          a file for the card's red, green and blue without noise\n"
    "  --truth-log FILE      a file for the time and the colors of each frame\n"
    "  --noise X             the noise of a sample, of full scale (0.004)\n"
    "  --latency N           the frames after which a setting shows (1)\n"
    "  --names abs|raw       older names of nodes\n"
    "  --increments          nodes state increments\n"
    "  --moving-bounds       the largest balance ratio falls while the gain rises\n"
    "  --enable              BalanceRatioEnable, off at the start\n"
    "  --gain-colors         no balance ratios, but gains of colors\n"
    "  --ratio-steps N       the camera rounds balance ratios to 1/N\n"
    "  --test-pattern        the camera has test patterns, and one is on at the start\n"
    "  --gain DB             the gain at the start (0)\n"
    "  --user-sets FILE      the camera has user sets, kept in this file\n"
    "  --stall N, --vanish N, --lose-control N, --miss-heartbeats N   a fault after N frames\n"
    "  --loss X              the share of lost packets\n"
    "  --lose-answers N      each Nth answer gets lost\n"
    "  --deaf N              nothing is answered after N writes of balance ratios\n"
    "  --refuse STATUS       writes of balance ratios are refused: invalid, protected, denied, busy\n"
    "  --ignore              balance ratios are acknowledged, but not stored\n"
    "  --no-effect           balance ratios have no effect on frames\n"
    "  --locked              balance ratios are locked during a stream\n"
    "  --unknown-format      the only pixel format is one of points in space\n"
    "  --forgetful           user sets keep the values of the start\n"
    "  --twin                another camera with the same serial number answers, too\n";

static void refuse(const char *argument) {
  fprintf(stderr, "genicam-peer: '%s' is not understood\n%s", argument, usage);
  exit(64);
}

static double number(const char *text) {
  char *end;
  double value = strtod(text, &end);
  if (end == text || *end != 0 || !(value >= 0)) refuse(text);
  return value;
}

static bool parse_flag(peer_options *o, const char *name) {
  if (!strcmp(name, "--increments")) return o->states_increments = true;
  if (!strcmp(name, "--moving-bounds")) return o->moves_bounds = true;
  if (!strcmp(name, "--enable")) return o->has_enable = true;
  if (!strcmp(name, "--gain-colors")) return o->has_gain_colors = true;
  if (!strcmp(name, "--ignore")) return o->ignores_balance = true;
  if (!strcmp(name, "--no-effect")) return o->is_ineffective = true;
  if (!strcmp(name, "--locked")) return o->is_locked_by_stream = true;
  if (!strcmp(name, "--unknown-format")) return o->has_unknown_format = true;
  if (!strcmp(name, "--forgetful")) return o->is_forgetful = true;
  if (!strcmp(name, "--twin")) return o->has_twin = true;
  if (!strcmp(name, "--test-pattern")) return o->has_test_pattern = true;
  return false;
}

static void parse_names(peer_options *o, const char *value) {
  if (!strcmp(value, "abs")) o->names = NAMES_ABS;
  else if (!strcmp(value, "raw")) o->names = NAMES_RAW;
  else refuse(value);
}

static bool parse_fault(peer_options *o, const char *name, const char *value) {
  if (!strcmp(name, "--stall")) o->stalls_after = number(value);
  else if (!strcmp(name, "--vanish")) o->vanishes_after = number(value);
  else if (!strcmp(name, "--lose-control")) o->loses_control_after = number(value);
  else if (!strcmp(name, "--miss-heartbeats")) o->misses_heartbeats_after = number(value);
  else if (!strcmp(name, "--loss")) o->lost_packets = number(value);
  else if (!strcmp(name, "--lose-answers")) o->lost_answers = number(value);
  else if (!strcmp(name, "--deaf")) o->deaf_after = number(value);
  else if (!strcmp(name, "--refuse")) {
    if (!strcmp(value, "invalid")) o->refusal = STATUS_INVALID_PARAMETER;
    else if (!strcmp(value, "protected")) o->refusal = STATUS_WRITE_PROTECT;
    else if (!strcmp(value, "denied")) o->refusal = STATUS_ACCESS_DENIED;
    else if (!strcmp(value, "busy")) o->refusal = STATUS_BUSY;
    else refuse(value);
  } else return false;
  return true;
}

static void parse_option(peer_options *o, const char *name, const char *value) {
  if (!strcmp(name, "--interface")) o->interface = value;
  else if (!strcmp(name, "--serial")) o->serial = value;
  else if (!strcmp(name, "--format")) o->format = value;
  else if (!strcmp(name, "--packet-size")) o->packet_size = number(value);
  else if (!strcmp(name, "--fps")) o->frames_per_second = number(value);
  else if (!strcmp(name, "--lamp")) o->lamp = value;
  else if (!strcmp(name, "--lamp-file")) o->lamp_file = value;
  else if (!strcmp(name, "--truth")) o->truth_file = value;
  else if (!strcmp(name, "--truth-log")) o->truth_log = value;
  else if (!strcmp(name, "--noise")) o->noise = number(value);
  else if (!strcmp(name, "--latency")) o->latency = number(value);
  else if (!strcmp(name, "--ratio-steps")) o->ratio_steps = number(value);
  else if (!strcmp(name, "--gain")) o->gain = number(value);
  else if (!strcmp(name, "--user-sets")) o->user_sets = value;
  else if (!strcmp(name, "--names")) parse_names(o, value);
  else if (!strcmp(name, "--size")) {
    if (sscanf(value, "%ux%u", &o->width, &o->height) != 2) refuse(value);
  } else refuse(name);
}

peer_options parse_options(int count, char **arguments) {
  peer_options options = {
      .interface = "127.0.0.1", .serial = "PEER1", .format = "BayerRG12", .lamp = "D65",
      .width = 160, .height = 120, .frames_per_second = 100, .noise = 0.004, .latency = 1};
  for (int i = 1; i < count; i++) {
    if (!strcmp(arguments[i], "--help")) {
      fputs(usage, stdout);
      exit(0);
    }
    if (parse_flag(&options, arguments[i])) continue;
    if (i + 1 == count) refuse(arguments[i]);
    if (!parse_fault(&options, arguments[i], arguments[i + 1]))
      parse_option(&options, arguments[i], arguments[i + 1]);
    i++;
  }
  if (options.width < 16 || options.width > 2048 || options.width % 4 != 0 || options.height < 16 ||
      options.height > 2048 || options.height % 2 != 0)
    refuse("--size");
  if (options.latency > 15) refuse("--latency");
  return options;
}
