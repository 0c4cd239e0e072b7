import ColorScience
import Testing

struct CIEDE2000Tests {
  private static func color(_ l: Double, _ a: Double, _ b: Double) -> LabColor {
    LabColor(l: l, a: a, b: b)
  }

  /// All 34 pairs of Sharma, Wu and Dalal, "The CIEDE2000 color-difference formula", Color Res.
  /// Appl. 30 (2005), 21, table 1. Pairs 7 and 8 have a gray; pairs 9 to 15 have approximately
  /// opposite hues.
  static let published: [(first: LabColor, second: LabColor, difference: Double)] = [
    (color(50, 2.6772, -79.7751), color(50, 0, -82.7485), 2.0425),
    (color(50, 3.1571, -77.2803), color(50, 0, -82.7485), 2.8615),
    (color(50, 2.8361, -74.0200), color(50, 0, -82.7485), 3.4412),
    (color(50, -1.3802, -84.2814), color(50, 0, -82.7485), 1.0000),
    (color(50, -1.1848, -84.8006), color(50, 0, -82.7485), 1.0000),
    (color(50, -0.9009, -85.5211), color(50, 0, -82.7485), 1.0000),
    (color(50, 0, 0), color(50, -1, 2), 2.3669),
    (color(50, -1, 2), color(50, 0, 0), 2.3669),
    (color(50, 2.4900, -0.0010), color(50, -2.4900, 0.0009), 7.1792),
    (color(50, 2.4900, -0.0010), color(50, -2.4900, 0.0010), 7.1792),
    (color(50, 2.4900, -0.0010), color(50, -2.4900, 0.0011), 7.2195),
    (color(50, 2.4900, -0.0010), color(50, -2.4900, 0.0012), 7.2195),
    (color(50, -0.0010, 2.4900), color(50, 0.0009, -2.4900), 4.8045),
    (color(50, -0.0010, 2.4900), color(50, 0.0010, -2.4900), 4.8045),
    (color(50, -0.0010, 2.4900), color(50, 0.0011, -2.4900), 4.7461),
    (color(50, 2.5, 0), color(50, 0, -2.5), 4.3065),
    (color(50, 2.5, 0), color(73, 25, -18), 27.1492),
    (color(50, 2.5, 0), color(61, -5, 29), 22.8977),
    (color(50, 2.5, 0), color(56, -27, -3), 31.9030),
    (color(50, 2.5, 0), color(58, 24, 15), 19.4535),
    (color(50, 2.5, 0), color(50, 3.1736, 0.5854), 1.0000),
    (color(50, 2.5, 0), color(50, 3.2972, 0), 1.0000),
    (color(50, 2.5, 0), color(50, 1.8634, 0.5757), 1.0000),
    (color(50, 2.5, 0), color(50, 3.2592, 0.3350), 1.0000),
    (color(60.2574, -34.0099, 36.2677), color(60.4626, -34.1751, 39.4387), 1.2644),
    (color(63.0109, -31.0961, -5.8663), color(62.8187, -29.7946, -4.0864), 1.2630),
    (color(61.2901, 3.7196, -5.3901), color(61.4292, 2.2480, -4.9620), 1.8731),
    (color(35.0831, -44.1164, 3.7933), color(35.0232, -40.0716, 1.5901), 1.8645),
    (color(22.7233, 20.0904, -46.6940), color(23.0331, 14.9730, -42.5619), 2.0373),
    (color(36.4612, 47.8580, 18.3852), color(36.2715, 50.5065, 21.2231), 1.4146),
    (color(90.8027, -2.0831, 1.4410), color(91.1528, -1.6435, 0.0447), 1.4441),
    (color(90.9257, -0.5406, -0.9208), color(88.6381, -0.8985, -0.7239), 1.5381),
    (color(6.7747, -0.2908, -2.4247), color(5.8714, -0.0985, -2.2286), 0.6377),
    (color(2.0776, 0.0795, -1.1350), color(0.9033, -0.0636, -0.5514), 0.9082),
  ]

