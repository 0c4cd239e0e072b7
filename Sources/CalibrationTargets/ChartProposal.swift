import ColorScience
import WhiteBalance

/// Where in a frame a ColorChecker Classic may be.
///
/// Places are in pixels of the frame: that of column 0 and row 0 reaches from 0 to 1.
public struct ChartProposal: Hashable, Sendable {
  /// How much it looks like a chart, from 0 to 1; not a probability.
  public let confidence: Double
  /// From the grid of patches, whose first reaches from (0, 0) to (1, 1), to pixels.
  let grid: Homography

  /// The outer corners of the patches dark skin, bluish green, black and white.
  public var corners: [SIMD2<Double>] { Self.quadrilateral(0, 0, 6, 4, inset: Self.gap, grid) }

  /// The corners of the part of each patch that is read, in the order of the patches: the middle
  /// half of its sides.
  public var patches: [[SIMD2<Double>]] {
    (0..<24).map { patch in
      Self.quadrilateral(Double(patch % 6), Double(patch / 6), 1, 1, inset: 0.25, grid)
    }
  }

  /// About half of what lies between two patches, as a share of their distance.
  static let gap = 0.06

  /// The middle of a patch on the grid.
  static func middle(of patch: Int) -> SIMD2<Double> {
    SIMD2(Double(patch % 6) + 0.5, Double(patch / 6) + 0.5)
  }

  private static func quadrilateral(
    _ x: Double, _ y: Double, _ width: Double, _ height: Double, inset: Double, _ grid: Homography
  ) -> [SIMD2<Double>] {
    let (left, right) = (x + inset, x + width - inset)
    let (top, bottom) = (y + inset, y + height - inset)
    return [
      SIMD2(left, top), SIMD2(right, top), SIMD2(right, bottom), SIMD2(left, bottom),
    ].map(grid.apply)
  }
}
