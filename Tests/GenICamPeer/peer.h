#include <arv.h>
#include <stdbool.h>

// What the command line asks for.
typedef struct {
  const char *interface, *serial, *format;
  const char *lamp, *lamp_file, *truth_file;
  unsigned width, height;
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
  // The numbers of frames after which a fault begins; 0 for never.
  unsigned stalls_after, vanishes_after, loses_control_after;
  double lost_packets;
} peer_options;

peer_options parse_options(int count, char **arguments);

// Writes the description of the camera's nodes to a new file, and returns its name.
char *write_description(const peer_options *options);

// Draws frames of a gray card according to the registers.
typedef struct scene scene;
scene *new_scene(const peer_options *options, ArvFakeCamera *camera);
void reset_registers(const peer_options *options, ArvFakeCamera *camera);
void draw(ArvBuffer *buffer, void *scene, guint32 time, guint32 gain, ArvPixelFormat format);
