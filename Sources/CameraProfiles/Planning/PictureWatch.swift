package import ColorScience
package import WhiteBalance

/// Watches a region's color frame by frame after a setting, until it is at rest.
///
/// A change that is over within a few frames is a step, after which four frames that agree are
/// rest; 24, as long as nothing is known of the camera's pace. What approaches slowly is watched in
/// longer windows: see `SettleDetector`. What flickers is averaged over 48 frames, by a window that
/// leaves less than 3 % of swings of up to 19 frames.
package struct PictureWatch {
  /// A picture at rest.
  package struct Rest {
    /// ln(red/green), ln(blue/green): the mean of the last frames.
    package var ratios: SIMD2<Double>
    /// What noise leaves uncertain of them.
    package var noise: Double
    /// The number of frames that the mean is of.
    package var frames: Int
    /// What dark pixels leave uncertain of them besides.
    package var darkness: Double
    /// The linear picture's mean over the same frames.
    package var mean: LinearRGB
    /// How many frames after the setting the change began; `nil` where it is too small to tell.
    package var latency: Int?
    /// The share of the rest of the way that it went in a frame, 1 of a step; `nil` where it is too
    /// small to tell.
    package var pace: Double?
    /// The first frame that shows it; `nil` where the change is too small to tell.
    package var firstFrame: FrameInfo?
    /// Whether the picture moved farther than it is now, and came back by itself.
    package var cameBack: Bool
    /// Whether the light flickers; `nil` where so few frames do not tell.
    package var flickers: Bool?
  }

  /// What the frames have told so far.
  package enum State {
    case moving
    /// Clipped or dark.
    case unseen([GrayCardEstimate.Refusal])
    case atRest(Rest)
  }

  /// What the picture showed before, if that is known and could be measured.
  private let before: SIMD2<Double>?
  /// The frames to let pass at least.
  private let delay: Int
  private let flickers: Bool
  /// Whether what is slow is over after the delay.
  private let isPaceKnown: Bool
  private var frames: [(info: FrameInfo, mean: RegionMean)] = []
  private var detector = SettleDetector(tolerance: 0.003, slowest: 100)

  /// The number of successive frames that must agree before a picture counts as settled.
  package static let agreeingFrames = 4
  /// The number of frames that are waited for what approaches by 1 % a frame.
  package static let limit = 1200
  /// Four times the variance that a mean over frames may have.
  package static let variance = 5e-7
  /// The number of frames over which flicker is averaged.
  package static let averagedFrames = 48

  /// - Parameters:
  ///   - before: the picture before the setting.
  ///   - delay: the frames to let pass, where no large change is seen and over before.
  ///   - flickers: whether the light is known to flicker.
  ///   - isPaceKnown: whether the delay lets even slow changes pass.
  package init(before: SIMD2<Double>?, delay: Int, flickers: Bool, isPaceKnown: Bool) {
    self.isPaceKnown = isPaceKnown
    self.before = before
    self.delay = delay
    self.flickers = flickers
  }

  /// Takes the next frame.
  package mutating func add(_ info: FrameInfo, _ mean: RegionMean) -> State {
    frames.append((info, mean))
    let settled =
      frames.count > delay
      ? mean.ratios.flatMap { detector.add(red: $0.x, blue: $0.y) } : nil
    let isThere = hasArrived(mean)
    guard isThere || frames.count >= delay + Self.agreeingFrames else { return .moving }
    let last = frames.suffix(Self.agreeingFrames)
    // A single one that cannot be measured is a broken frame.
    if last.allSatisfy({ $0.mean.ratios == nil }) {
      return .unseen(mean.refusals)
    }
    let ratios = last.compactMap(\.mean.ratios)
    // What varies over the region is the same in each frame, and no noise.
    let noise = min(mean.standardError, max(ratios.spread / 2, 2e-4))
    let tolerance = max(0.002, 6 * noise)
    if flickers, frames.count < delay + Self.averagedFrames { return .moving }
    if ratios.count == last.count, ratios.spread < max(0.002, 6 * mean.standardError) {
      // Noise is averaged, too.
      let count = min(max(Int(noise * noise / Self.variance), last.count), 24)
      let all = frames.suffix(count).compactMap(\.mean.ratios)
      let areThere =
        (isThere || frames.count >= delay + count)
        && all.spread < max(0.002, 8 * mean.standardError)
      let rest = areThere ? rest(over: count, noise: noise, tolerance: tolerance) : nil
      if let rest, isStep(to: rest.ratios, tolerance: tolerance) { return .atRest(rest) }
    }
    if let settled,
      let rest = rest(
        over: settled.frames,
        noise: max(noise, settled.redError, settled.blueError), tolerance: tolerance)
    {
      return .atRest(rest)
    }
    return isLevel(tolerance: tolerance)
      ? rest(over: Self.averagedFrames, noise: noise, tolerance: tolerance).map { .atRest($0) }
        ?? .moving : .moving
  }

  /// Whether long windows agree: what is slow and noisy comes to rest so.
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

  /// How far the color moves on and on, and how far it swings about that, in the last 90 frames.
  package var unrest: (drift: Double, swing: Double) {
    let last = frames.suffix(90).compactMap(\.mean.ratios)
    guard last.count >= 16 else { return (0, 0) }
    let half = last.count / 2
    let step = Self.mean(last.suffix(half)) - Self.mean(last.prefix(half))
    return (2 * CardColor.size(step), last.spread / 2)
  }

  /// The number of frames for which a picture must stay after a first change, before this is known
  /// to have been a step, and not the most of a slow change.
  private static let confirmedFrames = 24

  /// Whether a change that nobody knew the time of was large, and has been over for a while.
  private func hasArrived(_ mean: RegionMean) -> Bool {
    guard !isPaceKnown, !flickers, let before, let now = mean.ratios else { return false }
    let tolerance = max(0.002, 8 * mean.standardError)
    let last = frames.suffix(Self.confirmedFrames).compactMap(\.mean.ratios)
    return CardColor.size(now - before) > 10 * tolerance && last.count == Self.confirmedFrames
      && last.spread < tolerance
  }

  /// Whether the way to here took a few frames only.
  private func isStep(to ratios: SIMD2<Double>, tolerance: Double) -> Bool {
    guard let before, !isPaceKnown else { return true }
    let size = CardColor.size(ratios - before)
    // Smaller changes are no larger than what rest allows.
    guard size > 3 * tolerance else { return true }
    let left = frames.lastIndex { isNear(before, $0.mean, 0.15 * size + tolerance) } ?? -1
    let arrived = frames.firstIndex { isNear(ratios, $0.mean, 0.1 * size + tolerance) } ?? left
    return arrived - left <= 2 * Self.agreeingFrames
      && frames.count >= arrived + Self.confirmedFrames
  }

  private func isNear(_ ratios: SIMD2<Double>, _ mean: RegionMean, _ distance: Double) -> Bool {
    mean.ratios.map { CardColor.size($0 - ratios) <= distance } ?? false
  }

  private func rest(over count: Int, noise: Double, tolerance: Double) -> Rest? {
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
    // Along the color that changes most: the other may be dark and noisy.
    let way = before.map { $0 - ratios }
    let axis = way.map { abs($0.x) < abs($0.y) ? 1 : 0 }
    let misses = frames.map { frame in
      frame.mean.ratios.map { seen in
        axis.map { abs(seen[$0] - ratios[$0]) } ?? CardColor.size(seen - ratios)
      } ?? .infinity
    }
    // A change within the noise has no first frame; most of a larger one marks it.
    let most = max(
      misses.filter(\.isFinite).max() ?? 0, before.map { CardColor.size($0 - ratios) } ?? 0)
    let first = most > 10 * tolerance ? misses.firstIndex { $0 < 0.2 * most } : nil
    let began = first == nil ? nil : misses.firstIndex { $0 < 0.8 * most }
    let cameBack = before.map { before in
      // On the way from one to the other no frame is far from both.
      let farthest = frames.compactMap(\.mean.ratios).map {
        min(CardColor.size($0 - before), CardColor.size($0 - ratios))
      }
      // Not by noise: for three frames at least.
      return farthest.sorted().dropLast(2).last ?? 0
        > 0.6 * CardColor.size(ratios - before) + 10 * tolerance
    }
    // From a fifth of the way to nine tenths.
    let arrived = first != nil ? misses.firstIndex { $0 < 0.1 * most } : nil
    let rise = (arrived ?? 0) - (began ?? 0)
    return Rest(
      ratios: ratios, noise: noise / (Double(last.count) / 4).squareRoot(), frames: last.count,
      darkness: last.map(\.darkness).max() ?? 0, mean: light,
      latency: first == nil ? nil : began ?? first,
      pace: first == nil ? nil : rise > 3 ? 1 - exponential(-2.08 / Double(rise)) : 1,
      firstFrame: first.map { frames[$0].info },
      cameBack: cameBack ?? false,
      flickers: frames.count < (arrived ?? 0) + Self.flickeringFrames
        ? nil : Self.flickers(frames.suffix(Self.flickeringFrames).map(\.mean)))
  }

  /// The number of frames that tell whether the light flickers.
  package static let flickeringFrames = 24

  /// Whether brightness or color swing by more than noise does.
  package static func flickers(_ means: [RegionMean]) -> Bool {
    flickers(
      levels: means.map(\.mean.green), ratios: means.compactMap(\.ratios),
      noise: means.map(\.standardError).max() ?? 0)
  }

  /// The same of what was read of a card.
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

  /// A raised cosine, whose sum is 1.
  package static func window(_ count: Int) -> [Double] {
    (0..<count).map { index in
      (1 - cosine(2 * .pi * (Double(index) + 0.5) / Double(count))) / Double(count)
    }
  }

  /// A mean to which swings contribute little.
  package static func windowMean(_ ratios: some Collection<SIMD2<Double>>) -> SIMD2<Double> {
    zip(ratios, window(ratios.count)).reduce(.zero) { $0 + $1.0 * $1.1 }
  }

  /// The number of frames that are looked at of each of several settings: less than four where
  /// their noise is little.
  ///
  /// - Parameter noise: that of a frame, relative.
  package static func framesInSuccession(noise: Double) -> Int {
    let count = noise * noise / variance
    return min(max(Int(count), min(Int((4 * count).rounded(.up)), 4), 2), 24)
  }
}
