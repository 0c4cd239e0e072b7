internal import ColorScience
public import WhiteBalance

/// The effect of a camera's controls on its white balance, as found by probing: see
/// `Camera.probe`.
public struct ControlLaws: Hashable, Sendable, Codable {
  @Indirect private var parts: Parts

  private struct Parts: Hashable, Sendable {
    var layout: Layout
    var fixedSettings: [ControlValue]
    var latency: Int?
    var settlingRate: Double?
    var mixing: ChannelMixing?
    var persistence: SettingPersistence?
    var crosstalk = 0.0
    var errors: GainErrors?
    var observed: ObservedGains?
  }

  /// The controls and the law of each.
  public var layout: Layout { parts.layout }
  /// Other controls that the laws depend on, with the values for which they hold: for example a
  /// gain that rescales red and blue.
  public package(set) var fixedSettings: [ControlValue] {
    get { parts.fixedSettings }
    set { parts.fixedSettings = newValue }
  }
  /// The largest observed latency, in frames.
  public package(set) var latency: Int? {
    get { parts.latency }
    set { parts.latency = newValue }
  }
  /// The fraction of the remaining way to new gains that the picture covers in each frame; `nil` if
  /// it settles at once.
  public package(set) var settlingRate: Double? {
    get { parts.settlingRate }
    set { parts.settlingRate = newValue }
  }
  /// The channel mixing after the gains, if there is any.
  public package(set) var mixing: ChannelMixing? {
    get { parts.mixing }
    set { parts.mixing = newValue }
  }
  /// The persistence of settings, if it was determined.
  public package(set) var persistence: SettingPersistence? {
    get { parts.persistence }
    set { parts.persistence = newValue }
  }
  /// The crosstalk: the fraction of the logarithm of red's gain that is added to that of blue's
  /// gain, as some cameras compute one gain from the other.
  public package(set) var crosstalk: Double {
    get { parts.crosstalk }
    set { parts.crosstalk = newValue }
  }
  /// The errors of the gains at each value; `nil` for laws whose errors are `fitError` and the
  /// uncertainty of the mixing.
  public package(set) var errors: GainErrors? {
    get { parts.errors }
    set { parts.errors = newValue }
  }
  /// The gains of single settings, if gains scatter about the laws.
  public package(set) var observed: ObservedGains? {
    get { parts.observed }
    set { parts.observed = newValue }
  }

  /// The kinds of controls that set a camera's white balance.
  public indirect enum Layout: Hashable, Sendable {
    /// A gain for red and one for blue, and one for green if the camera has it.
    case channels(red: ControlLaw, green: ControlLaw?, blue: ControlLaw)
    /// One control that moves both along a line: a temperature, or a menu of lights.
    case path(GainCurve)
  }

  /// Creates laws from their parts.
  ///
  /// - Precondition: the laws of channels are of balance controls.
  public init(
    _ layout: Layout, fixedSettings: [ControlValue] = [], latency: Int? = nil,
    mixing: ChannelMixing? = nil, persistence: SettingPersistence? = nil
  ) {
    precondition(Self.isSound(layout), "the laws must be those of red, green and blue balance")
    parts = Parts(
      layout: layout, fixedSettings: fixedSettings, latency: latency, mixing: mixing,
      persistence: persistence)
  }

  private static func isSound(_ layout: Layout) -> Bool {
    guard case .channels(let red, let green, let blue) = layout else { return true }
    return red.control.id == .redBalance && blue.control.id == .blueBalance
      && (green?.control.id ?? .greenBalance) == .greenBalance
  }

  private enum CodingKeys: String, CodingKey {
    case red, green, blue, path, latency, mixing, crosstalk, errors, observed
    case fixedSettings = "held"
    case settlingRate = "pace"
    case persistence = "endurance"
  }

