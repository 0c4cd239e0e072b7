/// A control, identified by its function.
///
/// Common controls have a name here; a driver's own controls are identified by number, as
/// `0x009819c0`.
public struct ControlID: RawRepresentable, Hashable, Sendable, Codable,
  CustomStringConvertible
{
  /// The name of the control, or its number.
  public let rawValue: String

  /// Creates a control from its name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The name of the control, or its number.
  public var description: String { rawValue }

  /// Automatic white balance: 1 is on, at 0 the white balance stays.
  public static let autoWhiteBalance = ControlID(rawValue: "white_balance_automatic")
  /// A button: the camera balances once.
  public static let doWhiteBalance = ControlID(rawValue: "do_white_balance")
  /// The strength of red; the unit is the driver's own.
  public static let redBalance = ControlID(rawValue: "red_balance")
  /// The strength of green, which few cameras have; the unit is the driver's own.
  public static let greenBalance = ControlID(rawValue: "green_balance")
  /// The strength of blue; the unit is the driver's own.
  public static let blueBalance = ControlID(rawValue: "blue_balance")
  /// The color temperature of the light, in the driver's scale of kelvin.
  public static let whiteBalanceTemperature = ControlID(rawValue: "white_balance_temperature")
  /// A menu of kinds of light; its values are those of `WhiteBalancePreset`.
  public static let whiteBalancePreset = ControlID(rawValue: "white_balance_preset")

  /// The gains of single channels.
  package static let balances = [redBalance, greenBalance, blueBalance]
  /// The controls that switch automatic white balance; the first one present decides.
  package static let balanceChoosers = [autoWhiteBalance, whiteBalancePreset]
  /// The controls that set the white balance while automatic white balance is off.
  package static let balanceSettings = balances + [whiteBalanceTemperature, whiteBalancePreset]

  /// A menu that selects which of exposure time and aperture are automatic.
  public static let exposureMode = ControlID(rawValue: "auto_exposure")
  /// The controls that operations of this package set.
  package static let setHere =
    balances + [
      whiteBalanceTemperature, whiteBalancePreset, autoWhiteBalance, exposureMode, exposureTime,
      exposureLines, exposureBias, exposurePriority, autoGain, gain, focusPosition, autoFocus,
    ]

  /// Exposure time in a known unit, 100 µs unless the control's description states another
  /// (`ControlDescription.secondsPerUnit`).
  public static let exposureTime = ControlID(rawValue: "exposure_time_absolute")
  /// Exposure time in the driver's own unit, mostly lines of the sensor.
  public static let exposureLines = ControlID(rawValue: "exposure")
  /// The lines of a sensor between two frames, which limit its frame rate and exposure time.
  public static let verticalBlanking = ControlID(rawValue: "vertical_blanking")
  /// Exposure compensation of automatic exposure: a menu, in thousandths of a stop.
  public static let exposureBias = ControlID(rawValue: "auto_exposure_bias")
  /// Indicates whether the camera may lower its frame rate for a longer exposure.
  public static let exposurePriority = ControlID(rawValue: "exposure_dynamic_framerate")
  /// The focus position of the lens; the unit is the driver's own. Larger numbers are nearer, as
  /// V4L2 defines them; not all drivers do.
  public static let focusPosition = ControlID(rawValue: "focus_absolute")
  /// Continuous autofocus: 1 is on, at 0 the lens stays.
  public static let autoFocus = ControlID(rawValue: "focus_automatic_continuous")
  /// A button: the camera focuses once.
  public static let autoFocusOnce = ControlID(rawValue: "auto_focus_start")
  /// A button: the camera stops focusing once.
  public static let autoFocusStop = ControlID(rawValue: "auto_focus_stop")
  /// The state of focusing, read only: the sum of 1 while the lens moves, 2 if focusing succeeded,
  /// 4 if it failed; 0 if it has not begun.
  public static let autoFocusStatus = ControlID(rawValue: "auto_focus_status")
  /// A menu of the distances among which the camera focuses: automatic 0, normal 1, macro 2,
  /// infinity 3.
  public static let autoFocusRange = ControlID(rawValue: "auto_focus_range")

  /// Indicates whether the camera stabilizes its picture.
  public static let imageStabilization = ControlID(rawValue: "image_stabilization")

  /// The controls that determine the exposure.
  package static let exposures = [
    exposureMode, exposurePriority, autoGain, exposureTime, exposureLines, gain,
  ]
  /// The controls that determine the lens position.
  package static let lens = [autoFocus, focusPosition]

  /// Gain of all channels; of a sensor with an analogue and a digital gain, the analogue one.
  public static let gain = ControlID(rawValue: "gain")
  /// The analogue gain of a sensor that has another gain of all channels too.
  public static let analogueGain = ControlID(rawValue: "analogue_gain")
  /// A gain of all channels behind the sensor's converter, in the driver's own unit.
  public static let digitalGain = ControlID(rawValue: "digital_gain")
  /// Indicates whether the camera chooses the gain.
  public static let autoGain = ControlID(rawValue: "gain_automatic")
  /// An offset of the picture.
  public static let brightness = ControlID(rawValue: "brightness")
  /// The picture's contrast.
  public static let contrast = ControlID(rawValue: "contrast")
  /// The picture's saturation.
  public static let saturation = ControlID(rawValue: "saturation")
  /// A rotation of the picture's hues.
  public static let hue = ControlID(rawValue: "hue")
  /// The tone curve.
  public static let gamma = ControlID(rawValue: "gamma")
  /// The picture's sharpness.
  public static let sharpness = ControlID(rawValue: "sharpness")
  /// A correction of the exposure for light behind the subject.
  public static let backlightCompensation = ControlID(rawValue: "backlight_compensation")
  /// A menu of test patterns that a camera delivers instead of pictures.
  public static let testPattern = ControlID(rawValue: "test_pattern")
  /// The mains frequency whose flicker is avoided.
  public static let powerLineFrequency = ControlID(rawValue: "power_line_frequency")
}
