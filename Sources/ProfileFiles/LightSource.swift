/// Exif's numbers for illuminants (Exif 2.32 §4.6.5, tag 0x9208).
public enum LightSource: UInt16, CaseIterable, Hashable, Sendable {
  /// Daylight.
  case daylight = 1
  /// A fluorescent tube, not further specified.
  case fluorescent = 2
  /// An incandescent lamp.
  case tungsten = 3
  /// A flash.
  case flash = 4
  /// Fine weather.
  case fineWeather = 9
  /// Cloudy weather.
  case cloudyWeather = 10
  /// Shade.
  case shade = 11
  /// A daylight tube, 5700…7100 K.
  case daylightFluorescent = 12
  /// A day white tube, 4600…5500 K.
  case dayWhiteFluorescent = 13
  /// A cool white tube, 3800…4500 K.
  case coolWhiteFluorescent = 14
  /// A white tube, 3250…3800 K.
  case whiteFluorescent = 15
  /// A warm white tube, 2600…3250 K.
  case warmWhiteFluorescent = 16
  /// Standard light A.
  case standardLightA = 17
  /// Standard light B.
  case standardLightB = 18
  /// Standard light C.
  case standardLightC = 19
  /// D55.
  case d55 = 20
  /// D65.
  case d65 = 21
  /// D75.
  case d75 = 22
  /// D50.
  case d50 = 23
  /// An ISO studio lamp.
  case isoStudioTungsten = 24

  /// The temperature in kelvin that Adobe's DNG SDK 1.7.1 uses to interpolate matrices: a round
  /// figure, and for fluorescent tubes the middle of their range.
  public var kelvin: Double {
    switch self {
    case .tungsten, .standardLightA: 2850
    case .isoStudioTungsten: 3200
    case .d50: 5000
    case .daylight, .fineWeather, .flash, .standardLightB, .d55: 5500
    case .cloudyWeather, .standardLightC, .d65: 6500
    case .shade, .d75: 7500
    case .daylightFluorescent: 6400
    case .dayWhiteFluorescent: 5050
    case .fluorescent, .coolWhiteFluorescent: 4150
    case .whiteFluorescent: 3525
    case .warmWhiteFluorescent: 2925
    }
  }
}
