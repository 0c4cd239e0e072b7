internal import ColorScience

/// The reason why a lens was not focused.
public enum FocusRefusal: Hashable, Sendable {
  /// The region is black or clipped.
  case noLight
  /// The detail does not exceed noise at any focus position; both are mean squares of relative
  /// contrast, at the sharpest position.
  case noTexture(sharpness: Double, standardError: Double)
  /// The detail does not change significantly with the focus position; `ratio` is the largest
  /// detail divided by the smallest.
  case unchanged(ratio: Double)
  /// The picture is sharpest at an end of the lens's range: at 0, the nearest, or 1, the farthest.
  case bestAtEnd(position: Double)
  /// The detail is largest at one position and finest at another: it comes from edges outside the
  /// region, whose blur reaches into it.
  case notFinest
  /// Noise makes the best position too uncertain; the standard error is a fraction of the range.
  case uncertain(standardError: Double)
  /// The picture has less detail after the lens was set to the best position again; the relative
  /// change is negative.
  case notRepeated(change: Double)
  /// The camera reports that autofocus failed.
  case cameraFailed
  /// Autofocus has not ended after `frames` frames.
  case notEnded(frames: Int)
  /// The picture lost detail when autofocus was turned off, and neither the lens's last position
  /// nor a sweep restored it; the relative change is negative.
  case notKept(change: Double)
}

extension FocusRefusal: CustomStringConvertible {
  /// The reason as one clause.
  public var description: String {
    switch self {
    case .noLight: "the region is black or clipped"
    case .noTexture(let sharpness, let error):
      "there is nothing to focus on: the detail of the region, \(shortNumber(sharpness)) ± "
        + "\(shortNumber(error)), does not exceed noise"
    case .unchanged(let ratio):
      "the sharpness does not depend on the focus position: it changes by a factor of at most "
        + fixed(ratio, decimals: 2)
    case .bestAtEnd(let position):
      "the picture is sharpest at the \(position < 0.5 ? "nearest" : "farthest") focus position"
    case .notFinest:
      "there is nothing to focus on except edges outside the region, whose blur reaches into it"
    case .uncertain(let error):
      "because of noise, the best focus position is uncertain by "
        + "\(fixed(100 * error, decimals: 1)) % of the range"
    case .notRepeated(let change):
      "set to the best position again, the lens gives \(fixed(-100 * change, decimals: 0)) % less "
        + "detail than before"
    case .cameraFailed: "the camera reports that autofocus failed"
    case .notEnded(let frames): "the camera has not focused after \(frames) frames"
    case .notKept(let change):
      "when autofocus was turned off, the picture lost \(fixed(-100 * change, decimals: 0)) % of its "
        + "detail, and the lens could not be returned to its position"
    }
  }
}
