/// A reason why points do not form a camera's curve; indices count from 0.
public enum CurveCameraModelError: Error, Hashable, Sendable, CustomStringConvertible {
  /// There are fewer than two points.
  case tooFewPoints(Int)
  /// A temperature or a ratio is not positive and finite.
  case notPositive(index: Int)
  /// A temperature is not above the one before.
  case notRising(index: Int)
  /// A point has the same ratios as the one before, so that its gains have two temperatures.
  case repeated(index: Int)

  /// One sentence that states the error.
  public var description: String {
    switch self {
    case .tooFewPoints(let count): "the curve needs at least 2 points and has \(count)"
    case .notPositive(let index):
      "point \(index + 1) of the curve has a number that is not positive and finite"
    case .notRising(let index):
      "the temperature of point \(index + 1) of the curve must be above that of the point before"
    case .repeated(let index):
      "point \(index + 1) of the curve has the same ratios as the point before"
    }
  }
}
