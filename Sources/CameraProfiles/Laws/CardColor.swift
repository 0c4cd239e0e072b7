package import ColorScience

/// How far the color of a card is from neutral.
package enum CardColor {
  /// The distance in CIELAB's a*, b*, read as linear sRGB of a gray card, a* stretched as CIEDE2000
  /// does near neutral.
  ///
  /// - Parameter color: the card's, 1 where it is white.
  package static func distance(_ color: LinearRGB) -> Double {
    let lab = LabColor(LinearRGB(0.18 * color.vector), in: .sRGB)
    return (2.25 * lab.a * lab.a + lab.b * lab.b).squareRoot()
  }

  /// The distance of a picture's color, and for colors that have almost nothing of a channel by how
  /// much that channel lacks, which CIELAB no longer tells.
  ///
  /// - Parameter ratios: ln(red/green), ln(blue/green).
  package static func distance(_ ratios: SIMD2<Double>) -> Double {
    max(
      distance(LinearRGB(red: exponential(ratios.x), green: 1, blue: exponential(ratios.y))),
      25 * size(ratios))
  }

  /// The larger of two logarithms of ratios, by magnitude.
  package static func size(_ ratios: SIMD2<Double>) -> Double {
    max(abs(ratios.x), abs(ratios.y))
  }
}
