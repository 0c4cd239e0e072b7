/// A control, by what it does.
///
/// Those that the field knows have a name here; a driver's own are its numbers, as `0x009819c0`.
public struct ControlID: RawRepresentable, Hashable, Sendable, Codable {
  /// The name of the control, or its number.
  public let rawValue: String

  /// A control by its name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// On (1) the camera chooses its white balance, off (0) it stays.
  public static let autoWhiteBalance = ControlID(rawValue: "white_balance_automatic")
  /// A button: the camera balances once.
  public static let doWhiteBalance = ControlID(rawValue: "do_white_balance")
  /// How strong red is; the unit is the driver's own.
  public static let redBalance = ControlID(rawValue: "red_balance")
  /// How strong green is, of the few cameras that have one; the unit is the driver's own.
  public static let greenBalance = ControlID(rawValue: "green_balance")
  /// How strong blue is; the unit is the driver's own.
  public static let blueBalance = ControlID(rawValue: "blue_balance")
  /// The temperature of the light in what the driver calls kelvin.
  public static let whiteBalanceTemperature = ControlID(rawValue: "white_balance_temperature")
  /// A menu of kinds of light; its values are those of `WhiteBalancePreset`.
  public static let whiteBalancePreset = ControlID(rawValue: "white_balance_preset")

  /// The amplifications of single channels.
  package static let balances = [redBalance, greenBalance, blueBalance]
  /// The controls by which the camera may choose its white balance; of two the first decides.
  package static let balanceChoosers = [autoWhiteBalance, whiteBalancePreset]
  /// The controls that set the white balance while the camera does not choose it.
  package static let balanceSettings = balances + [whiteBalanceTemperature, whiteBalancePreset]

  /// A menu of who chooses exposure time and aperture.
  public static let exposureMode = ControlID(rawValue: "auto_exposure")
  /// What operations of this package set.
  package static let setHere =
    balances + [
      whiteBalanceTemperature, whiteBalancePreset, autoWhiteBalance, exposureMode, exposureTime,
      exposureLines, exposureBias, exposurePriority, autoGain, gain, focusPosition, autoFocus,
    ]

  /// Exposure time in units of 100 µs.
  public static let exposureTime = ControlID(rawValue: "exposure_time_absolute")
  /// Exposure time in the driver's own unit, mostly lines of the sensor.
  public static let exposureLines = ControlID(rawValue: "exposure")
  /// How much brighter than it finds right the automatic exposes: a menu of thousandths of a stop.
  public static let exposureBias = ControlID(rawValue: "auto_exposure_bias")
  /// Whether the camera may lower its frame rate to expose longer.
  public static let exposurePriority = ControlID(rawValue: "exposure_dynamic_framerate")
  /// Where the lens is focused; the unit is the driver's own. Larger numbers are nearer, as V4L2
  /// defines them; not all drivers do.
  public static let focusPosition = ControlID(rawValue: "focus_absolute")
  /// On (1) the camera focuses all the time, off (0) the lens stays.
  public static let autoFocus = ControlID(rawValue: "focus_automatic_continuous")
  /// A button: the camera focuses once.
  public static let autoFocusOnce = ControlID(rawValue: "auto_focus_start")
  /// A button: the camera stops focusing once.
  public static let autoFocusStop = ControlID(rawValue: "auto_focus_stop")
  /// How far the camera has come in focusing, read only: the sum of 1 while it moves the lens, 2
  /// where it has focused, 4 where it has failed; 0 where it has not begun.
  public static let autoFocusStatus = ControlID(rawValue: "auto_focus_status")
  /// A menu of the distances among which the camera focuses: automatic 0, normal 1, macro 2,
  /// infinity 3.
  public static let autoFocusRange = ControlID(rawValue: "auto_focus_range")

  /// Whether the camera steadies its picture.
  public static let imageStabilization = ControlID(rawValue: "image_stabilization")

  /// The controls that say how the picture is exposed.
  package static let exposures = [
    exposureMode, exposurePriority, autoGain, exposureTime, exposureLines, gain,
  ]
  /// The controls that say where the lens is.
  package static let lens = [autoFocus, focusPosition]

  /// Amplification of all channels.
  public static let gain = ControlID(rawValue: "gain")
  /// Whether the camera chooses the amplification.
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
  /// The mains frequency whose flicker is avoided.
  public static let powerLineFrequency = ControlID(rawValue: "power_line_frequency")
}
