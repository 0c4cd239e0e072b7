internal import ColorScience
package import WhiteBalance

/// The exposure as a function of exposure time and sensor gain, as measured in pictures.
///
/// Exposures are relative to that of the laws' reference, where it is 1. For a control with a known
/// unit (`ControlDescription.secondsPerUnit`), durations are known in seconds if the exposure is
/// proportional to its numbers; for one in the driver's own unit only ratios are known.
public struct ExposureLaws: Hashable, Sendable, Codable {
  /// The law of the exposure time; `nil` if the time cannot be set.
  public let time: ControlLaw?
  /// The law of the sensor gain; `nil` if there is no such control.
  public let gain: ControlLaw?
  /// The exposure time at the reference, in seconds; `nil` if the unit is unknown.
  public let referenceDuration: Double?
  /// The largest observed latency of a setting, in frames.
  public let latency: Int

  /// The largest valid latency, in frames.
  package static let longestLatency = 44

  /// Creates laws that were found or are known.
  ///
  /// - Precondition: there is at least one law.
  public init(time: ControlLaw?, gain: ControlLaw?, latency: Int) {
    precondition(time != nil || gain != nil, "there must be a law of the time or of the gain")
    self.time = time
    self.gain = gain
    self.latency = latency
    referenceDuration = time.flatMap(Self.duration(atReferenceOf:))
  }

  /// Creates the laws that follow from a known unit of the exposure time: light is proportional to
  /// its values.
  package init?(promisedBy control: ControlDescription, reference: Int, latency: Int) {
    guard control.secondsPerUnit != nil, reference > 0 else { return nil }
    let points = [1, 10, 100].map {
      ControlLaw.Point(value: $0, gain: Double($0) / Double(reference))
    }
    guard let law = ControlLaw(control: control, reference: reference, points: points) else {
      return nil
    }
    self.init(time: law, gain: nil, latency: latency)
  }

  /// The exposure time at a law's reference, if the unit of its numbers is known: the exposure is
  /// then proportional to them, or deviates from that in steps.
  private static func duration(atReferenceOf law: ControlLaw) -> Double? {
    guard let unit = law.control.secondsPerUnit else { return nil }
    switch law.form {
    // A line may cross zero at a value other than 0.
    case .line(_, let slope): return slope > 0 ? unit / slope : nil
    case .exponential: return nil
    case .table:
      let ends = [law.values.lowerBound, law.values.upperBound]
      let isProportional = ends.allSatisfy { end in
        let light = Double(end) / Double(law.reference)
        return abs(law.gain(at: end) / light - 1) < 0.3
      }
      return isProportional ? unit * Double(law.reference) : nil
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
        forKey: .latency, in: values,
        debugDescription: "there must be a law of the time or of the gain, and a latency of "
          + "0…\(Self.longestLatency) frames")
    }
    self.init(time: time, gain: gain, latency: latency)
  }

  /// The controls, the exposure time's first.
  public var controls: [ControlDescription] { [time?.control, gain?.control].compactMap(\.self) }

  /// The exposure at settings, relative to that at the reference; a control that is left out is at
  /// its reference.
  public func light(at values: [ControlValue]) -> Double {
    [time, gain].reduce(1) { light, law in
      guard let law, let value = values[law.control.id] else { return light }
      return light * law.gain(at: value)
    }
  }

  /// The exposure time at a value, in seconds; `nil` if the unit is unknown.
  public func duration(at value: Int) -> Double? {
    guard let time, let referenceDuration else { return nil }
    return referenceDuration * time.gain(at: value)
  }

  /// The exposure times that can be set, in seconds; `nil` if the unit is unknown.
  public var durations: ClosedRange<Double>? {
    guard let time, let referenceDuration else { return nil }
    let range = time.gainRange
    return referenceDuration * range.lowerBound...referenceDuration * range.upperBound
  }

  /// The sensor gains that can be set, relative to the smallest; only 1 if there is no control.
  public var amplifications: ClosedRange<Double> {
    guard let range = gain?.gainRange else { return 1...1 }
    return 1...range.upperBound / range.lowerBound
  }

  /// The sensor gain at a value of its control, relative to the smallest.
  public func amplification(at value: Int) -> Double {
    gain.map { $0.gain(at: value) / $0.gainRange.lowerBound } ?? 1
  }

  /// The range of exposures by time that are known to a tenth of a stop. A line that misses 0 by a
  /// few numbers is uncertain at its first values, unless it was measured near them.
  private var knownTimes: ClosedRange<Double> {
    guard let time else { return 1...1 }
    let range = time.gainRange
    guard case .line(let intercept, _) = time.form, intercept != 0,
      let darkest = time.evidence.map(\.gain).min()
    else { return range }
    return min(max(range.lowerBound, darkest / 4), range.upperBound)...range.upperBound
  }

  /// The offsets from an exposure that can be set to within a tenth of a stop, in stops: the run
  /// without a gap that contains 0, or else the longest run.
  ///
  /// - Parameters:
  ///   - present: The exposure, relative to the reference's.
  ///   - longest: The exposure at the longest time that may be set, relative to the reference's.
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

  /// The settings nearest to an exposure relative to the reference's, the time first. The gain,
  /// which adds noise, is used only if the time is at its end, or if its steps are too far apart.
  ///
  /// - Parameter longest: The exposure at the longest time that may be set, relative to the
  ///   reference's.
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
    // Times within 1 % of the longest become the longest when the gain changes too: a frame's
    // exposure could not show so small a difference.
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

  /// Returns the exposure at the longest time that fits between two frames, relative to the
  /// reference's.
  package func longestLight(from first: FrameInfo, to second: FrameInfo) -> Double {
    guard let referenceDuration else { return .infinity }
    let interval = (second.timestamp - first.timestamp) / .seconds(1)
    return 0.98 * interval / Double(max(second.sequence - first.sequence, 1)) / referenceDuration
  }
}
