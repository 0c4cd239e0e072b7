/// Tells from successive estimates when the gains of an automatic white balance have stopped
/// moving.
///
/// ```swift
/// /// Where the gains first come to rest, or nil if they keep moving.
/// func rest(of frames: [Frame]) throws -> SettleDetector.Rest? {
///   var detector = SettleDetector()
///   for frame in frames {
///     let ratios = try GrayCardEstimator().estimate(frame).logRatios
///     if let rest = detector.add(red: ratios.x, blue: ratios.y) { return rest }
///   }
///   return nil
/// }
/// ```
///
/// In windows of the last 12 to 96 frames a straight line is fitted to ln(red/green) and to
/// ln(blue/green). The gains have settled where an approach that decays exponentially, within
/// `slowest` frames, can leave the window's mean off by at most `tolerance` for both ratios, and
/// the last frames agree with that mean. The noise is estimated from the frames. <doc:SettledGains>
/// says how, and what was measured.
///
/// Domain: noise of at most 0.5 % a frame. A pause shorter than 12 frames is no rest; a longer one,
/// of which nothing tells that it will end, is, and the next step ends it.
public struct SettleDetector: Hashable, Sendable {
  /// Gains at rest.
  public struct Rest: Hashable, Sendable {
    /// The mean of ln(red/green) over the frames at rest.
    public let red: Double
    /// The mean of ln(blue/green) over the frames at rest.
    public let blue: Double
    /// The standard error of `red`, from the noise between frames; it knows neither what all frames
    /// share nor, in a sequence that has never moved, rounding.
    public let redError: Double
    /// The standard error of `blue`, likewise.
    public let blueError: Double
    /// The last frames, which were averaged.
    public let frames: Int
  }

  /// The error of the mean, as a logarithm, that an approach may leave.
  public let tolerance: Double
  /// The longest time constant of an approach, in frames.
  public let slowest: Double

  private var history: [SIMD2<Double>] = []
  private var smallestStep = SIMD2<Double>.zero

  /// The shortest window first.
  private static let windows = [12, 17, 24, 34, 48, 68, 96]
  private static let deviate = 2.5

  /// A detector that has seen nothing.
  ///
  /// - Precondition: both parameters are positive and finite.
  public init(tolerance: Double = 0.005, slowest: Double = 30) {
    precondition(
      tolerance > 0 && tolerance.isFinite && slowest > 0 && slowest.isFinite,
      "the tolerance and the time constant are positive")
    self.tolerance = tolerance
    self.slowest = slowest
  }

  /// Takes the next frame's ln(red/green) and ln(blue/green), and tells where the gains rest, over
  /// as many of the last frames as show it; `nil` if they move or too little has been seen.
  ///
  /// A ratio that is not finite starts over, since frames must follow one another.
  @discardableResult
  public mutating func add(red: Double, blue: Double) -> Rest? {
    guard red.isFinite, blue.isFinite else {
      self = SettleDetector(tolerance: tolerance, slowest: slowest)
      return nil
    }
    let value = SIMD2(red, blue)
    if let last = history.last {
      for index in 0..<2 {
        let step = abs(value[index] - last[index])
        // Below, it is the arithmetic's; above, no window could bear it, and it is a jump.
        guard step > 1e-9, step < tolerance * 96 / slowest else { continue }
        if smallestStep[index] == 0 || step < smallestStep[index] { smallestStep[index] = step }
      }
    }
    history.append(value)
    if history.count > Self.windows[Self.windows.count - 1] { history.removeFirst() }
    return rest
  }

  /// Where the gains rest in the last frames, as many as show it.
  private var rest: Rest? {
    var longest: Rest?
    // Relative to the last value, and back from it, so that every window takes up the one before.
    let origin = history[history.count - 1]
    var (sum, moment, squares, successive) = (
      SIMD2<Double>.zero, SIMD2<Double>.zero, SIMD2<Double>.zero, SIMD2<Double>.zero
    )
    var later = SIMD2<Double>.zero
    // Of the last frame, the last two, and so on.
    var means: [SIMD2<Double>] = []
    for back in 0..<history.count {
      let value = history[history.count - 1 - back] - origin
      sum += value
      moment -= Double(back) * value
      squares += value * value
      successive += (value - later) * (value - later)
      later = value
      if back < Self.windows[0] { means.append(sum / Double(back + 1)) }
      guard Self.windows.contains(back + 1) else { continue }
      let count = Double(back + 1)
      let mean = sum / count
      let timeSquares = count * (count * count - 1) / 12
      let slope = (moment + (count - 1) / 2 * sum) / timeSquares
      let scatter = squares - count * mean * mean - slope * slope * timeSquares
      let neumann = successive / (2 * (count - 1))
      let variance = pointwiseMax(neumann, scatter / (count - 2))
      let change = magnitude(slope) * count + smallestStep
      let changeError = (variance / timeSquares).squareRoot() * count
      let bound = (change + Self.deviate * changeError) * slowest / count
      guard bound.max() <= tolerance else { continue }
      let isAtMean = means.enumerated().allSatisfy { index, recent in
        let limit = pointwiseMax(
          5 * (neumann / Double(index + 1)).squareRoot(), SIMD2(repeating: tolerance))
        return all(magnitude(recent - mean) .<= limit)
      }
      guard isAtMean else { continue }
      let error = (variance / count + smallestStep * smallestStep / 12).squareRoot()
      longest = Rest(
        red: origin.x + mean.x, blue: origin.y + mean.y, redError: error.x, blueError: error.y,
        frames: back + 1)
    }
    return longest
  }
}

private func magnitude(_ value: SIMD2<Double>) -> SIMD2<Double> { pointwiseMax(value, -value) }
