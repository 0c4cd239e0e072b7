import CWbcalVideo4Linux
import CameraProfiles

extension ControlID {
  /// Creates the identifier of the control with one of V4L2's numbers; a control without a name
  /// here is named by its number.
  init(number: UInt32) {
    if let known = Self.numbers.first(where: { $0.number == number }) {
      self = known.id
    } else {
      let digits = String(number, radix: 16)
      self.init(rawValue: "0x" + String(repeating: "0", count: 8 - digits.count) + digits)
    }
  }

  /// V4L2's numbers of the controls that have a name here. The names that drivers give them are not
  /// used, because they changed between kernels.
  static let numbers: [(id: ControlID, number: UInt32)] = [
    (.brightness, V4L2_CID_BRIGHTNESS),
    (.contrast, V4L2_CID_CONTRAST),
    (.saturation, V4L2_CID_SATURATION),
    (.hue, V4L2_CID_HUE),
    (.autoWhiteBalance, V4L2_CID_AUTO_WHITE_BALANCE),
    (.doWhiteBalance, V4L2_CID_DO_WHITE_BALANCE),
    (.redBalance, V4L2_CID_RED_BALANCE),
    (.blueBalance, V4L2_CID_BLUE_BALANCE),
    (.gamma, V4L2_CID_GAMMA),
    (.autoGain, V4L2_CID_AUTOGAIN),
    (.gain, V4L2_CID_GAIN),
    (.powerLineFrequency, V4L2_CID_POWER_LINE_FREQUENCY),
    (.whiteBalanceTemperature, V4L2_CID_WHITE_BALANCE_TEMPERATURE),
    (.sharpness, V4L2_CID_SHARPNESS),
    (.backlightCompensation, V4L2_CID_BACKLIGHT_COMPENSATION),
    (.exposureMode, V4L2_CID_EXPOSURE_AUTO),
    (.exposureTime, V4L2_CID_EXPOSURE_ABSOLUTE),
    (.exposureLines, V4L2_CID_EXPOSURE),
    (.exposureBias, V4L2_CID_AUTO_EXPOSURE_BIAS),
    (.exposurePriority, V4L2_CID_EXPOSURE_AUTO_PRIORITY),
    (.focusPosition, V4L2_CID_FOCUS_ABSOLUTE),
    (.autoFocus, V4L2_CID_FOCUS_AUTO),
    (.autoFocusOnce, V4L2_CID_AUTO_FOCUS_START),
    (.autoFocusStop, V4L2_CID_AUTO_FOCUS_STOP),
    (.autoFocusStatus, V4L2_CID_AUTO_FOCUS_STATUS),
    (.autoFocusRange, V4L2_CID_AUTO_FOCUS_RANGE),
    (.imageStabilization, V4L2_CID_IMAGE_STABILIZATION),
    (.whiteBalancePreset, V4L2_CID_AUTO_N_PRESET_WHITE_BALANCE),
    (.verticalBlanking, V4L2_CID_VBLANK),
    (.analogueGain, V4L2_CID_ANALOGUE_GAIN),
    (.testPattern, V4L2_CID_TEST_PATTERN),
    (.digitalGain, V4L2_CID_DIGITAL_GAIN),
  ].map { ($0, UInt32($1)) }
}
