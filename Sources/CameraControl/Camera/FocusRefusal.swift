internal import ColorScience

/// Why a lens was not focused.
public enum FocusRefusal: Hashable, Sendable {
  /// The region is black or clipped.
  case noLight
  /// At no place of the lens is there more detail than noise; both as mean squares of relative
  /// contrast, at the sharpest place.
  case noTexture(sharpness: Double, standardError: Double)
  /// The detail does not depend on where the lens is set, beyond what noise does; the ratio of the
  /// most to the least.
  case unchanged(ratio: Double)
  /// The picture is sharpest where the lens can go no farther: at 0, the nearest, or 1, the
  /// farthest.
  case bestAtEnd(position: Double)
  /// The detail is finest elsewhere than where it is most: it is of blurred edges that reach into
  /// the region from beside it.
  case notFinest
  /// Noise leaves the best place too uncertain; its standard deviation, as a share of the range.
  case uncertain(standardError: Double)
  /// The lens, set to the best place again, gives less detail; relative to the most, below 0.
  case notRepeated(change: Double)
  /// The camera's own focusing says that it has failed.
  case cameraFailed
  /// The camera's own focusing has not ended after so many frames.
  case notEnded(frames: Int)
  /// When the camera's own focusing was turned off the picture lost detail, which neither the
  /// lens's last place nor a sweep brought back; relative to before, below 0.
  case notKept(change: Double)
}

extension FocusRefusal: CustomStringConvertible {
  /// What is wrong, in one clause.
  public var description: String {
    switch self {
    case .noLight: "the region is black or clipped"
    case .noTexture(let sharpness, let error):
      "there is nothing to focus on: the detail of the region, \(shortNumber(sharpness)) ± "
        + "\(shortNumber(error)), is no more than noise"
    case .unchanged(let ratio):
      "the picture is as sharp wherever the lens is set, to a factor of "
        + fixed(ratio, decimals: 2)
    case .bestAtEnd(let position):
      "the picture is sharpest where the lens can go no \(position < 0.5 ? "nearer" : "farther")"
    case .notFinest:
      "there is nothing to focus on but edges beside the region, whose blur reaches into it"
    case .uncertain(let error):
      "noise leaves the best place uncertain by \(fixed(100 * error, decimals: 1)) % of the range"
    case .notRepeated(let change):
      "set to the best place again, the lens gives \(fixed(-100 * change, decimals: 0)) % less "
        + "detail than before"
    case .cameraFailed: "the camera says that it cannot focus"
    case .notEnded(let frames): "the camera has not focused after \(frames) frames"
    case .notKept(let change):
      "when its own focusing was turned off the picture lost \(fixed(-100 * change, decimals: 0)) % "
        + "of its detail, and the lens did not come back to where it was"
    }
  }
}
