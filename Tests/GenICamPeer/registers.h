// The registers of the peer's camera that Aravis's fake camera does not have. Numbers are
// big-endian.
enum {
  REGISTER_BALANCE = 0x4000,  // Three numbers: red, green, blue.
  REGISTER_BALANCE_SELECTOR = 0x4010,
  REGISTER_BALANCE_AUTO = 0x4014,
  REGISTER_BALANCE_ENABLE = 0x4018,
  REGISTER_EXPOSURE = 0x4020,  // In microseconds.
  REGISTER_EXPOSURE_AUTO = 0x4024,
  REGISTER_GAIN = 0x4028,  // In decibels.
  REGISTER_GAIN_AUTO = 0x402c,
  REGISTER_GAIN_SELECTOR = 0x4030,
  REGISTER_BLACK = 0x4034,  // In codes of 8 bits.
  REGISTER_GAMMA = 0x4038,
  REGISTER_TRANSFORMATION = 0x403c,
  REGISTER_TEST_PATTERN = 0x4040,
  REGISTER_SET_SELECTOR = 0x4080,
  REGISTER_SET_DEFAULT = 0x4084,
  REGISTER_SET_LOAD = 0x4088,
  REGISTER_SET_SAVE = 0x408c,
  // Takes what is written to a place that ignores it.
  REGISTER_NOWHERE = 0x40f0,
};

// The library keeps this register of GigE Vision to itself.
enum { STREAM_PACKET_SIZE = 0x0d04 };

// What GVCP answers in place of an acknowledgement.
enum {
  STATUS_INVALID_PARAMETER = 2,
  STATUS_WRITE_PROTECT = 4,
  STATUS_ACCESS_DENIED = 6,
  STATUS_BUSY = 7,
};

// The values of automatic modes.
enum { AUTO_OFF, AUTO_ONCE, AUTO_CONTINUOUS };
