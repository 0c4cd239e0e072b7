/// A rising curve through measured points, from the values that a picture stores to linear light,
/// for a camera whose tone curve has no formula.
///
/// Both values are scaled to 0…1. Between the points the curve is a piecewise cubic that rises
/// everywhere. Beyond the first and the last it continues as a straight line, so that below the
/// black level linear values are negative. Source of the bound on the slopes: F. N. Fritsch and R.
/// E. Carlson, Monotone piecewise cubic interpolation, SIAM Journal on Numerical Analysis 17
/// (1980).
public struct ToneCurve: Hashable, Sendable {
  /// A stored value and its linear value.
  public struct Point: Hashable, Sendable {
    /// The value that the picture stores.
    public var stored: Double
    /// The linear value.
    public var linear: Double

    /// A point.
    public init(stored: Double, linear: Double) {
      self.stored = stored
      self.linear = linear
    }
  }

  /// The points; both of their numbers rise from each to the next.
  public let points: [Point]
  private let curve: SmoothCurve

  /// Creates the curve through points; `nil` for fewer than three points, and unless all are finite
  /// and both of their numbers rise from point to point.
  ///
  /// Complexity: O(points).
  public init?(_ points: [Point]) {
    guard points.count >= 3,
      points.allSatisfy({ $0.stored.isFinite && $0.linear.isFinite }),
      zip(points, points.dropFirst()).allSatisfy({ $0.stored < $1.stored && $0.linear < $1.linear })
    else { return nil }
    self.points = points
    curve = SmoothCurve(x: points.map { $0.stored }, y: points.map { $0.linear }, ends: .secant)
  }

  /// Returns the linear value of a stored one; NaN for NaN. Complexity: O(log points).
  public func linear(_ stored: Double) -> Double {
    let (first, last) = (points[0], points[points.count - 1])
    if stored <= first.stored { return first.linear + curve.slopes[0] * (stored - first.stored) }
    if stored >= last.stored {
      return last.linear + curve.slopes[points.count - 1] * (stored - last.stored)
    }
    return curve.value(at: stored)
  }

  /// Returns the stored value of a linear one, the inverse of `linear(_:)` to 1e-15 of the curve's
  /// width; NaN for NaN. Complexity: O(log points).
  public func stored(_ linear: Double) -> Double {
    let (first, last) = (points[0], points[points.count - 1])
    if linear <= first.linear { return first.stored + (linear - first.linear) / curve.slopes[0] }
    if linear >= last.linear {
      return last.stored + (linear - last.linear) / curve.slopes[points.count - 1]
    }
    guard !linear.isNaN else { return linear }
    let index = curve.interval(below: linear, in: curve.y)
    var (low, high) = (points[index].stored, points[index + 1].stored)
    while true {
      let middle = low + (high - low) / 2
      if middle <= low || middle >= high { return middle }
      if self.linear(middle) < linear { low = middle } else { high = middle }
    }
  }
}

extension ToneCurve {
  /// The stored and linear values as text, such as `0.02,0;0.5,0.21;1,1`.
  var text: String {
    points.map { "\($0.stored),\($0.linear)" }.joined(separator: ";")
  }

  /// Reads a curve from text in the form of `text`; `nil` for any other text.
  init?(text: some StringProtocol) {
    var points: [Point] = []
    for pair in text.split(separator: ";", omittingEmptySubsequences: false) {
      let numbers = pair.split(separator: ",", omittingEmptySubsequences: false)
      guard numbers.count == 2, let stored = Double(numbers[0]), let linear = Double(numbers[1])
      else { return nil }
      points.append(Point(stored: stored, linear: linear))
    }
    self.init(points)
  }
}
