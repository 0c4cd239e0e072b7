extension LabColor {
  /// Returns the CIEDE2000 difference between two colors, with k_L = k_C = k_H = 1; about 1 is the
  /// smallest that an observer sees between neighboring patches.
  ///
  /// ```swift
  /// let brick = LabColor(l: 50, a: 2.5, b: 0)
  /// let faded = LabColor(l: 61, a: -5, b: 29)
  /// print(brick.ciede2000(to: faded))  // 22.8976…
  /// ```
  ///
  /// Domain: any two colors, in either order. Error: ≤ 1e-13, relative to the larger of the
  /// difference and 1, against 60-digit arithmetic; the published pairs are reproduced to their
  /// four decimals (`CIEDE2000Tests`). Edge cases: NaN gives NaN, as does chroma whose seventh
  /// power overflows. The formula averages the two hues, and jumps where they become opposite:
  /// between the published pairs 10 and 11 from 7.18 to 7.22. Hues within 1e-12° of opposite count
  /// as opposite, so that rounding does not decide. Complexity: O(1).
  ///
  /// Source: G. Sharma, W. Wu and E. N. Dalal, "The CIEDE2000 color-difference formula", Color
  /// Research & Application 30 (2005), 21; ISO/CIE 11664-6:2022.
  public func ciede2000(to other: LabColor) -> Double {
    let stretch = 1.5 - 0.5 * Self.chromaWeight((chroma + other.chroma) / 2)
    let first = PolarCoordinates(x: a * stretch, y: b)
    let second = PolarCoordinates(x: other.a * stretch, y: other.b)

    let turn = second.degrees - first.degrees
    let sum = first.degrees + second.degrees
    // The shorter way between the hues may cross 0°.
    let crosses = abs(turn) > 180 + 1e-12
    let meanHue = (!crosses ? sum : sum < 360 ? sum + 360 : sum - 360) / 2
    let meanLightness = (l + other.l) / 2 - 50
    let meanChroma = (first.radius + second.radius) / 2

    let t =
      1 - 0.17 * Self.cosine(degrees: meanHue - 30) + 0.24 * Self.cosine(degrees: 2 * meanHue)
      + 0.32 * Self.cosine(degrees: 3 * meanHue + 6) - 0.20 * Self.cosine(degrees: 4 * meanHue - 63)
    let square = meanLightness * meanLightness
    let lightness = (other.l - l) / (1 + 0.015 * square / (20 + square).squareRoot())
    let chroma = (second.radius - first.radius) / (1 + 0.045 * meanChroma)
    let chord = 2 * (first.radius * second.radius).squareRoot() * sine(turn / 2 * (Double.pi / 180))
    let hue = (crosses ? -chord : chord) / (1 + 0.015 * meanChroma * t)

    // In the blue region the axes of equal differences are rotated.
    let fromBlue = (meanHue - 275) / 25
    let rotation = 60 * exponential(-fromBlue * fromBlue) * (Double.pi / 180)
    let turned = -2 * Self.chromaWeight(meanChroma) * sine(rotation) * chroma * hue
    return (lightness * lightness + chroma * chroma + hue * hue + turned).squareRoot()
  }

  /// √(C⁷/(C⁷ + 25⁷)).
  private static func chromaWeight(_ chroma: Double) -> Double {
    let cube = chroma * chroma * chroma
    let seventh = cube * cube * chroma
    return (seventh / (seventh + 6_103_515_625)).squareRoot()
  }

  private static func cosine(degrees: Double) -> Double {
    ColorScience.cosine(degrees * (Double.pi / 180))
  }
}
