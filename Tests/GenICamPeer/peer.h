#include <arv.h>
#include <stdbool.h>

// What the command line asks for.
typedef struct {
  const char *interface, *serial, *format;
  const char *lamp, *lamp_file, *truth_file, *truth_log;
  unsigned width, height;
  // The size of packets in bytes, with their headers; 0 for the library's own.
  unsigned packet_size;
  double frames_per_second;
  // The standard deviation of the noise of a sample at full scale.
  double noise;
  // The number of frames after which a setting shows.
  unsigned latency;
  // The steps of a balance ratio in 1; 0 for any number.
  unsigned ratio_steps;
  // The names of nodes: as the standard has them, with "Abs", or integers with "Raw".
  enum { NAMES_STANDARD, NAMES_ABS, NAMES_RAW } names;
  bool states_increments, moves_bounds, has_enable, has_gain_colors;
  // The gain at the start, in decibels.
  double gain;
  // The file of the user sets; NULL for a camera without them.
  const char *user_sets;
  // The numbers of frames after which a fault begins; 0 for never.
  unsigned stalls_after, vanishes_after, loses_control_after, misses_heartbeats_after;
  double lost_packets;
  // The status with which a write of a balance ratio is refused; 0 for none.
  unsigned refusal;
  // The number of writes of balance ratios after which nothing is answered; 0 for never.
  unsigned deaf_after;
  // Each answer with a multiple of this number gets lost; 0 for none.
  unsigned lost_answers;
  bool ignores_balance, is_ineffective, is_locked_by_stream, has_unknown_format, has_twin,
      is_forgetful, has_test_pattern;
} peer_options;

peer_options parse_options(int count, char **arguments);

// Writes the description of the camera's nodes to a new file, and returns its name.
char *write_description(const peer_options *options);

// Draws frames of a gray card according to the registers.
typedef struct scene scene;
scene *new_scene(const peer_options *options, ArvFakeCamera *camera);
void reset_registers(const peer_options *options, ArvFakeCamera *camera);
void draw(ArvBuffer *buffer, void *scene, guint32 time, guint32 gain, ArvPixelFormat format);

// Begins to pass the packets of the control channel through the faults.
void wire(const peer_options *options, ArvFakeCamera *camera);
void miss_heartbeats(void);

// Keeps the camera's settings in a file, as it keeps user sets without power.
void load_default_set(const peer_options *options, ArvFakeCamera *camera);
// Carries out what a write to one of their registers asks for; returns the status of GVCP.
unsigned carry_out(const peer_options *options, ArvFakeCamera *camera, guint32 address,
                   guint32 value);
