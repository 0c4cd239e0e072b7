package import ColorScience
package import WhiteBalance

/// The distance of a card's color from neutral.
package enum CardColor {
  /// The distance in CIELAB's a*, b* of a gray card's color, read as linear sRGB, with a* stretched
  /// as in CIEDE2000 near neutral.
  ///
  /// - Parameter color: The color of the card; white is 1.
  package static func distance(_ color: LinearRGB) -> Double {
    let lab = LabColor(LinearRGB(0.18 * color.vector), in: .sRGB)
    return (2.25 * lab.a * lab.a + lab.b * lab.b).squareRoot()
  }

  /// The distance of a picture's color. For colors with very little of a channel, which CIELAB no
  /// longer distinguishes, it is proportional to the larger logarithm.
  ///
  /// - Parameter ratios: ln(red/green), ln(blue/green).
  package static func distance(_ ratios: SIMD2<Double>) -> Double {
    max(
      distance(LinearRGB(red: exponential(ratios.x), green: 1, blue: exponential(ratios.y))),
      25 * size(ratios))
  }

  /// The distance of the color that a surface has with gains, if other gains would make it neutral.
  ///
  /// - Parameter mixing: The channel mixing after the gains.
  package static func distance(
    of gains: Gains, from neutral: Gains, behind mixing: ChannelMixing?
  ) -> Double {
    let left = LinearRGB(0.18 * gains.vector / neutral.vector)
    return distance(mixing?.mixed(left) ?? left)
  }

  /// The expected square of that distance, if the gains of red and blue have independent errors.
  ///
  /// - Parameter errors: The standard errors of ln red and ln blue.
  package static func expectedSquare(
    of gains: Gains, from neutral: Gains, behind mixing: ChannelMixing?, errors: SIMD2<Double>
  ) -> Double {
    func square(_ gains: Gains) -> Double {
      let distance = distance(of: gains, from: neutral, behind: mixing)
      return distance * distance
    }
    var result = square(gains)
    if errors.x > 0 {
      result += square(
        Gains(red: neutral.red * exponential(errors.x), green: neutral.green, blue: neutral.blue))
    }
    if errors.y > 0 {
      result += square(
        Gains(red: neutral.red, green: neutral.green, blue: neutral.blue * exponential(errors.y)))
    }
    return result
  }

  /// The larger magnitude of two logarithms of ratios.
  package static func size(_ ratios: SIMD2<Double>) -> Double {
    max(abs(ratios.x), abs(ratios.y))
  }
}
