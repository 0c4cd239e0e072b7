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
}
