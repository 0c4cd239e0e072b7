internal import ColorScience

/// What the numbers of exposure time and gain mean, as the picture showed it.
///
/// Light is counted beside that of the laws' reference, where it is 1. Of a control that V4L2
/// defines in units of 100 µs (`ControlID.exposureTime`) durations are known in seconds, if its
/// light is in proportion to its numbers; of one in the driver's own unit only their ratios are.
public struct ExposureLaws: Hashable, Sendable, Codable {
  /// The light by the exposure time; `nil` where that cannot be set.
  public let time: ControlLaw?
  /// The light by the gain; `nil` where there is none.
  public let gain: ControlLaw?
  /// The exposure time at the reference, in seconds; `nil` where the unit is not known.
  public let referenceDuration: Double?
  /// After how many frames at most a setting was seen.
  public let latency: Int

  /// The largest latency of laws.
  package static let longestLatency = 44

  /// Laws that were found, or are known.
  ///
  /// - Precondition: there is one.
  public init(time: ControlLaw?, gain: ControlLaw?, latency: Int) {
    precondition(time != nil || gain != nil, "something can be set")
    self.time = time
    self.gain = gain
    self.latency = latency
    referenceDuration = time.flatMap(Self.duration(atReferenceOf:))
  }

  /// The exposure time at a law's reference, if its numbers are in the unit that V4L2 defines:
  /// light is then in proportion to them, or falls behind by steps.
  private static func duration(atReferenceOf law: ControlLaw) -> Double? {
    guard law.control.id == .exposureTime else { return nil }
    switch law.form {
    // A line may begin at another value than 0.
    case .line(_, let slope): return slope > 0 ? 1e-4 / slope : nil
    case .exponential: return nil
    case .table:
      let ends = [law.values.lowerBound, law.values.upperBound]
      let isProportional = ends.allSatisfy { end in
        let light = Double(end) / Double(law.reference)
        return abs(law.gain(at: end) / light - 1) < 0.3
      }
      return isProportional ? 1e-4 * Double(law.reference) : nil
    }
  }

  private enum CodingKeys: String, CodingKey { case time, gain, latency }

