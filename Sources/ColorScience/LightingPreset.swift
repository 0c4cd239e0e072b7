/// An illuminant that cameras offer by name.
///
/// The values are typical, not measured: few candles or shaded walls have exactly these. All but
/// two are CIE illuminants, assigned to the values of Exif's LightSource (Exif 2.32 §4.6.5, tag
/// 0x9208) as in Adobe's DNG SDK 1.6 (`dng_illuminant_data`). The raw values are stable.
public enum LightingPreset: String, CaseIterable, Hashable, Sendable, Codable {
  /// A candle flame, modeled as a black body of 1850 K; published values are 1850…1930 K. Not in
  /// Exif.
  case candle
  /// A household lamp: illuminant A, 2856 K.
  case tungsten
  /// A studio lamp, a black body of 3200 K; "ISO studio tungsten" in Exif.
  case studioTungsten = "studio-tungsten"
  /// A fluorescent tube of unknown type: FL2, 4230 K.
  case fluorescent
  /// A warm white tube (2600…3250 K): FL4, 2940 K.
  case warmWhiteFluorescent = "warm-white-fluorescent"
  /// A white tube (3250…3800 K): FL3, 3450 K.
  case whiteFluorescent = "white-fluorescent"
  /// A cool white tube (3800…4500 K): FL9, 4150 K.
  case coolWhiteFluorescent = "cool-white-fluorescent"
  /// A day white tube (4600…5500 K): FL8, 5000 K.
  case dayWhiteFluorescent = "day-white-fluorescent"
  /// A daylight tube (5700…7100 K): FL1, 6430 K.
  case daylightFluorescent = "daylight-fluorescent"
  /// Sun and sky: D55, photographic daylight (ISO 7589).
  case daylight
  /// An electronic flash: D55, like `daylight`, which it imitates.
  case flash
  /// An overcast sky: D65.
  case cloudy
  /// The light of a blue sky without the sun: D75.
  case shade

  /// The illuminant's chromaticity: that published by CIE, or that of a black body.
  public var chromaticity: Chromaticity {
    switch self {
    case .candle: Self.blackBody(kelvin: 1850)
    case .tungsten: StandardIlluminant.a.chromaticity
    case .studioTungsten: Self.blackBody(kelvin: 3200)
    case .fluorescent: StandardIlluminant.fl2.chromaticity
    case .warmWhiteFluorescent: Self.illuminant("FL4")
    case .whiteFluorescent: Self.illuminant("FL3")
    case .coolWhiteFluorescent: Self.illuminant("FL9")
    case .dayWhiteFluorescent: Self.illuminant("FL8")
    case .daylightFluorescent: Self.illuminant("FL1")
    case .daylight, .flash: StandardIlluminant.d55.chromaticity
    case .cloudy: StandardIlluminant.d65.chromaticity
    case .shade: StandardIlluminant.d75.chromaticity
    }
  }

  private static func blackBody(kelvin: Double) -> Chromaticity {
    Chromaticity(CorrelatedColorTemperature(kelvin: kelvin, duv: 0))
  }

  private static func illuminant(_ name: String) -> Chromaticity {
    StandardIlluminant(named: name)!.chromaticity
  }
}

extension TemperatureAndTint {
  /// The temperature and tint of a preset's chromaticity, under `RadiationConstant.cie`.
  public init(_ preset: LightingPreset) { self.init(preset.chromaticity)! }
}
