import ColorScience
public import WhiteBalance

/// Why no chart can be proposed.
public enum ChartFinderError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Nowhere do surfaces of one color lie like the patches of a chart.
  case noGrid
  /// What looks most like a chart does so with less than the accepted confidence.
  case doubtful(confidence: Double)
  /// The four corners that were named are not those of a quadrilateral inside the frame.
  case corners
  /// The bytes are too few for the frame, or its pixels too few to read.
  case frame(FrameError)

  /// One sentence that says what is missing.
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
