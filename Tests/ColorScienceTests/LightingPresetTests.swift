import ColorScience
import Testing

struct LightingPresetTests {
  /// The names, and the temperatures that CIE 015:2018 prints for the illuminants: to ten kelvin
  /// for fluorescent ones, whose chromaticities have four digits.
  @Test(arguments: [
    ("candle", 1850, 1e-6), ("tungsten", 2856, 1.0), ("studio-tungsten", 3200, 1e-6),
    ("fluorescent", 4230, 7), ("warm-white-fluorescent", 2940, 7),
    ("white-fluorescent", 3450, 7), ("cool-white-fluorescent", 4150, 7),
    ("day-white-fluorescent", 5000, 7), ("daylight-fluorescent", 6430, 7), ("daylight", 5503, 1),
    ("flash", 5503, 1), ("cloudy", 6504, 1), ("shade", 7504, 1.5),
  ])
  func publishedTemperatures(name: String, kelvin: Double, rounding: Double) throws {
    let preset = try #require(LightingPreset(rawValue: name))
    #expect(abs(TemperatureAndTint(preset).temperature - kelvin) <= rounding)
  }

  /// The ranges of Exif 2.32 for the types of tubes.
  @Test(arguments: [
    (LightingPreset.warmWhiteFluorescent, 2600.0...3250.0), (.whiteFluorescent, 3250...3800),
    (.coolWhiteFluorescent, 3800...4500), (.dayWhiteFluorescent, 4600...5500),
    (.daylightFluorescent, 5700...7100),
  ])
  func exifRanges(preset: LightingPreset, range: ClosedRange<Double>) {
    #expect(range.contains(TemperatureAndTint(preset).temperature))
  }

  @Test func everyPresetIsALight() throws {
    #expect(LightingPreset.allCases.count == 13)
    for preset in LightingPreset.allCases {
      let light = TemperatureAndTint(preset)
      let back = Chromaticity(light)
      #expect(abs(back.x - preset.chromaticity.x) <= 1e-14)
      #expect(abs(back.y - preset.chromaticity.y) <= 1e-14)
      // Daylight lies above the locus, and black bodies on it.
      switch preset {
      case .candle, .studioTungsten: #expect(abs(light.tint) <= 1e-9)
      case .daylight, .flash, .cloudy, .shade: #expect(light.tint > 8 && light.tint < 11)
      default: #expect(abs(light.tint) < 30)
      }
    }
  }
}