  /// Decodes and checks the laws.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    parts = Parts(
      layout: try Self.layout(values),
      fixedSettings: try values.decodeIfPresent([ControlValue].self, forKey: .fixedSettings) ?? [],
      latency: try values.decodeIfPresent(Int.self, forKey: .latency),
      settlingRate: try values.decodeIfPresent(Double.self, forKey: .settlingRate),
      mixing: try values.decodeIfPresent(ChannelMixing.self, forKey: .mixing),
      persistence: try values.decodeIfPresent(SettingPersistence.self, forKey: .persistence),
      crosstalk: try values.decodeIfPresent(Double.self, forKey: .crosstalk) ?? 0,
      errors: try values.decodeIfPresent(GainErrors.self, forKey: .errors),
      observed: try values.decodeIfPresent(ObservedGains.self, forKey: .observed))
    guard Self.isSound(layout), 0...1000 ~= latency ?? 0, persistence?.frames ?? 0 >= 0,
      0.001...1 ~= settlingRate ?? 1, abs(crosstalk) < 1
    else {
      throw DecodingError.dataCorruptedError(
        forKey: .red, in: values,
        debugDescription: "the laws must be those of red, green and blue balance")
    }
    guard observed?.areSettings(of: controls) ?? true else {
      throw DecodingError.dataCorruptedError(
        forKey: .observed, in: values,
        debugDescription: "observed gains must have a value in the range of each control")
    }
  }

  private static func layout(_ values: KeyedDecodingContainer<CodingKeys>) throws -> Layout {
    if let path = try values.decodeIfPresent(GainCurve.self, forKey: .path) { return .path(path) }
    return .channels(
      red: try values.decode(ControlLaw.self, forKey: .red),
      green: try values.decodeIfPresent(ControlLaw.self, forKey: .green),
      blue: try values.decode(ControlLaw.self, forKey: .blue))
  }

  /// Encodes the laws.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    switch layout {
    case .channels(let red, let green, let blue):
      try values.encode(red, forKey: .red)
      try values.encodeIfPresent(green, forKey: .green)
      try values.encode(blue, forKey: .blue)
    case .path(let path): try values.encode(path, forKey: .path)
    }
    if !fixedSettings.isEmpty { try values.encode(fixedSettings, forKey: .fixedSettings) }
    try values.encodeIfPresent(latency, forKey: .latency)
    try values.encodeIfPresent(settlingRate, forKey: .settlingRate)
    try values.encodeIfPresent(mixing, forKey: .mixing)
    try values.encodeIfPresent(persistence, forKey: .persistence)
    if crosstalk != 0 { try values.encode(crosstalk, forKey: .crosstalk) }
    try values.encodeIfPresent(errors, forKey: .errors)
    try values.encodeIfPresent(observed, forKey: .observed)
  }

  /// The laws of single channels, in the order red, green, blue; none for a path.
  public var channelLaws: [ControlLaw] {
    guard case .channels(let red, let green, let blue) = layout else { return [] }
    return [red, green, blue].compactMap(\.self)
  }

  /// The controls, in the order red, green, blue.
  package var controls: [ControlDescription] {
    switch layout {
    case .channels: channelLaws.map(\.control)
    case .path(let path): [path.control]
    }
  }

  /// The settings at which all gains are 1. For this camera, "before any gain" means these
  /// settings.
  public var reference: [ControlValue] {
    switch layout {
    case .channels: channelLaws.map { ControlValue($0.control.id, $0.reference) }
    case .path(let path): [ControlValue(path.control.id, path.reference)]
    }
  }

  /// The largest relative error of the laws.
  public var fitError: Double {
    switch layout {
    case .channels: channelLaws.map(\.fitError).max() ?? 0
    case .path(let path): path.fitError
    }
  }

  /// The range of each gain; green is 1 if it has no control. `nil` for a path, whose gains do not
  /// move independently.
  public var range: GainRange? {
    guard case .channels(let red, let green, let blue) = layout else { return nil }
    return GainRange(red: red.gainRange, green: green?.gainRange ?? 1...1, blue: blue.gainRange)
  }

  /// The gains at settings; a control left out is at its reference. NaN outside the range of the
  /// laws.
  public func gains(at values: [ControlValue]) -> Gains {
    observed?.gains(at: reference.replacing(with: values)) ?? gainsByLaws(at: values)
  }

  /// The gains that the laws alone give.
  func gainsByLaws(at values: [ControlValue]) -> Gains {
    switch layout {
    case .channels(let red, let green, let blue):
      func gain(_ law: ControlLaw) -> Double {
        law.gain(at: values[law.control.id] ?? law.reference)
      }
      let redGain = gain(red)
      return Gains(
        red: redGain, green: green.map(gain) ?? 1, blue: gain(blue) * pull(of: redGain))
    case .path(let path):
      return path.gains(at: values[path.control.id] ?? path.reference)
    }
  }

  /// The covariance of the errors of ln red and ln blue for gains that the laws state: the laws'
  /// own error, and the uncertainty that a color matrix after the gains adds to a gain's difference
  /// from 1.
  ///
  /// The true gains lie within two standard errors in 93 % of settings and more
  /// (`RandomCameraTests`, and `gains.sh` of the camera lab).
  public func covariance(of gains: Gains) -> GainUncertainty.Covariance {
    if let errors { return covariance(of: gains, by: errors) }
    let scale = mixing?.scaleError ?? 0
    func error(_ gain: Double) -> Double {
      let added = scale * (1 - 1 / gain)
      return (fitError * fitError + added * added).squareRoot()
    }
    let (red, blue) = gains.relativeToGreen
    return GainUncertainty.Covariance(errors: error(red), error(blue))
  }

  private func covariance(
    of gains: Gains, by errors: GainErrors
  ) -> GainUncertainty.Covariance {
    let values: [ControlValue]
    switch layout {
    case .channels(_, nil, _):
      let (red, blue) = gains.relativeToGreen
      values = nearestValues(for: Gains(red: red, blue: blue))
    case .channels: values = nearestValues(for: gains)
    case .path(let path):
      let value = path.nearestValue(for: gains)
      values = [ControlValue(path.control.id, value)]
    }
    func error(_ points: [GainErrors.Point], _ id: ControlID) -> Double {
      GainErrors.error(at: values[id] ?? values[0].value, of: points).error
    }
    let green = errors.green.map { error($0, .greenBalance) } ?? 0
    let (red, blue) = (error(errors.red, .redBalance), error(errors.blue, .blueBalance))
    return GainUncertainty.Covariance(
      errors: (red * red + green * green).squareRoot(),
      (blue * blue + green * green).squareRoot())
  }

  /// The factor by which a red gain multiplies blue's.
  private func pull(of red: Double) -> Double {
    crosstalk == 0 ? 1 : power(max(red, 1e-3), crosstalk)
  }

  /// The settings nearest to wanted gains; half a step beyond the end of a range is accepted.
  ///
  /// - Throws: `GainRangeError` if a channel's gain is out of range of its control. A path always
  ///   has a nearest point: see the setting's `residualGains`.
  public func setting(for gains: Gains) throws(GainRangeError) -> WhiteBalanceSetting {
    let values: [ControlValue]
    switch layout {
    case .channels(let red, nil, let blue):
      let (wantedRed, wantedBlue) = gains.relativeToGreen
      let wanted = Gains(red: wantedRed, blue: wantedBlue / pull(of: wantedRed))
      if !red.reaches(wanted.red) || !blue.reaches(wanted.blue), let range {
        try wanted.validated(in: range)
      }
      values = channelValues(for: wanted)
    case .channels(let red, let green?, let blue):
      let range = GainRange(red: red.gainRange, green: green.gainRange, blue: blue.gainRange)
      let normalized = gains.normalized(to: .smallest)
      let fitting = normalized.rescaled(into: range)
      let wanted = if let fitting { fitting } else { try normalized.validated(in: range) }
      values = channelValues(for: wanted)
    case .path(let path):
      values = [ControlValue(path.control.id, path.nearestValue(for: gains, behind: mixing))]
    }
    let reached = self.gains(at: values)
    if let better = observed?.setting(for: gains, insteadOf: reached, behind: mixing) {
      return WhiteBalanceSetting(values: better.values, wanted: gains, reached: better.gains)
    }
    return WhiteBalanceSetting(values: values, wanted: gains, reached: reached)
  }

  /// The values of the channels' controls with which a card is probably nearest to neutral, if
  /// gains would make it neutral; none for a path.
  ///
  /// The nearest value of each channel alone is not always the best, where values are far apart. A
  /// value whose gain was measured may be better than one whose stated gain is nearer, but
  /// uncertain.
  package func channelValues(for gains: Gains) -> [ControlValue] {
    var combinations: [[Candidate]] = [[]]
    for (law, nearest) in zip(channelLaws, nearestValues(for: gains)) {
      let choices = candidates(of: law, around: nearest.value)
      combinations = combinations.flatMap { first in choices.map { first + [$0] } }
    }
    let best = combinations.map { ($0, expectedSquare(of: $0, from: gains)) }
      .min { $0.1 < $1.1 }
    return best?.0.map(\.setting) ?? []
  }

  /// A value of a channel's control, with its gain and the part of the gain's error that other
  /// values do not share.
  private struct Candidate {
    var setting: ControlValue
    var channel: ColorChannel
    var gain: Double
    var error: Double
  }

  /// The nearest value, those next to it, and the nearest ones whose gains were measured.
  private func candidates(of law: ControlLaw, around nearest: Int) -> [Candidate] {
    let (channel, step) = (Self.channel(of: law), law.control.step)
    let points = errors?.points(of: channel) ?? []
    let next = points.firstIndex { $0.value > nearest } ?? points.count
    let measured = points[max(next - 2, 0)..<min(next + 2, points.count)].map(\.value)
    let others = [nearest - step, nearest + step] + measured
    return ([nearest] + others.filter { $0 != nearest && law.values ~= $0 }).map { value in
      Candidate(
        setting: ControlValue(law.control.id, value), channel: channel, gain: law.gain(at: value),
        error: points.isEmpty ? 0 : GainErrors.error(at: value, of: points).ownError ?? 0)
    }
  }

  private func expectedSquare(of candidates: [Candidate], from wanted: Gains) -> Double {
    func part(_ channel: ColorChannel) -> Candidate? { candidates.first { $0.channel == channel } }
    let (red, green, blue) = (part(.red), part(.green), part(.blue))
    let shared = green?.error ?? 0
    func error(_ one: Candidate?) -> Double {
      let own = one?.error ?? 0
      return (own * own + shared * shared).squareRoot()
    }
    return CardColor.expectedSquare(
      of: Gains(red: red?.gain ?? 1, green: green?.gain ?? 1, blue: blue?.gain ?? 1), from: wanted,
      behind: mixing, errors: SIMD2(error(red), error(blue)))
  }

  /// The value of each channel's control whose stated gain is nearest; none for a path.
  private func nearestValues(for gains: Gains) -> [ControlValue] {
    channelLaws.map {
      ControlValue($0.control.id, $0.nearestValue(for: gains[Self.channel(of: $0)]))
    }
  }

  private static func channel(of law: ControlLaw) -> ColorChannel {
    switch law.control.id {
    case .redBalance: .red
    case .blueBalance: .blue
    default: .green
    }
  }
}
