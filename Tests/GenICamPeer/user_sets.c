#include <stdio.h>
#include <string.h>

#include "peer.h"
#include "registers.h"

enum { SET_COUNT = 3, FIRST = REGISTER_BALANCE, REGISTER_COUNT = (REGISTER_SET_SELECTOR - FIRST) / 4 };

// The user sets as the file has them; set 0 is that of the factory.
typedef struct {
  guint32 first;
  bool is_saved[SET_COUNT];
  guint32 registers[SET_COUNT][REGISTER_COUNT];
} stored_sets;

static stored_sets read_sets(const char *name) {
  stored_sets sets = {0};
  FILE *file = fopen(name, "rb");
  if (file && fread(&sets, sizeof sets, 1, file) != 1) sets = (stored_sets){0};
  if (file) fclose(file);
  return sets;
}

static bool write_sets(const char *name, const stored_sets *sets) {
  FILE *file = fopen(name, "wb");
  bool is_written = file && fwrite(sets, sizeof *sets, 1, file) == 1;
  return file && fclose(file) == 0 && is_written;
}

static void load(const stored_sets *sets, unsigned set, ArvFakeCamera *camera) {
  for (unsigned i = 0; sets->is_saved[set] && i < REGISTER_COUNT; i++)
    arv_fake_camera_write_register(camera, FIRST + 4 * i, sets->registers[set][i]);
}

static void save(stored_sets *sets, unsigned set, ArvFakeCamera *camera) {
  for (unsigned i = 0; i < REGISTER_COUNT; i++)
    arv_fake_camera_read_register(camera, FIRST + 4 * i, &sets->registers[set][i]);
  sets->is_saved[set] = true;
}

void load_default_set(const peer_options *options, ArvFakeCamera *camera) {
  if (!options->user_sets) return;
  stored_sets sets = read_sets(options->user_sets);
  // Set 0 has what the camera started with at first.
  if (!sets.is_saved[0]) save(&sets, 0, camera);
  write_sets(options->user_sets, &sets);
  arv_fake_camera_write_register(camera, REGISTER_SET_DEFAULT, sets.first);
  load(&sets, sets.first % SET_COUNT, camera);
}

unsigned carry_out(const peer_options *options, ArvFakeCamera *camera, guint32 address,
                   guint32 value) {
  stored_sets sets = read_sets(options->user_sets);
  guint32 set = value;
  if (address != REGISTER_SET_DEFAULT)
    arv_fake_camera_read_register(camera, REGISTER_SET_SELECTOR, &set);
  if (set >= SET_COUNT) return STATUS_INVALID_PARAMETER;
  switch (address) {
    case REGISTER_SET_LOAD:
      load(&sets, set, camera);
      return 0;
    case REGISTER_SET_DEFAULT: sets.first = set; break;
    default:
      if (set == 0) return STATUS_WRITE_PROTECT;
      save(&sets, set, camera);
      if (options->is_forgetful)
        memcpy(sets.registers[set], sets.registers[0], sizeof sets.registers[0]);
  }
  return write_sets(options->user_sets, &sets) ? 0 : STATUS_BUSY;
}
