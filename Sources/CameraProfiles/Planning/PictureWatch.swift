package import ColorScience
package import WhiteBalance

/// Observes a region's color frame by frame after a setting, until it has settled.
///
/// A change that is over within a few frames is a step; after it, four frames that agree are
/// settled, or 24 as long as the camera's settling rate is unknown. A slow approach is observed in
/// longer windows: see `SettleDetector`. Flicker is averaged over 48 frames, by a window that
/// passes less than 3 % of swings with a period of up to 19 frames.
package struct PictureWatch {
  /// A settled picture.
  package struct SettledPicture {
    /// ln(red/green), ln(blue/green): the mean of the last frames.
    package var ratios: SIMD2<Double>
    /// The uncertainty of the ratios due to noise.
    package var noise: Double
    /// The number of averaged frames.
    package var frames: Int
    /// The additional uncertainty of the ratios due to dark pixels.
    package var darkness: Double
    /// The mean linear color over the same frames.
    package var mean: LinearRGB
    /// The latency in frames; `nil` if the change is too small to determine it.
    package var latency: Int?
    /// The settling rate: the fraction of the remaining change in each frame, 1 for a step; `nil`
    /// if the change is too small to determine it.
    package var settlingRate: Double?
    /// The first frame that shows the setting; `nil` if the change is too small to determine it.
    package var firstFrame: FrameInfo?
    /// Indicates whether the picture moved farther than it is now, and returned by itself.
    package var cameBack: Bool
    /// Indicates whether the light flickers; `nil` if there are too few frames.
    package var flickers: Bool?
  }

  /// The state after the frames so far.
  package enum State {
    case moving
    /// The picture is clipped or dark.
    case unseen([GrayCardEstimate.Refusal])
    case settled(SettledPicture)
  }

  /// The picture before the setting, if it is known and could be measured.
  private let before: SIMD2<Double>?
  /// The smallest number of frames to skip.
  private let delay: Int
  private let flickers: Bool
  /// Indicates whether even a slow change is over after the delay.
  private let isSettlingRateKnown: Bool
  private var frames: [(info: FrameInfo, mean: RegionMean)] = []
  private var detector = SettleDetector(tolerance: 0.003, slowest: 100)

  /// The number of successive frames that must agree before a picture counts as settled.
  package static let agreeingFrames = 4
  /// The largest number of frames to wait: enough for an approach by 1 % a frame.
  package static let limit = 1200
  /// Four times the accepted variance of a mean over frames.
  package static let variance = 5e-7
  /// The number of frames over which flicker is averaged.
  package static let averagedFrames = 48

  /// - Parameters:
  ///   - before: The picture before the setting.
  ///   - delay: The number of frames to skip, unless a large change is seen to be over earlier.
  ///   - flickers: `true` if the light is known to flicker.
  ///   - isSettlingRateKnown: `true` if even slow changes are over after the delay.
  package init(before: SIMD2<Double>?, delay: Int, flickers: Bool, isSettlingRateKnown: Bool) {
    self.isSettlingRateKnown = isSettlingRateKnown
    self.before = before
    self.delay = delay
    self.flickers = flickers
  }

  /// Adds the next frame.
  package mutating func add(_ info: FrameInfo, _ mean: RegionMean) -> State {
    frames.append((info, mean))
    let settled =
      frames.count > delay
      ? mean.ratios.flatMap { detector.add(red: $0.x, blue: $0.y) } : nil
    let isThere = hasArrived(mean)
    guard isThere || frames.count >= delay + Self.agreeingFrames else { return .moving }
    let last = frames.suffix(Self.agreeingFrames)
    // A single unusable frame is a broken one.
    if last.allSatisfy({ $0.mean.ratios == nil }) {
      return .unseen(mean.refusals)
    }
    let ratios = last.compactMap(\.mean.ratios)
    // Variation over the region is the same in each frame, so it is not noise.
    let noise = min(mean.standardError, max(ratios.spread / 2, 2e-4))
    let tolerance = max(0.002, 6 * noise)
    if flickers, frames.count < delay + Self.averagedFrames { return .moving }
    if flickers, isSettlingRateKnown {
      return settledPicture(over: Self.averagedFrames, noise: noise, tolerance: tolerance).map {
        .settled($0)
      }
        ?? .moving
    }
    if ratios.count == last.count, ratios.spread < max(0.002, 6 * mean.standardError) {
      // Noise is averaged too.
      let count = min(max(Int(noise * noise / Self.variance), last.count), 24)
      let all = frames.suffix(count).compactMap(\.mean.ratios)
      let areThere =
        (isThere || frames.count >= delay + count)
        && all.spread < max(0.002, 8 * mean.standardError)
      let picture = areThere ? settledPicture(over: count, noise: noise, tolerance: tolerance) : nil
      if let picture, isStep(to: picture.ratios, tolerance: tolerance) { return .settled(picture) }
    }
    if let settled,
      let picture = settledPicture(
        over: settled.frames,
        noise: max(noise, settled.redError, settled.blueError), tolerance: tolerance)
    {
      return .settled(picture)
    }
    return isLevel(tolerance: tolerance)
      ? settledPicture(over: Self.averagedFrames, noise: noise, tolerance: tolerance).map {
        .settled($0)
      }
        ?? .moving : .moving
  }

  /// Indicates whether long windows agree, which is how a slow and noisy picture settles.
  private func isLevel(tolerance: Double) -> Bool {
    guard frames.count >= delay + 4 * Self.averagedFrames else { return false }
    let ratios = frames.suffix(2 * Self.averagedFrames).compactMap(\.mean.ratios)
    guard ratios.count == 2 * Self.averagedFrames else { return false }
    let (before, now) = (
      Self.windowMean(ratios.prefix(Self.averagedFrames)),
      Self.windowMean(ratios.suffix(Self.averagedFrames))
    )
    return CardColor.size(now - before) < tolerance / 4
  }

  /// The drift of the color, and its swing around the drift, over the last 90 frames.
  package var unrest: (drift: Double, swing: Double) {
    let last = frames.suffix(90).compactMap(\.mean.ratios)
    guard last.count >= 16 else { return (0, 0) }
    let half = last.count / 2
    let step = Self.mean(last.suffix(half)) - Self.mean(last.prefix(half))
    return (2 * CardColor.size(step), last.spread / 2)
  }

  /// The number of frames during which a picture must stay after a first change, before this counts
  /// as a step and not as most of a slow change.
  private static let confirmedFrames = 24

  /// Indicates whether a change at an unknown time was large, and has been over for a while.
  private func hasArrived(_ mean: RegionMean) -> Bool {
    guard !isSettlingRateKnown, !flickers, let before, let now = mean.ratios else { return false }
    let tolerance = max(0.002, 8 * mean.standardError)
    let last = frames.suffix(Self.confirmedFrames).compactMap(\.mean.ratios)
    return CardColor.size(now - before) > 10 * tolerance && last.count == Self.confirmedFrames
      && last.spread < tolerance
  }

  /// Indicates whether the change took a few frames only.
  private func isStep(to ratios: SIMD2<Double>, tolerance: Double) -> Bool {
    guard let before, !isSettlingRateKnown else { return true }
    let size = CardColor.size(ratios - before)
    // A smaller change is within the tolerance of a settled picture.
    guard size > 3 * tolerance else { return true }
    let left = frames.lastIndex { isNear(before, $0.mean, 0.15 * size + tolerance) } ?? -1
    let arrived = frames.firstIndex { isNear(ratios, $0.mean, 0.1 * size + tolerance) } ?? left
    return arrived - left <= 2 * Self.agreeingFrames
      && frames.count >= arrived + Self.confirmedFrames
  }

  private func isNear(_ ratios: SIMD2<Double>, _ mean: RegionMean, _ distance: Double) -> Bool {
    mean.ratios.map { CardColor.size($0 - ratios) <= distance } ?? false
  }

  private func settledPicture(over count: Int, noise: Double, tolerance: Double) -> SettledPicture?
  {
    let last = frames.suffix(flickers ? Self.averagedFrames : count).map(\.mean)
      .filter { $0.ratios != nil }
    guard !last.isEmpty else { return nil }
    let weights = flickers ? Self.window(last.count) : last.map { _ in 1 / Double(last.count) }
    var ratios = SIMD2<Double>.zero
    var light = LinearRGB(.zero)
    for (mean, weight) in zip(last, weights) {
      ratios += (mean.ratios ?? .zero) * weight
      light = LinearRGB(light.vector + mean.mean.vector * weight)
    }
    // Along the ratio that changes most, since the other color may be dark and noisy.
    let way = before.map { $0 - ratios }
    let axis = way.map { abs($0.x) < abs($0.y) ? 1 : 0 }
    let misses = frames.map { frame in
      frame.mean.ratios.map { seen in
        axis.map { abs(seen[$0] - ratios[$0]) } ?? CardColor.size(seen - ratios)
      } ?? .infinity
    }
    // A change within the noise has no first frame; for a larger one, 80 % of the change marks it.
    let most = max(
      misses.filter(\.isFinite).max() ?? 0, before.map { CardColor.size($0 - ratios) } ?? 0)
    let first = most > 10 * tolerance ? misses.firstIndex { $0 < 0.2 * most } : nil
    let began = first == nil ? nil : misses.firstIndex { $0 < 0.8 * most }
    let cameBack = before.map { before in
      // On a direct way from one to the other, no frame is far from both.
      let farthest = frames.compactMap(\.mean.ratios).map {
        min(CardColor.size($0 - before), CardColor.size($0 - ratios))
      }
      // At least three frames, so that noise does not count.
      return farthest.sorted().dropLast(2).last ?? 0
        > 0.6 * CardColor.size(ratios - before) + 10 * tolerance
    }
    // The number of frames from a fifth to nine tenths of the change.
    let arrived = first != nil ? misses.firstIndex { $0 < 0.1 * most } : nil
    let rise = (arrived ?? 0) - (began ?? 0)
    return SettledPicture(
      ratios: ratios, noise: noise / (Double(last.count) / 4).squareRoot(), frames: last.count,
      darkness: last.map(\.darkness).max() ?? 0, mean: light,
      latency: first == nil ? nil : began ?? first,
      settlingRate: first == nil ? nil : rise > 3 ? 1 - exponential(-2.08 / Double(rise)) : 1,
      firstFrame: first.map { frames[$0].info },
      cameBack: cameBack ?? false,
      flickers: frames.count < (arrived ?? 0) + Self.flickeringFrames
        ? nil : Self.flickers(frames.suffix(Self.flickeringFrames).map(\.mean)))
  }

  /// The number of frames that show whether the light flickers.
  package static let flickeringFrames = 24

  /// Indicates whether brightness or color swings by more than noise explains.
  package static func flickers(_ means: [RegionMean]) -> Bool {
    flickers(
      levels: means.map(\.mean.green), ratios: means.compactMap(\.ratios),
      noise: means.map(\.standardError).max() ?? 0)
  }

  /// Indicates whether the brightness or color of a card swings by more than noise explains.
  package static func flickers(_ cards: [GrayCardEstimate]) -> Bool {
    flickers(
      levels: cards.map(\.response.green), ratios: cards.map(\.response.logRatios),
      noise: cards.map { max($0.standardError.red, $0.standardError.blue) }.max() ?? 0)
  }

  private static func flickers(
    levels: [Double], ratios: [SIMD2<Double>], noise: Double
  ) -> Bool {
    guard let low = levels.min(), let high = levels.max(), low + high > 0 else { return false }
    return (high - low) / (high + low) > max(0.005, 4 * noise)
      || ratios.filter { $0.x.isFinite && $0.y.isFinite }.spread > max(0.003, 8 * noise)
  }

  package static func mean(_ ratios: some Collection<SIMD2<Double>>) -> SIMD2<Double> {
    ratios.reduce(.zero, +) / Double(max(ratios.count, 1))
  }

  /// A raised-cosine window with sum 1.
  package static func window(_ count: Int) -> [Double] {
    (0..<count).map { index in
      (1 - cosine(2 * .pi * (Double(index) + 0.5) / Double(count))) / Double(count)
    }
  }

  /// Returns a mean to which swings contribute little.
  package static func windowMean(_ ratios: some Collection<SIMD2<Double>>) -> SIMD2<Double> {
    zip(ratios, window(ratios.count)).reduce(.zero) { $0 + $1.0 * $1.1 }
  }

  /// Returns the number of frames to observe for each of several settings: fewer than four if their
  /// noise is small.
  ///
  /// - Parameter noise: The relative noise of a frame.
  package static func framesInSuccession(noise: Double) -> Int {
    let count = noise * noise / variance
    return min(max(Int(count), min(Int((4 * count).rounded(.up)), 4), 2), 24)
  }
}
