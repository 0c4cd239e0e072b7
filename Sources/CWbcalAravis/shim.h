#include <arv.h>
#include <stdbool.h>

// The kinds of nodes that hold one value.
typedef enum {
  CARV_ABSENT,
  CARV_INTEGER,
  CARV_FLOAT,
  CARV_CHOICE,
  CARV_BOOLEAN,
  CARV_COMMAND
} CArvKind;

// Returns the kind of the node with a name; casts and checks of types are macros that do not import
// into Swift. A choice is an integer, too.
static inline CArvKind carv_kind(ArvDevice *device, const char *name) {
  ArvGcNode *node = arv_device_get_feature(device, name);
  if (ARV_IS_GC_ENUMERATION(node)) return CARV_CHOICE;
  if (ARV_IS_GC_BOOLEAN(node)) return CARV_BOOLEAN;
  if (ARV_IS_GC_COMMAND(node)) return CARV_COMMAND;
  if (ARV_IS_GC_FLOAT(node)) return CARV_FLOAT;
  if (ARV_IS_GC_INTEGER(node)) return CARV_INTEGER;
  return CARV_ABSENT;
}

// Returns what may be done with a node. The library's function for a device returns a truth value.
static inline ArvGcAccessMode carv_access(ArvDevice *device, const char *name) {
  ArvGcNode *node = arv_device_get_feature(device, name);
  return ARV_IS_GC_FEATURE_NODE(node)
             ? arv_gc_feature_node_get_actual_access_mode(ARV_GC_FEATURE_NODE(node))
             : ARV_GC_ACCESS_MODE_UNDEFINED;
}

// Indicates whether a node cannot be changed at the moment.
static inline bool carv_is_locked(ArvDevice *device, const char *name) {
  ArvGcNode *node = arv_device_get_feature(device, name);
  return ARV_IS_GC_FEATURE_NODE(node) &&
         arv_gc_feature_node_is_locked(ARV_GC_FEATURE_NODE(node), NULL);
}

// Indicates whether this program may change the camera. A USB camera has one user.
static inline bool carv_has_control(ArvDevice *device) {
  return !ARV_IS_GV_DEVICE(device) || arv_gv_device_is_controller(ARV_GV_DEVICE(device));
}

// Indicates whether any program controls the camera, by the bits of GigE Vision's register that
// grants control.
static inline bool carv_is_controlled(ArvDevice *device) {
  guint32 privilege = 0;
  return !ARV_IS_GV_DEVICE(device) ||
         (arv_device_read_register(device, 0x0a00, &privilege, NULL) && (privilege & 3));
}

// Asks for the permission to change the camera.
static inline bool carv_take_control(ArvDevice *device) {
  return !ARV_IS_GV_DEVICE(device) ||
         arv_gv_device_take_control(ARV_GV_DEVICE(device), NULL);
}

// Indicates whether an error is one of ArvDeviceError; others are of ArvGcError.
static inline bool carv_is_device_error(const GError *error) {
  return error->domain == ARV_DEVICE_ERROR;
}

// Indicates whether an error is one of ArvGcError.
static inline bool carv_is_node_error(const GError *error) { return error->domain == ARV_GC_ERROR; }

// Reads a register that every camera has; returns false if it does not answer.
static inline bool carv_answers(ArvDevice *device) {
  char byte[4];
  return arv_device_read_memory(device, ARV_IS_GV_DEVICE(device) ? 0 : 4, sizeof byte, byte, NULL);
}