  /// Decodes and checks the laws.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let time = try values.decodeIfPresent(ControlLaw.self, forKey: .time)
    let gain = try values.decodeIfPresent(ControlLaw.self, forKey: .gain)
    let latency = try values.decode(Int.self, forKey: .latency)
    guard time != nil || gain != nil, 0...Self.longestLatency ~= latency else {
      throw DecodingError.dataCorruptedError(
        forKey: .latency, in: values, debugDescription: "no exposure can be set by these laws")
    }
    self.init(time: time, gain: gain, latency: latency)
  }

  /// The controls, the exposure time's first.
  public var controls: [ControlDescription] { [time?.control, gain?.control].compactMap(\.self) }

  /// The light at values, beside that of the reference; a control that is left out is there.
  public func light(at values: [ControlValue]) -> Double {
    [time, gain].reduce(1) { light, law in
      guard let law, let value = values[law.control.id] else { return light }
      return light * law.gain(at: value)
    }
  }

  /// The exposure time at a value, in seconds; `nil` where the unit is not known.
  public func duration(at value: Int) -> Double? {
    guard let time, let referenceDuration else { return nil }
    return referenceDuration * time.gain(at: value)
  }

  /// The exposure times that can be set, in seconds; `nil` where the unit is not known.
  public var durations: ClosedRange<Double>? {
    guard let time, let referenceDuration else { return nil }
    let range = time.gainRange
    return referenceDuration * range.lowerBound...referenceDuration * range.upperBound
  }

  /// The amplifications that can be set, beside the smallest; 1 alone where there is no control.
  public var amplifications: ClosedRange<Double> {
    guard let range = gain?.gainRange else { return 1...1 }
    return 1...range.upperBound / range.lowerBound
  }

  /// The amplification at a value of its control, beside the smallest.
  public func amplification(at value: Int) -> Double {
    gain.map { $0.gain(at: value) / $0.gainRange.lowerBound } ?? 1
  }

  /// The light of exposure times that is known to a tenth of a stop: a line that misses 0 by a few
  /// numbers says little of its first ones, unless it was seen near them.
  private var knownTimes: ClosedRange<Double> {
    guard let time else { return 1...1 }
    let range = time.gainRange
    guard case .line(let intercept, _) = time.form, intercept != 0,
      let darkest = time.evidence.map(\.gain).min()
    else { return range }
    return min(max(range.lowerBound, darkest / 4), range.upperBound)...range.upperBound
  }

  /// The stops that can be set beside a light, each to a tenth of a stop: of the runs without a gap
  /// the one with the light itself, else the longest.
  ///
  /// - Parameters:
  ///   - present: the light, beside the reference's.
  ///   - longest: the light at the longest time that may be set, beside the reference's.
  package func stops(beside present: Double, longest: Double) -> ClosedRange<Double> {
    let (times, gains) = (time?.gainRange ?? 1...1, gain?.gainRange ?? 1...1)
    let most = max(min(times.upperBound, longest), times.lowerBound)
    func stops(_ light: Double) -> Double { logarithm(light / present) / logarithm(2) }
    let darkest = stops(knownTimes.lowerBound * gains.lowerBound)
    let brightest = stops(most * gains.upperBound)
    let grid = 0.02
    let marks =
      (0...Int(max(0, (brightest - darkest) / grid))).map { darkest + grid * Double($0) }
      + [brightest]
    var runs: [ClosedRange<Double>] = []
    var isOpen = false
    for mark in marks {
      let light = present * power(2, mark)
      let miss = stops(self.light(at: values(for: light, longest: longest))) - mark
      let isNear = abs(miss) < 0.08
      if isNear, isOpen, let last = runs.popLast() {
        runs.append(last.lowerBound...max(mark, last.lowerBound))
      } else if isNear {
        runs.append(mark...mark)
      }
      isOpen = isNear
    }
    func length(_ run: ClosedRange<Double>) -> Double { run.upperBound - run.lowerBound }
    return runs.first { $0.contains(0) } ?? runs.max { length($0) < length($1) }
      ?? darkest...max(darkest, brightest)
  }

  /// The values nearest to a light beside the reference's, the time first: the gain, which adds
  /// noise, helps where the time is at its end, or where its steps are too far apart.
  ///
  /// - Parameter longest: the light at the longest time that may be set, beside the reference's.
  package func values(for light: Double, longest: Double) -> [ControlValue] {
    guard let time else {
      return gain.map { [ControlValue($0.control.id, $0.nearestValue(for: light))] } ?? []
    }
    let most = min(time.gainRange.upperBound, longest)
    guard let gain else {
      return [ControlValue(time.control.id, time.nearestValue(for: min(light, most)))]
    }
    func pair(_ duration: Int, _ amplification: Int) -> [ControlValue] {
      [ControlValue(time.control.id, duration), ControlValue(gain.control.id, amplification)]
    }
    func miss(_ values: [ControlValue]) -> Double {
      abs(logarithm(self.light(at: values) / light))
    }
    let least = gain.nearestValue(for: max(light / most, gain.gainRange.lowerBound))
    let rest = light / gain.gain(at: least)
    // Beside another gain a time that differs by less than anybody sees would be in no frame that
    // its light tells.
    let isLongest = light > most && abs(rest / most - 1) < 0.01
    let nearest = time.nearestValue(for: isLongest ? most : min(rest, longest))
    let simple = pair(nearest, least)
    if miss(simple) < 0.03 { return simple }
    let shorter = [nearest - time.control.step, nearest, nearest + time.control.step].filter {
      time.values ~= $0 && time.gain(at: $0) < min(rest, longest)
    }
    let amplified = shorter.map { pair($0, gain.nearestValue(for: light / time.gain(at: $0))) }
    return amplified.min { miss($0) < miss($1) }.map { miss($0) < miss(simple) ? $0 : simple }
      ?? simple
  }
}
