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
      "no grid of 6 × 4 patches with the colors of a chart, each at least 7 samples wide, is in the picture"
    case .doubtful(let confidence):
      "what looks most like a chart hardly does (confidence \(fixed(confidence, decimals: 2)))"
    case .corners:
      "the four corners are not those of a quadrilateral inside the picture, one after the other around it"
    case .frame(let error): "\(error)"
    }
  }
}
