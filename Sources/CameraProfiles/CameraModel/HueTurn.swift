internal import ColorScience

/// A turn of colors around gray by an angle, as processors do it with chroma of BT.601.
///
/// Luma stays. What is turned are the distances of red and blue from luma; green's follows.
struct HueTurn {
  /// What red and blue beyond luma add to red, green and blue beyond luma, row by row.
  let red: (Double, Double)
  let green: (Double, Double)
  let blue: (Double, Double)

  /// Units of red and of blue beyond luma in a unit of chroma.
  private static let scale = 1.402 / 1.772

  /// A turn by an angle in radians.
  init(_ angle: Double) { self.init(cosine: cosine(angle), sine: sine(angle)) }

  /// The derivative of a turn by its angle.
  init(slopeAt angle: Double) { self.init(cosine: -sine(angle), sine: cosine(angle)) }

  private init(cosine: Double, sine: Double) {
    red = (cosine, sine * Self.scale)
    blue = (-sine / Self.scale, cosine)
    green = (
      -(0.299 * red.0 + 0.114 * blue.0) / 0.587, -(0.299 * red.1 + 0.114 * blue.1) / 0.587
    )
  }

  /// What red and blue beyond luma become in a channel.
  @inline(__always)
  func turned(_ red: Double, _ blue: Double, channel: Int) -> Double {
    let row = self.row(channel)
    return row.0 * red + row.1 * blue
  }

  @inline(__always)
  func row(_ channel: Int) -> (Double, Double) {
    channel == 0 ? red : channel == 1 ? green : blue
  }
}
