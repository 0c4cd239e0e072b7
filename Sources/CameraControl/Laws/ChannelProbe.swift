internal import ColorScience

/// What the picture showed while red, green and blue were moved one by one, and what follows from
/// it.
///
/// A color matrix behind the gains lets each of them change all three channels of the picture. How
/// the linear picture moves with one gain gives the direction of that column of the matrix. The
/// column's length, and with it the value at which the gain would be zero, shows in no picture
/// under one light. It follows from a second light, whose neutral is at other gains; or from a
/// third control, for the columns add up to 1; or else it is expected to be as in other cameras.
struct ChannelProbe: Sendable {
  /// The picture at a value of one control, all others at their base.
  struct Sample: Sendable {
    var value: Int
    var mean: LinearRGB
  }

  /// One channel's control.
  struct Channel: Sendable {
    var control: ControlDescription
    /// Its value while the others were moved.
    var base: Int
    /// The value at which its gain is to be 1.
    var reference: Int
    /// The gains, if the control changes its own channel alone.
    var points: [ControlLaw.Point]
    var samples: [Sample]
    /// The values of samples that the law is not made from but tested by.
    var tested: Set<Int> = []

    /// The channel that it is for.
    var index: Int { ChannelProbe.index(of: control.id) }
  }

  /// The channel that a control is for: 0 red, 1 green, 2 blue.
  static func index(of control: ControlID) -> Int {
    switch control {
    case .redBalance: 0
    case .greenBalance: 1
    default: 2
    }
  }

  /// The picture with all controls at their base.
  let origin: LinearRGB
  /// Red, green if it has a control, and blue.
  let channels: [Channel]

  /// The shares of a change that are taken for none.
  static let unmixed = 0.006

  /// The changes of the picture by one control, in units of its own channel.
  private func direction(of channel: Channel) -> LinearRGB {
    var (own, cross) = (0.0, SIMD3<Double>.zero)
    for sample in channel.samples {
      let change = sample.mean.vector - origin.vector
      own += change[channel.index] * change[channel.index]
      cross += change * change[channel.index]
    }
    return own > 0 ? LinearRGB(cross / own) : LinearRGB(.zero)
  }

  /// Whether each control changes its own channel alone.
  var isUnmixed: Bool {
    channels.allSatisfy { channel in
      let direction = direction(of: channel).vector
      return (0..<3).allSatisfy { $0 == channel.index || abs(direction[$0]) <= Self.unmixed }
    }
  }

  /// The matrix's elements from red to red and from blue to blue.
  struct Lengths: Sendable {
    var red, blue: Double
    /// Their relative standard error.
    var error: Double
  }

  /// The lengths as they are in other cameras.
  ///
  /// They follow from the directions to 15 and 17 % (root mean square), by regression over the
  /// matrices of libcamera's tunings for 312 sensors and lights, at a tenth to the whole of their
  /// strength, with saturations of 0.8 to 1.4.
  var expectedLengths: Lengths {
    guard let red = channels.first, let blue = channels.last else {
      return Lengths(red: 1, blue: 1, error: 0)
    }
    let (e, f) = (direction(of: red).vector, direction(of: blue).vector)
    // With three controls nothing need be expected.
    if channels.count == 3,
      let lengths = Matrix3x3(columns: e, direction(of: channels[1]).vector, f).inverse.map({
        $0 * SIMD3(1, 1, 1)
      }), lengths.min() > 0
    {
      return Lengths(red: lengths.x, blue: lengths.z, error: 0.01)
    }
    func length(_ share: Double) -> Double { 1 / max(share, 0.3) }
    return Lengths(
      red: length(1 + 1.47 * e.y + 0.52 * e.z - 0.95 * f.x + 0.80 * f.y),
      blue: length(1 + 1.89 * e.y + 0.42 * e.z - 0.70 * f.x + 0.29 * f.y), error: 0.17)
  }

  /// The gain of a channel at each of its samples.
  ///
  /// - Parameter whole: how far the own channel moves for a gain of 1.
  private func gains(of channel: Channel, whole: Double) -> [ControlLaw.Point] {
    [ControlLaw.Point(value: channel.base, gain: 1)]
      + channel.samples.map {
        ControlLaw.Point(
          value: $0.value, gain: 1 + step(from: origin, to: $0.mean, of: channel) / whole)
      }
  }

  /// The laws, and the matrix behind the gains if there is one.
  ///
  /// - Parameter lengths: where they are known better than from other cameras.
  /// - Throws: `noLaw` for a control whose gains follow none.
  func laws(latency: Int, lengths: Lengths? = nil) throws(CameraError) -> ControlLaws {
    guard !isUnmixed else { return try laws(latency: latency, mixing: nil) { $0.points } }
    let lengths = lengths ?? expectedLengths
    guard let mixing = mixing(lengths), let inverse = mixing.matrix.inverse else {
      throw .noLaw(
        channels[0].control.id,
        reason: "it changes other colors too, in a way that no color matrix explains")
    }
    let light = inverse * origin.vector
    return try laws(latency: latency, mixing: mixing) { channel in
      let own = mixing.matrix.rows[channel.index][channel.index]
      return gains(of: channel, whole: own * light[channel.index])
    }
  }

