internal import ColorScience

/// A rotation of colors around gray by an angle, as processors apply it to BT.601 chroma.
///
/// Luma stays unchanged. The rotation applies to the differences of red and blue from luma; green
/// follows from them.
struct HueTurn {
  /// The weights of red − luma and blue − luma in the rotated red, green and blue, relative to
  /// luma.
  let red: (Double, Double)
  let green: (Double, Double)
  let blue: (Double, Double)

  /// The ratio of red − luma to blue − luma for equal amounts of chroma.
  private static let scale = 1.402 / 1.772

  /// A rotation by an angle in radians.
  init(_ angle: Double) { self.init(cosine: cosine(angle), sine: sine(angle)) }

  /// The derivative of a rotation by its angle.
  init(slopeAt angle: Double) { self.init(cosine: -sine(angle), sine: cosine(angle)) }

  private init(cosine: Double, sine: Double) {
    red = (cosine, sine * Self.scale)
    blue = (-sine / Self.scale, cosine)
    green = (
      -(0.299 * red.0 + 0.114 * blue.0) / 0.587, -(0.299 * red.1 + 0.114 * blue.1) / 0.587
    )
  }

  /// A channel's difference from luma after the rotation of red − luma and blue − luma.
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
