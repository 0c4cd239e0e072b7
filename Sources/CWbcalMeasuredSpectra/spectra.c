// This is in C because only its preprocessor can embed the files of Calibration/ without a copy of
// them.
#include "CWbcalMeasuredSpectra.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char cameras[] = {
#embed "../../Calibration/CameraSensitivities/cameras.json"
};

static const unsigned char lamps[] = {
#embed "../../Calibration/Illuminants/lamps.json"
};

struct measured_spectra measured_cameras(void) {
  return (struct measured_spectra){cameras, sizeof cameras};
}

struct measured_spectra measured_lamps(void) {
  return (struct measured_spectra){lamps, sizeof lamps};
}
