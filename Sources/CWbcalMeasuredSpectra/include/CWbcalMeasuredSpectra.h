#ifndef C_MEASURED_SPECTRA_H
#define C_MEASURED_SPECTRA_H

#include <stddef.h>

/// Bytes that exist as long as the program runs.
struct measured_spectra {
  const unsigned char *_Nonnull bytes;
  size_t count;
};

/// The text of Calibration/CameraSensitivities/cameras.json.
struct measured_spectra measured_cameras(void);

/// The text of Calibration/Illuminants/lamps.json.
struct measured_spectra measured_lamps(void);

#endif
