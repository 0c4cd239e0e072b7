import ColorScience
import WhiteBalance

/// The kelvins, a whole number, and the green by which RawTherapee stores a white balance; it has
/// no multipliers.
///
/// The light is that of a black body up to 4000 K and CIE daylight above, as seen by the 10°
/// observer and expressed in linear sRGB; its green is divided by `green`.
struct RawTherapeeBalance: Equatable {
  var kelvin: Int
  var green: Double

  /// Finds the balance with which a camera's picture of a neutral surface is neutral; `nil` if
  /// RawTherapee cannot express it.
  ///
  /// - Parameter camera: the camera's response to linear sRGB; RawTherapee must use the same
  ///   matrix.
  init?(_ gains: Gains, camera: Matrix3x3) {
    guard let inverse = camera.inverse else { return nil }
    let light = inverse * (SIMD3(repeating: 1) / gains.vector)
    guard light.x > 0, light.y > 0 else { return nil }
    let wanted = light.z / light.x
    func blue(_ kelvin: Int) -> Double { Self.ratios(at: kelvin).blue }
    // Blue rises with temperature, but falls from the last black body to the first daylight.
    let range = wanted <= blue(Self.blackBody.upperBound) ? Self.blackBody : Self.daylight
    var (low, high) = (range.lowerBound, range.upperBound)
    guard blue(low) <= wanted, wanted <= blue(high) else { return nil }
    while high - low > 1 {
      let middle = (low + high) / 2
      if blue(middle) > wanted { high = middle } else { low = middle }
    }
    kelvin = wanted - blue(low) < blue(high) - wanted ? low : high
    green = Self.ratios(at: kelvin).green / (light.y / light.x)
    guard (0.02...10).contains(green) else { return nil }
  }

  private static let blackBody = 1500...4000
  // RawTherapee continues to 60 000 K by a rule of its own.
  private static let daylight = 4001...25_000

  /// Returns green and blue relative to red in the light of a temperature, before the division.
  private static func ratios(at kelvin: Int) -> (green: Double, blue: Double) {
    let black = SpectralDistribution.planckian(kelvin: Double(kelvin))
    let light =
      blackBody.contains(kelvin) ? black : .daylight(kelvin: Double(kelvin)) ?? black
    var xyz = SIMD3<Double>.zero
    for wavelength in stride(from: 360.0, to: 830, by: 5) {
      // RawTherapee's table lacks the row for 560 nm; the later rows have moved up.
      let row = wavelength < 560 ? wavelength : wavelength + 5
      guard let sight = StandardObserver.cie1964.colorMatchingFunctions(at: row) else { continue }
      xyz += light[wavelength] * sight.vector
    }
    let rgb = RGBColorSpace.sRGB.fromXYZ * xyz
    return (rgb.y / rgb.x, rgb.z / rgb.x)
  }
}
