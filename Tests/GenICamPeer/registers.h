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
  REGISTER_SAVE = 0x4040,
};

// The values of automatic modes.
enum { AUTO_OFF, AUTO_ONCE, AUTO_CONTINUOUS };
