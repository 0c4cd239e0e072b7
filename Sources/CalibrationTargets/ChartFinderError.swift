import ColorScience
public import WhiteBalance

/// A reason why no chart can be proposed.
public enum ChartFinderError: Error, Hashable, Sendable, CustomStringConvertible {
  /// No surfaces of one color are arranged like the patches of a chart.
  case noGrid
  /// The best candidate has less than the accepted confidence.
  case doubtful(confidence: Double)
  /// The four marked corners are not those of a quadrilateral inside the frame.
  case corners
  /// The frame has too few bytes, or too few pixels to read.
  case frame(FrameError)

  /// One sentence that states the reason.
  public var description: String {
    switch self {
    case .noGrid:
      "the picture shows no grid of 6 × 4 patches with a chart's colors, each at least 7 "
        + "samples wide"
    case .doubtful(let confidence):
      "the grid that looks most like a chart is not a clear match (confidence "
        + "\(fixed(confidence, decimals: 2)))"
    case .corners:
      "the four corners do not form a convex quadrilateral inside the picture, in order around it"
    case .frame(let error): "\(error)"
    }
  }
}
