/// A detector that determines from successive estimates when the gains of an automatic white
/// balance have settled.
///
/// ```swift
/// /// The frame in which the gains have settled, or nil if they keep moving.
/// func settledGains(of frames: [Frame]) throws -> SettleDetector.SettledGains? {
///   var detector = SettleDetector()
///   for frame in frames {
///     let ratios = try GrayCardEstimator().estimate(frame).logRatios
///     if let settled = detector.add(red: ratios.x, blue: ratios.y) { return settled }
///   }
///   return nil
/// }
/// ```
///
/// In windows of the last 12 to 96 frames, a straight line is fitted to ln(red/green) and to
/// ln(blue/green). The gains have settled if, for an exponential approach with a time constant of
/// at most `slowest` frames, the window's mean can be off by at most `tolerance` for both ratios,
/// and the last frames agree with that mean. The noise is estimated from the frames.
/// <doc:SettledGains> describes the method and its measured accuracy.
///
/// Domain: noise of at most 0.5 % a frame. A pause of fewer than 12 frames does not count as
/// settled. A longer pause does, because nothing indicates that it will end; the next step ends it.
public struct SettleDetector: Hashable, Sendable {
  /// Settled gains.
  public struct SettledGains: Hashable, Sendable {
    /// The mean of ln(red/green) over the settled frames.
    public let red: Double
    /// The mean of ln(blue/green) over the settled frames.
    public let blue: Double
    /// The standard error of `red`, from the noise between frames. It excludes errors that all
    /// frames share and, in a sequence that has never moved, rounding.
    public let redError: Double
    /// The standard error of `blue`, with the same exclusions.
    public let blueError: Double
    /// The number of the last frames that were averaged.
    public let frames: Int
  }

  /// The largest error of the mean due to an unfinished approach, as a logarithm.
  public let tolerance: Double
  /// The longest time constant of an approach, in frames.
  public let slowest: Double

  private var history: [SIMD2<Double>] = []
  private var smallestStep = SIMD2<Double>.zero

  /// The lengths of the windows in frames, the shortest first.
  private static let windows = [12, 17, 24, 34, 48, 68, 96]
  private static let deviate = 2.5

  /// Creates a detector without frames.
  ///
  /// - Precondition: both parameters are positive and finite.
  public init(tolerance: Double = 0.005, slowest: Double = 30) {
    precondition(
      tolerance > 0 && tolerance.isFinite && slowest > 0 && slowest.isFinite,
      "`tolerance` and `slowest` must be positive and finite")
    self.tolerance = tolerance
    self.slowest = slowest
  }

  /// Adds the next frame's ln(red/green) and ln(blue/green).
  ///
  /// A ratio that is not finite restarts the detection, since frames must be consecutive.
  ///
  /// - Returns: The settled gains, from the longest window that shows them; `nil` if they move or
  ///   there are too few frames.
  @discardableResult
  public mutating func add(red: Double, blue: Double) -> SettledGains? {
    guard red.isFinite, blue.isFinite else {
      self = SettleDetector(tolerance: tolerance, slowest: slowest)
      return nil
    }
    let value = SIMD2(red, blue)
    if let last = history.last {
      for index in 0..<2 {
        let step = abs(value[index] - last[index])
        // A smaller step is an arithmetic error; a larger one is a jump that no window could
        // tolerate.
        guard step > 1e-9, step < tolerance * 96 / slowest else { continue }
        if smallestStep[index] == 0 || step < smallestStep[index] { smallestStep[index] = step }
      }
    }
    history.append(value)
    if history.count > Self.windows[Self.windows.count - 1] { history.removeFirst() }
    return settled
  }

  /// The settled gains, from the longest window of the last frames that shows them.
  private var settled: SettledGains? {
    var longest: SettledGains?
    // Values are relative to the last one and taken backward, so that each window extends the one
    // before.
    let origin = history[history.count - 1]
    var (sum, moment, squares, successive) = (
      SIMD2<Double>.zero, SIMD2<Double>.zero, SIMD2<Double>.zero, SIMD2<Double>.zero
    )
    var later = SIMD2<Double>.zero
    // The means of the last frame, of the last two, and so on.
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
      longest = SettledGains(
        red: origin.x + mean.x, blue: origin.y + mean.y, redError: error.x, blueError: error.y,
        frames: back + 1)
    }
    return longest
  }
}

private func magnitude(_ value: SIMD2<Double>) -> SIMD2<Double> { pointwiseMax(value, -value) }
