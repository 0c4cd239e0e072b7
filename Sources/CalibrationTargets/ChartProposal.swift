/// Where in a frame a ColorChecker Classic may be.
///
/// Places are in pixels of the frame: that of column 0 and row 0 reaches from 0 to 1.
public struct ChartProposal: Hashable, Sendable {
  /// How much it looks like a chart, from 0 to 1; not a probability.
  public let confidence: Double
  /// From the grid of patches, whose first reaches from (0, 0) to (1, 1), to pixels.
  let grid: Homography

  /// The outer corners of the patches dark skin, bluish green, black and white.
  public var corners: [SIMD2<Double>] { Self.outline.map(grid.apply) }

  /// The corners of the part of each patch that is read, in the order of the patches: the middle
  /// half of its sides.
  public var patches: [[SIMD2<Double>]] {
    (0..<24).map { patch in
      [SIMD2(-0.25, -0.25), SIMD2(0.25, -0.25), SIMD2(0.25, 0.25), SIMD2(-0.25, 0.25)].map {
        grid.apply(Self.middle(of: patch) + $0)
      }
    }
  }

  /// What is to be drawn over a preview, in pixels of the frame: the outline of all patches, then
  /// the part of each that is read.
  public var polygons: [[SIMD2<Double>]] { [corners] + patches }

  /// The corners on the grid: what lies between two patches is about an eighth of their distance.
  static let outline = [
    SIMD2(0.06, 0.06), SIMD2(5.94, 0.06), SIMD2(5.94, 3.94), SIMD2(0.06, 3.94),
  ]

  /// The middle of a patch on the grid.
  static func middle(of patch: Int) -> SIMD2<Double> {
    SIMD2(Double(patch % 6) + 0.5, Double(patch / 6) + 0.5)
  }

}
