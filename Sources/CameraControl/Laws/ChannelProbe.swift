internal import CameraProfiles
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
    /// What the mean is to be multiplied by: it was taken in less light.
    var exposure = 1.0
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

  /// The picture with all controls at their base, as it was before the saturation.
  let origin: LinearRGB
  /// Red, green if it has a control, and blue; their samples as they were before the saturation.
  let channels: [Channel]
  /// The saturation behind the tone curve, if there is one.
  let saturation: Saturation?

  /// - Parameter transfer: the tone curve of the pictures.
  init(origin: LinearRGB, channels: [Channel], transfer: TransferFunction) {
    func probe(_ saturation: Saturation?) -> Self {
      Self(origin: origin, channels: channels, without: saturation)
    }
    // Near white a tone curve is known less well.
    let dim = channels.map { channel in
      var channel = channel
      channel.samples.removeAll { $0.mean.vector.max() > Self.wellKnown }
      return channel
    }
    func bend(_ factor: Double) -> Double {
      let saturation = Saturation(factor: factor, transfer: transfer)
      return Self(origin: origin, channels: dim, without: saturation).bend
    }
    var best = stride(from: 0.5, through: 2.5, by: 0.05).min { bend($0) < bend($1) } ?? 1
    for step in [0.02, 0.01, 0.005, 0.002] {
      best = [best - step, best, best + step].min { bend($0) < bend($1) } ?? best
    }
    // A straight way needs no explanation.
    let isFound = bend(1) > max(4 * bend(best), Self.straight * Self.straight)
    self = probe(isFound ? Saturation(factor: best, transfer: transfer) : nil)
  }

  private init(origin: LinearRGB, channels: [Channel], without saturation: Saturation?) {
    self.saturation = saturation
    self.origin = Self.light(of: origin, without: saturation)
    self.channels = channels.map { channel in
      var channel = channel
      channel.samples = channel.samples.filter { $0.mean.vector.min() > Self.nearBlack }.map {
        Sample(
          value: $0.value,
          mean: Self.light(of: $0.mean, exposure: $0.exposure, without: saturation))
      }
      return channel
    }
  }

  /// The light of a picture as it was before a saturation.
  ///
  /// - Parameter exposure: as that of a sample.
  static func light(
    of picture: LinearRGB, exposure: Double = 1, without saturation: Saturation?
  ) -> LinearRGB {
    LinearRGB((saturation.map { $0.removed(from: picture) } ?? picture).vector * exposure)
  }

  /// The linear value below which a matrix cuts off the darker half of noisy pixels.
  static let nearBlack = 0.012
  /// The linear value up to which tone curves are known well.
  private static let wellKnown = 0.45
  /// How far a picture's way may be from straight, beside its level.
  private static let straight = 0.003

  /// The mean square of how far pictures are beside the straight ways that their controls move them
  /// on: a matrix leaves a way straight, a saturation behind the tone curve bends it.
  private var bend: Double {
    var (sum, count) = (0.0, 0)
    for channel in channels {
      let direction = direction(of: channel).vector
      for sample in channel.samples {
        let change = sample.mean.vector - origin.vector
        let along = (change * direction).sum() / (direction * direction).sum()
        let beside = (change - along * direction) / origin.vector.max()
        sum += (beside * beside).sum()
        count += 1
      }
    }
    return count > 0 && sum.isFinite ? sum / Double(count) : .infinity
  }

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
    guard let red = channels.first, let blue = channels.last, !isUnmixed else {
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
  /// - Throws: `noLaw` for a control whose gains follow none.
  func laws(latency: Int) throws(CameraError) -> ControlLaws {
    guard !isUnmixed || saturation != nil else {
      return try laws(latency: latency, mixing: nil) { $0.points }
    }
    guard let mixing = mixing(expectedLengths), let inverse = mixing.matrix.inverse else {
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

  /// Whether each channel follows a law so simple that few pictures tell it.
  var areSimple: [Bool] {
    guard let laws = try? laws(latency: 0) else { return channels.map { _ in false } }
    return laws.channelLaws.map(\.isSimple)
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
    else {
      try requireOneDirection(points, control.id)
      throw .noLaw(control.id, reason: "the picture's response to it both rises and falls")
    }
    if law.fitError > Camera.roughest { try requireOneDirection(points, control.id) }
    try Camera.requireSmooth(law.fitError, control.id)
    return law
  }

  /// Values were set from below and from above.
  private static func requireOneDirection(
    _ points: [ControlLaw.Point], _ id: ControlID
  ) throws(CameraError) {
    let spread = Dictionary(grouping: points, by: \.value).values.map { points in
      let gains = points.map(\.gain)
      return logarithm((gains.max() ?? 1) / (gains.min() ?? 1))
    }.max()
    guard let spread, spread > Camera.roughest / 2 else { return }
    throw Camera.dependsOnDirection(id, by: spread)
  }

  private func mixing(_ lengths: Lengths) -> ColorMixing? {
    guard let first = channels.first, let last = channels.last else { return nil }
    let red = direction(of: first).vector * lengths.red
    let blue = direction(of: last).vector * lengths.blue
    return ColorMixing(
      Matrix3x3(columns: red, 1 - red - blue, blue), scaleError: lengths.error,
      saturation: saturation)
  }

  /// What a change of a picture says of one channel's gain.
  private func step(from before: LinearRGB, to after: LinearRGB, of channel: Channel) -> Double {
    let direction = direction(of: channel).vector
    let change = after.vector - before.vector
    return (change * direction).sum() / (direction * direction).sum()
  }
}
