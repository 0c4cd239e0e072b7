internal import CameraProfiles
internal import ColorScience

/// The values of one channel's control that were tried, and what the picture showed of the channel:
/// as if all others had stayed at their base.
struct ChannelWalk {
  let control: ControlDescription
  /// The control's value where all channels begin.
  let base: Int
  /// The value at which its gain is to be 1, if the channel is seen there.
  let standard: Int
  /// Whether a control changes other channels than its own.
  let isMixed: Bool
  private let start: PictureWatch.Rest
  /// The gains, if the control changes its own channel alone.
  private var points: [ControlLaw.Point]
  /// How far the own channel moves, in which a law is as straight or bent as in its gains.
  private(set) var moved: [ControlLaw.Point]
  private var samples: [ChannelProbe.Sample] = []
  /// The values that clip the channel or blacken it, which say nothing about the law.
  private var unseen: Set<Int> = []
  /// The values at which a matrix asks a channel for less than nothing, so that the picture follows
  /// no law.
  private var cutOff: Set<Int> = []
  /// The light at a value that was seen before.
  var alone: (value: Int, light: SIMD3<Double>)?
  /// The values that the law is not made from but tested by.
  var tested: Set<Int> = []
  /// The values in which a simple law shows, rising.
  let few: [Int]

  /// - Parameter start: what the picture shows with all controls at their base.
  init(
    control: ControlDescription, base: Int, start: PictureWatch.Rest, isMixed: Bool, standard: Int
  ) {
    (self.control, self.base, self.start) = (control, base, start)
    (self.isMixed, self.standard) = (isMixed, standard)
    points = [ControlLaw.Point(value: base, gain: 1)]
    moved = points
    few = Set(Self.fewShares.map(control.value(atShare:)) + [standard]).subtracting([base])
      .sorted()
  }

  private static let shares = [0.04, 0.12, 0.2, 0.3, 0.45, 0.6, 0.8, 1]
  private static let fewShares = [0.04, 0.2, 0.45, 1]

  /// The linear value below which a channel says little of its gain.
  private static let dark = 0.03

  private var index: Int { ChannelProbe.index(of: control.id) }

  /// Takes what the picture showed at a value; `nil` where it was clipped or black.
  ///
  /// - Parameter isTogether: whether others may have been moved, too, which tells nothing of this.
  mutating func add(_ value: Int, _ seen: PictureWatch.Rest?, isTogether: Bool = false) {
    guard var seen else {
      unseen.insert(value)
      return
    }
    if isTogether {
      var light = start.mean.vector
      light[index] = seen.exposure * seen.mean.vector[index]
      (seen.mean, seen.exposure) = (LinearRGB(light), 1)
    }
    let change = seen.ratios - start.ratios
    points.append(ControlLaw.Point(value: value, gain: Camera.gain(of: control.id, change)))
    samples.append(ChannelProbe.Sample(value: value, mean: seen.mean, exposure: seen.exposure))
    if isMixed, seen.mean.vector.min() < ChannelProbe.nearBlack {
      cutOff.insert(value)
      return
    }
    moved.append(
      ControlLaw.Point(
        value: value, gain: seen.exposure * seen.mean.vector[index] / start.mean.vector[index]))
  }

  /// Whether a value lies farther out than one at which the picture was clipped or black.
  func isBeyondSight(_ value: Int) -> Bool {
    unseen.contains { value < $0 && $0 < base || value > $0 && $0 > base }
  }

  /// Values over the whole range that were not tried yet.
  var more: [Int] {
    Set(Self.shares.map(control.value(atShare:))).subtracting(moved.map(\.value))
      .subtracting(unseen.union(cutOff)).sorted()
  }

  /// The values that divide what lies between the outermost that were seen and those beyond that
  /// were not into so many parts, from what was not seen: what can be seen ends somewhere between
  /// them.
  func edges(_ parts: Int) -> [Int] {
    let seen = moved.map(\.value)
    let lost = unseen.union(cutOff)
    let ends = [
      (lost.filter { $0 < seen.min() ?? 0 }.max(), seen.min()),
      (lost.filter { $0 > seen.max() ?? 0 }.min(), seen.max()),
    ]
    return ends.flatMap { edge, end -> [Int] in
      guard let edge, let end else { return [] }
      let values = (1..<parts).map { part in
        control.snapped(Double(edge) + Double(part) / Double(parts) * Double(end - edge))
      }
      return values.indices.filter {
        ![edge, end].contains(values[$0]) && !values[..<$0].contains(values[$0])
      }.map { values[$0] }
    }
  }

  /// Whether what was seen follows a simple law, and nothing was unseen.
  var isSimple: Bool { unseen.isEmpty && moved.areSimple(of: control, testedBy: tested) }

  /// Whether a law of all others describes the tested values.
  var describesTested: Bool { moved.describeOthers(of: control, testedBy: tested) }

  /// Takes the tested values out again.
  mutating func forgetTested() {
    points.removeAll { tested.contains($0.value) }
    moved.removeAll { tested.contains($0.value) }
    samples.removeAll { tested.contains($0.value) }
    tested = []
  }

  /// The level of the brightest channel that is to be expected at a value, on the line through the
  /// two nearest that were seen.
  ///
  /// - Parameter isEach: whether each channel is on a line of its own, which tells more of what is
  ///   far away, and may tell too much.
  func level(at value: Int, isEach: Bool) -> Double {
    let seen =
      [(value: base, light: start.mean.vector)] + (alone.map { [$0] } ?? [])
      + samples.map { (value: $0.value, light: $0.mean.vector * $0.exposure) }
    let nearest = seen.sorted { abs($0.value - value) < abs($1.value - value) }
    let first = nearest[0]
    guard let second = nearest.first(where: { $0.value != first.value }) else {
      return first.light.max()
    }
    let share = Double(value - first.value) / Double(second.value - first.value)
    return isEach
      ? (first.light + share * (second.light - first.light)).max()
      : first.light.max() + share * (second.light.max() - first.light.max())
  }

  /// What is known of the channel.
  var channel: ChannelProbe.Channel {
    // Near black a gain is known too badly for all others to be told beside it.
    let isWellSeen = samples.contains { sample in
      sample.value == standard && sample.mean.vector[index] * sample.exposure >= Self.dark
    }
    return ChannelProbe.Channel(
      control: control, base: base, reference: isWellSeen ? standard : base, points: points,
      samples: samples, tested: tested)
  }
}
