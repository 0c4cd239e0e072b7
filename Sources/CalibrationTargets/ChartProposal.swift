/// A position in a frame at which a ColorChecker Classic may be.
///
/// Positions are in pixels of the frame: the pixel in column 0 and row 0 extends from 0 to 1.
public struct ChartProposal: Hashable, Sendable {
  /// The likeness to a chart, from 0 to 1; not a probability.
  public let confidence: Double
  /// The map from the grid of patches, whose first extends from (0, 0) to (1, 1), to pixels.
  let grid: Homography

  /// The outer corners of the patches dark skin, bluish green, black and white.
  public var corners: [SIMD2<Double>] { Self.outline.map(grid.apply) }

  /// For each patch, the corners of the area that is read: the middle half of its width and height.
  public var patches: [[SIMD2<Double>]] {
    (0..<24).map { patch in
      [SIMD2(-0.25, -0.25), SIMD2(0.25, -0.25), SIMD2(0.25, 0.25), SIMD2(-0.25, 0.25)].map {
        grid.apply(Self.middle(of: patch) + $0)
      }
    }
  }

  /// The polygons to draw over a preview, in pixels of the frame: the outline of all patches, then
  /// the area of each patch that is read.
  public var polygons: [[SIMD2<Double>]] { [corners] + patches }

  /// The corners on the grid; the gap between two patches is about an eighth of their distance.
  static let outline = [
    SIMD2(0.06, 0.06), SIMD2(5.94, 0.06), SIMD2(5.94, 3.94), SIMD2(0.06, 3.94),
  ]

  /// Returns the middle of a patch on the grid.
  static func middle(of patch: Int) -> SIMD2<Double> {
    SIMD2(Double(patch % 6) + 0.5, Double(patch / 6) + 0.5)
  }
}