  @Test func publishedPairs() {
    #expect(Self.published.count == 34)
    for (first, second, difference) in Self.published {
      #expect(abs(first.ciede2000(to: second) - difference) <= 5e-5, "\(first), \(second)")
      #expect(abs(second.ciede2000(to: first) - difference) <= 5e-5, "\(second), \(first)")
    }
  }

  /// Differences computed from the formula with 60 digits: blue colors, hues across 0°, opposite
  /// hues, nearly equal colors, and colors far beyond those of surfaces.
  static let exact: [(first: LabColor, second: LabColor, difference: Double)] = [
    (color(50, 2.5, 0), color(61, -5, 29), 22.8976924698069056),
    (color(72.3, 30.25, -80.5), color(71.9, 31, -80), 0.695283498190254768),
    (color(50, 0, 0), color(50.001, 0, 0), 0.000999999999159143934),
    (color(35.25, 10.5, -60.75), color(40, 12, -62.5), 4.07123431445635949),
    (color(50, 60, -0.5), color(52, 61, 0.5), 2.06227176152738658),
    (color(12, -40, -0.25), color(15, -42, 0.125), 2.08087464695408201),
    (color(99, 0.001, 0.001), color(98.5, 0, 0), 0.289325260705467968),
    (color(-5, 150, -120), color(130, -90, 200), 168.180084256498558),
    (color(20, 3, 4), color(20, -6, -8), 15.0693452027440363),
    (color(50, 2.49, -0.001), color(50, -2.49, 0.001), 7.17916264000156279),
    (color(63.5, -31, -5.875), color(63.5, -31, -5.8750001), 6.75541515376768247e-8),
  ]

  @Test func exactDifferences() {
    for (first, second, difference) in Self.exact {
      let tolerance = 1e-13 * max(1, difference)
      #expect(abs(first.ciede2000(to: second) - difference) <= tolerance, "\(first), \(second)")
      #expect(abs(second.ciede2000(to: first) - difference) <= tolerance, "\(second), \(first)")
    }
  }

  @Test func edges() {
    let color = LabColor(l: 40, a: 20, b: -30)
    #expect(color.ciede2000(to: color) == 0)
    #expect(color.neutral == LabColor(l: 40, a: 0, b: 0))
    // Chroma whose seventh power overflows.
    #expect(LabColor(l: 50, a: 1e50, b: 0).ciede2000(to: color).isNaN)
    #expect(LabColor(l: 50, a: 1e43, b: 0).ciede2000(to: color).isFinite)
    for wrong in [
      LabColor(l: .nan, a: 0, b: 0), LabColor(l: 0, a: .nan, b: 0), LabColor(l: 0, a: 0, b: .nan),
    ] {
      #expect(wrong.ciede2000(to: color).isNaN && color.ciede2000(to: wrong).isNaN)
    }
  }

  /// A gray of linear sRGB is neutral; a color with a larger channel tends towards that channel.
  @Test func distanceFromNeutral() {
    func lab(_ red: Double, _ green: Double, _ blue: Double) -> LabColor {
      LabColor(LinearRGB(red: red, green: green, blue: blue), in: .sRGB)
    }
    for level in [0.02, 0.18, 1] {
      let gray = lab(level, level, level)
      #expect(gray.ciede2000(to: gray.neutral) < 1e-6)
      // L* = 116·Y^(1/3) − 16.
      if level == 1 { #expect(abs(gray.l - 100) < 1e-9) }
      if level == 0.18 { #expect(abs(gray.l - 49.4961) < 1e-4) }
    }
    let red = lab(0.22, 0.18, 0.18)
    #expect(red.a > 0 && red.b > 0 && red.ciede2000(to: red.neutral) > 3)
    #expect(lab(0.18, 0.18, 0.22).b < 0)
  }
}