  private func laws(
    latency: Int, mixing: ColorMixing?, _ points: (Channel) -> [ControlLaw.Point]
  ) throws(CameraError) -> ControlLaws {
    var laws: [ControlLaw] = []
    for channel in channels {
      laws.append(
        try Self.law(of: channel, points: points(channel)))
    }
    return ControlLaws(
      .channels(red: laws[0], green: laws.count > 2 ? laws[1] : nil, blue: laws[laws.count - 1]),
      latency: latency, mixing: mixing)
  }

  private static func law(
    of channel: Channel, points: [ControlLaw.Point]
  ) throws(CameraError) -> ControlLaw {
    let control = channel.control
    // A gain below zero is one that the matrix has been asked for too much of.
    let points = points.filter { $0.gain > 0.01 }
    let gains = points.map(\.gain)
    guard let least = gains.min(), let most = gains.max(), points.count >= 3 else {
      throw Camera.nothingSeen(of: control.id)
    }
    guard most / least > 1.02 else { throw Camera.noChange(by: control.id) }
    guard
      let law = ControlLaw(
        control: control, reference: channel.reference, points: points, testedBy: channel.tested)
    else { throw .noLaw(control.id, reason: "the picture's response to it both rises and falls") }
    try Camera.requireSmooth(law.fitError, control.id)
    return law
  }

  private func mixing(_ lengths: Lengths) -> ColorMixing? {
    guard let first = channels.first, let last = channels.last else { return nil }
    let red = direction(of: first).vector * lengths.red
    let blue = direction(of: last).vector * lengths.blue
    return ColorMixing(
      Matrix3x3(columns: red, 1 - red - blue, blue), scaleError: lengths.error)
  }

  /// What a change of a picture says of one channel's gain.
  private func step(from before: LinearRGB, to after: LinearRGB, of channel: Channel) -> Double {
    let direction = direction(of: channel).vector
    let change = after.vector - before.vector
    return (change * direction).sum() / (direction * direction).sum()
  }

  /// What a picture becomes when one control is moved, under the light under which it was probed;
  /// `nil` beyond the values that were tried.
  func picture(
    of picture: LinearRGB, moving control: ControlID, from old: Int, to new: Int
  ) -> LinearRGB? {
    guard let channel = channels.first(where: { $0.control.id == control }) else { return nil }
    var points = channel.samples.map {
      ControlLaw.Point(value: $0.value, gain: step(from: origin, to: $0.mean, of: channel))
    }
    points.append(ControlLaw.Point(value: channel.base, gain: 0))
    let steps = points.averaged(by: \.value) { value, mean in
      ControlLaw.Point(value: value, gain: mean(\.gain))
    }
    guard steps.count >= 2 else { return nil }
    let curve = SmoothCurve(x: steps.map { Double($0.value) }, y: steps.map(\.gain))
    let change = curve.value(at: Double(new)) - curve.value(at: Double(old))
    return change.isFinite
      ? LinearRGB(picture.vector + direction(of: channel).vector * change) : nil
  }

  /// The lengths that a card under several lights tells; `nil` where red or blue needs nearly the
  /// same gains under all of them.
  ///
  /// Under a light where the card is neutral at the value v, a move to the value w changes the
  /// picture by the length times g(w)/g(v) − 1, beside the picture's level. Back again under
  /// another light, where the card is neutral at w, it is the length times 1 − g(v)/g(w). From the
  /// two follow the length and g(w)/g(v).
  func lengths(from swaps: [Swap]) -> Lengths? {
    guard let red = channels.first, let blue = channels.last else { return nil }
    func length(of channel: Channel) -> (length: Double, error: Double)? {
      var (sum, weights) = (0.0, 0.0)
      for swap in swaps where swap.control == channel.control.id {
        let there = step(from: swap.here.neutral, to: swap.here.moved, of: channel)
        let back = step(from: swap.other.neutral, to: swap.other.moved, of: channel)
        let (first, second) = (there / swap.here.level, back / swap.other.level)
        let ratio = -first / second
        guard ratio > 0, ratio.isFinite, abs(logarithm(ratio)) > 0.1 else { continue }
        let length = first / (ratio - 1)
        guard length > 0 else { continue }
        // Steps are known to half a percent.
        let error = 0.007 * max(1, ratio) / abs(ratio - 1)
        sum += logarithm(length) / (error * error)
        weights += 1 / (error * error)
      }
      guard weights > 0 else { return nil }
      return (exponential(sum / weights), 1 / weights.squareRoot())
    }
    let (first, second, expected) = (length(of: red), length(of: blue), expectedLengths)
    guard first != nil || second != nil else { return nil }
    return Lengths(
      red: first?.length ?? expected.red, blue: second?.length ?? expected.blue,
      error: max(first?.error ?? expected.error, second?.error ?? expected.error))
  }

  /// A control moved, under two lights, between the values at which the card is neutral under one
  /// and the other.
  struct Swap: Sendable {
    /// A card, neutral at first.
    struct Move: Sendable {
      var neutral, moved: LinearRGB
      /// The level of the neutral card.
      var level: Double { neutral.vector.sum() / 3 }
    }
    var control: ControlID
    var here, other: Move
  }
}
