internal import ColorScience

/// The gain of a balance control as a function of its value, as measured in pictures.
///
/// Gains are relative to the control's reference value, at which the gain is 1. Drivers give the
/// numbers no unit, so a law is always found by probing (`Camera.probe`), never assumed.
public struct ControlLaw: Hashable, Sendable, Codable {
  @Indirect private var parts: Parts

  private struct Parts: Hashable, Sendable {
    var control: ControlDescription
    var reference: Int
    var form: Form
    var fitError: Double
    var evidence: [Evidence]
    /// The curve of a table, which is kept since many values are evaluated.
    var curve: SmoothCurve?
  }

  /// The control.
  public var control: ControlDescription { parts.control }
  /// The value at which the gain is 1.
  public var reference: Int { parts.reference }
  /// The form of the law.
  public var form: Form { parts.form }
  /// The relative error of the law, as a root mean square.
  ///
  /// It is the largest of the scatter of repeated measurements, the deviation of gains that only
  /// test the law, and the deviation of the points from a line or an exponential. For a table
  /// without tests, it includes the deviation of each point from the curve through the others. A
  /// law that a model states has the error that the model states.
  public var fitError: Double { parts.fitError }
  /// The gains that were measured, in the order of probing; none for a law from another source.
  public var evidence: [Evidence] { parts.evidence }

  /// A gain that was measured.
  public struct Evidence: Hashable, Sendable, Codable {
    /// The value of the control.
    public var value: Int
    /// The gain, relative to the law's at its reference.
    public var gain: Double
    /// Indicates whether the gain only tests the law, and is not used to fit it.
    public var isTest: Bool
  }

  /// The form of a control law.
  public enum Form: Hashable, Sendable {
    /// gain = intercept + slope · value, over the whole range of the control.
    case line(intercept: Double, slope: Double)
    /// gain = exp(rate · (value − reference)), over the whole range: each step is the same number
    /// of decibels.
    case exponential(rate: Double)
    /// A curve through probed points that rises or falls, with flat parts in between; undefined
    /// beyond them.
    case table([Point])
  }

  /// A value, and its measured gain.
  public struct Point: Hashable, Sendable, Codable {
    /// The value of the control.
    public var value: Int
    /// The gain.
    public var gain: Double

    /// Creates a point from a value and its gain.
    public init(value: Int, gain: Double) {
      self.value = value
      self.gain = gain
    }
  }

  /// The relative deviation from a line that the noise of a probe explains.
  static let straight = 0.004

  /// The largest exposure that a tone curve can hide in dark pictures, relative to that at the
  /// reference, and the largest relative deviation from proportionality that it explains.
  private static let (hidden, proportional) = (0.004, 0.012)

  /// The largest relative deviation against the direction of a law that noise explains.
  private static let backwards = 0.01

  /// Fits a law to probed gains: a line or an exponential if they lie on one, else a curve through
  /// them. `nil` for gains that are not positive and finite, fewer than three values, gains that
  /// both rise and fall, or a curve whose range does not include the reference.
  ///
  /// - Parameters:
  ///   - control: The control.
  ///   - reference: The value at which the gain is 1.
  ///   - points: The values and measured gains, relative to the reference. A value may occur more
  ///     than once.
  ///   - tested: The values among them that only test the law, and are not used to fit it.
  ///   - passesZero: `true` if gains are stated to be proportional to values: a line that misses 0
  ///     by no more than a tone curve hides in the dark then goes through it.
  public init?(
    control: ControlDescription, reference: Int, points: [Point], testedBy tested: Set<Int> = [],
    passesZero: Bool = false
  ) {
    guard points.allSatisfy({ $0.gain > 0 && $0.gain.isFinite }) else { return nil }
    let evidence = PointEvidence(points: points, tested: tested)
    guard evidence.means.count >= 3,
      let found = (passesZero ? Self.asProportion(evidence, reference) : nil)
        ?? Self.asLine(evidence, reference) ?? Self.asExponential(evidence, reference)
        ?? Self.asCurve(evidence, reference)
    else { return nil }
    parts = Parts(
      control: control, reference: reference, form: found.form, fitError: found.error,
      evidence: points.map {
        Evidence(value: $0.value, gain: $0.gain / found.unit, isTest: tested.contains($0.value))
      }, curve: found.curve)
  }

  /// The points, and the mean of each value's points among those that the law is fitted to.
  private struct PointEvidence {
    let points: [Point]
    let tested: Set<Int>
    let means: [Point]
    /// The relative scatter of points of one value about their mean.
    let scatter: Double

    init(points: [Point], tested: Set<Int>) {
      (self.points, self.tested) = (points, tested)
      let made = points.filter { !tested.contains($0.value) }
      let means = made.averaged(by: \.value) { value, mean in
        Point(value: value, gain: mean(\.gain))
      }
      self.means = means
      scatter = rootMeanSquare(
        made.map { point in
          point.gain / (means.first { $0.value == point.value }?.gain ?? point.gain) - 1
        })
    }

    /// The error of a law at the tested points; `nil` if there are none.
    func error(_ gain: (_ value: Int) -> Double) -> Double? {
      let errors = points.filter { tested.contains($0.value) }
        .map { gain($0.value) / $0.gain - 1 }.filter(\.isFinite)
      return errors.isEmpty ? nil : rootMeanSquare(errors)
    }
  }

  /// The form of a law, its error, and the gain of the points at the reference.
  private struct Found {
    var form: Form
    var unit: Double
    var error: Double
    var curve: SmoothCurve?
  }

  /// The line through 0, if a line misses it by no more than a tone curve hides in the dark.
  private static func asProportion(_ evidence: PointEvidence, _ reference: Int) -> Found? {
    guard let (slope, unit, deviation) = line(evidence.means, reference: reference),
      deviation < straight, abs(unit - slope * Double(reference)) < hidden * unit,
      let (proportion, error) = proportion(evidence.points, brighterThan: 0.1 * unit),
      error < proportional
    else { return nil }
    return Found(
      form: .line(intercept: 0, slope: 1 / Double(reference)), unit: proportion * Double(reference),
      error: error)
  }

  private static func asLine(_ evidence: PointEvidence, _ reference: Int) -> Found? {
    guard let (slope, unit, deviation) = line(evidence.means, reference: reference),
      deviation < straight
    else { return nil }
    let line = Form.line(intercept: unit - slope * Double(reference), slope: slope)
    let relative = slope / unit
    return Found(
      form: .line(intercept: 1 - relative * Double(reference), slope: relative), unit: unit,
      error: max(
        deviation, evidence.scatter, evidence.error { gain(at: $0, line, reference) } ?? 0))
  }

  private static func asExponential(_ evidence: PointEvidence, _ reference: Int) -> Found? {
    guard let (rate, unit, deviation) = rate(evidence.means, reference: reference),
      deviation < straight
    else { return nil }
    let form = Form.exponential(rate: rate)
    return Found(
      form: form, unit: unit,
      error: max(
        deviation, evidence.scatter,
        evidence.error { unit * gain(at: $0, form, reference) } ?? 0))
  }

  private static func asCurve(_ evidence: PointEvidence, _ reference: Int) -> Found? {
    guard let table = monotone(evidence.means) else { return nil }
    let unit = SmoothCurve(table).value(at: Double(reference))
    guard unit > 0 else { return nil }
    let relative = table.map { Point(value: $0.value, gain: $0.gain / unit) }
    let deviation =
      evidence.error { gain(at: $0, .table(table), reference) }
      ?? rootMeanSquare(
        table.leaveOneOut { point, others in
          [SmoothCurve(others).value(at: Double(point.value)) / point.gain - 1]
        })
    return Found(
      form: .table(relative), unit: unit, error: max(evidence.scatter, deviation),
      curve: SmoothCurve(relative))
  }

  /// Fits a law to the gains that a model states: a line or an exponential if they lie on one, else
  /// a curve through them. `nil` for fewer than three values, or gains that neither rise nor fall.
  ///
  /// - Parameters:
  ///   - control: The control.
  ///   - reference: The value at which the gain is 1; one of the points' values.
  ///   - points: Rising values, and their gains.
  ///   - passesZero: `true` if gains are stated to be proportional to values.
  ///   - statedError: The relative error of the gains that the model states.
  init?(
    control: ControlDescription, reference: Int, points: [Point], passesZero: Bool = false,
    statedError: Double
  ) {
    guard
      let law = Self(
        control: control, reference: reference, points: points, passesZero: passesZero)
    else { return nil }
    self = law
    parts.fitError = statedError
    parts.evidence = []
  }

  /// Creates the curve through gains that were measured value by value; `nil` if they neither rise
  /// nor fall.
  ///
  /// - Parameters:
  ///   - measured: Rising values, and their gains. The reference is one of the values.
  ///   - error: The relative error of the gains.
  init?(control: ControlDescription, reference: Int, measured points: [Point], error: Double) {
    guard points.allSatisfy({ $0.gain > 0 && $0.gain.isFinite }), points.count > 2,
      let table = Self.monotone(points)
    else { return nil }
    parts = Parts(
      control: control, reference: reference, form: .table(table), fitError: error, evidence: [],
      curve: SmoothCurve(table))
  }

  /// Makes the points monotone by averaging neighbors that go backwards because of noise; `nil` if
  /// they do so by more than noise.
  private static func monotone(_ points: [Point]) -> [Point]? {
    guard let first = points.first?.gain, let last = points.last?.gain, first != last else {
      return nil
    }
    var isNoise = true
    let gains = points.map(\.gain).pooled { before, gain in
      isNoise = isNoise && abs(before / gain - 1) < backwards
    }
    guard isNoise else { return nil }
    return zip(points, gains).map { Point(value: $0.value, gain: $1) }
  }

  /// Fits a line through points, each weighted by its relative precision, and returns the gain at
  /// the reference.
  private static func line(
    _ points: [Point], reference: Int
  ) -> (slope: Double, unit: Double, deviation: Double)? {
    var (s, sx, sy, sxx, sxy) = (0.0, 0.0, 0.0, 0.0, 0.0)
    for point in points {
      let weight = 1 / (point.gain * point.gain)
      let x = Double(point.value - reference)
      s += weight
      sx += weight * x
      sy += weight * point.gain
      sxx += weight * x * x
      sxy += weight * x * point.gain
    }
    let slope = (s * sxy - sx * sy) / (s * sxx - sx * sx)
    let atReference = (sy - slope * sx) / s
    guard slope.isFinite, slope != 0, atReference > 0 else { return nil }
    let deviation = rootMeanSquare(
      points.map { (atReference + slope * Double($0.value - reference)) / $0.gain - 1 })
    return (slope, atReference, deviation)
  }

  /// Fits a line from 0 through points that are bright enough.
  private static func proportion(
    _ points: [Point], brighterThan least: Double
  ) -> (slope: Double, deviation: Double)? {
    let bright = points.filter { $0.gain > least && $0.value > 0 }
    guard bright.count >= 3 else { return nil }
    let slopes = bright.map { $0.gain / Double($0.value) }
    let slope: Double = slopes.reduce(0, +) / Double(slopes.count)
    return (slope, rootMeanSquare(slopes.map { slope / $0 - 1 }))
  }

  /// Fits an exponential through points, and returns the gain at the reference. Points much darker
  /// than the reference have less weight, since codes are coarse in the dark.
  private static func rate(
    _ points: [Point], reference: Int
  ) -> (rate: Double, unit: Double, deviation: Double)? {
    let weights = points.map { $0.gain * $0.gain / ($0.gain * $0.gain + 0.01) }
    let values = points.map { Double($0.value - reference) }
    let logarithms = points.map { logarithm($0.gain) }
    let total: Double = weights.reduce(0, +)
    let x: Double = zip(weights, values).map(*).reduce(0, +) / total
    let y: Double = zip(weights, logarithms).map(*).reduce(0, +) / total
    var (squares, products) = (0.0, 0.0)
    for (weight, (value, logarithm)) in zip(weights, zip(values, logarithms)) {
      squares += weight * (value - x) * (value - x)
      products += weight * (value - x) * (logarithm - y)
    }
    let rate = products / squares
    guard rate.isFinite, rate != 0 else { return nil }
    let errors = zip(values, logarithms).map { $1 - y - rate * ($0 - x) }
    let squaredErrors: Double = zip(weights, errors).map { $0 * $1 * $1 }.reduce(0, +)
    let deviation = (squaredErrors / total).squareRoot()
    return (rate, exponential(y - rate * x), deviation)
  }

  private enum CodingKeys: String, CodingKey {
    case control, reference, intercept, slope, rate, points, fitError, evidence
  }

  /// Decodes and checks a law.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let control = try values.decode(ControlDescription.self, forKey: .control)
    let reference = try values.decode(Int.self, forKey: .reference)
    let fitError = try values.decode(Double.self, forKey: .fitError)
    let evidence = try values.decodeIfPresent([Evidence].self, forKey: .evidence) ?? []
    let form: Form
    let isSound: Bool
    if let points = try values.decodeIfPresent([Point].self, forKey: .points) {
      form = .table(points)
      isSound = Self.isMonotone(points) && points.allSatisfy { control.range ~= $0.value }
    } else {
      let slope: Double
      if let rate = try values.decodeIfPresent(Double.self, forKey: .rate) {
        (form, slope) = (.exponential(rate: rate), rate)
      } else {
        slope = try values.decode(Double.self, forKey: .slope)
        form = .line(intercept: try values.decode(Double.self, forKey: .intercept), slope: slope)
      }
      let ends = [control.minimum, control.largest].map { Self.gain(at: $0, form, reference) }
      isSound =
        slope != 0 && slope.isFinite && ends.allSatisfy(\.isFinite) && ends.contains { $0 > 0 }
    }
    guard isSound, fitError >= 0, fitError.isFinite, control.range ~= reference,
      evidence.allSatisfy({ $0.gain > 0 && $0.gain.isFinite })
    else {
      throw DecodingError.dataCorruptedError(
        forKey: .fitError, in: values,
        debugDescription: "the gains of a control law must increase or decrease")
    }
    let curve: SmoothCurve? = if case .table(let points) = form { SmoothCurve(points) } else { nil }
    parts = Parts(
      control: control, reference: reference, form: form, fitError: fitError, evidence: evidence,
      curve: curve)
  }

  /// Indicates whether the gains of points rise or fall as their values rise.
  private static func isMonotone(_ points: [Point]) -> Bool {
    let gains = points.map(\.gain)
    guard points.count >= 3, gains.allSatisfy({ $0 > 0 && $0.isFinite }), let last = gains.last,
      gains[0] != last
    else { return false }
    return zip(points, points.dropFirst()).allSatisfy {
      $0.value < $1.value && (gains[0] < last ? $0.gain <= $1.gain : $0.gain >= $1.gain)
    }
  }

  /// Encodes a law.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(control, forKey: .control)
    try values.encode(reference, forKey: .reference)
    switch form {
    case .line(let intercept, let slope):
      try values.encode(intercept, forKey: .intercept)
      try values.encode(slope, forKey: .slope)
    case .exponential(let rate): try values.encode(rate, forKey: .rate)
    case .table(let points): try values.encode(points, forKey: .points)
    }
    try values.encode(fitError, forKey: .fitError)
    if !evidence.isEmpty { try values.encode(evidence, forKey: .evidence) }
  }

  /// The gain at a value, relative to the reference; NaN beyond the points of a table.
  public func gain(at value: Int) -> Double {
    parts.curve?.value(at: Double(value)) ?? Self.gain(at: value, form, reference)
  }

  private static func gain(at value: Int, _ form: Form, _ reference: Int) -> Double {
    switch form {
    case .exponential(let rate): exponential(rate * Double(value - reference))
    case .line(let intercept, let slope): intercept + slope * Double(value)
    case .table(let points): SmoothCurve(points).value(at: Double(value))
    }
  }

  /// The range of values for which the law is defined and the gain is positive.
  public var values: ClosedRange<Int> {
    switch form {
    case .line(let intercept, let slope):
      var (lowest, highest) = (control.minimum, control.largest)
      // The step nearest to the zero of the line, or the next one inside.
      let zero = control.nearestValue(to: -intercept / slope)
      if gain(at: lowest) <= 0 {
        lowest = gain(at: zero) > 0 ? zero : min(zero + control.step, highest)
      }
      if gain(at: highest) <= 0 {
        highest = gain(at: zero) > 0 ? zero : max(zero - control.step, lowest)
      }
      return lowest...highest
    case .exponential: return control.minimum...control.largest
    case .table(let points): return points[0].value...points[points.count - 1].value
    }
  }

  private var rises: Bool {
    let values = values
    return gain(at: values.lowerBound) < gain(at: values.upperBound)
  }

  /// The value whose gain is nearest; a gain out of range gives the end of the range.
  public func nearestValue(for gain: Double) -> Int {
    if case .line(let intercept, let slope) = form {
      let values = values
      return min(
        max(control.nearestValue(to: (gain - intercept) / slope), values.lowerBound),
        values.upperBound)
    }
    let sign = rises ? 1.0 : -1
    var (low, high) = (0, (values.upperBound - values.lowerBound) / control.step)
    func value(_ step: Int) -> Int { values.lowerBound + step * control.step }
    func excess(_ step: Int) -> Double { sign * (self.gain(at: value(step)) - gain) }
    while low < high {
      let middle = (low + high) / 2
      if excess(middle) < 0 { low = middle + 1 } else { high = middle }
    }
    if low > 0, -excess(low - 1) < excess(low) { low -= 1 }
    return value(low)
  }

  /// The range of gains of the control; the smallest is positive.
  public var gainRange: ClosedRange<Double> {
    let ends = [gain(at: values.lowerBound), gain(at: values.upperBound)]
    return min(ends[0], ends[1])...max(ends[0], ends[1])
  }

  /// Indicates whether a gain is within half a step of the range, so that its nearest value is a
  /// match and not merely an end.
  package func reaches(_ gain: Double) -> Bool {
    let range = gainRange
    let ends = values
    func slack(_ end: Int, _ next: Int) -> Double {
      abs(self.gain(at: end) - self.gain(at: next)) / 2
    }
    let atLowest = slack(ends.lowerBound, ends.lowerBound + control.step)
    let atHighest = slack(ends.upperBound, ends.upperBound - control.step)
    return gain > 0 && gain >= range.lowerBound - (rises ? atLowest : atHighest)
      && gain <= range.upperBound + (rises ? atHighest : atLowest)
  }
}

extension SmoothCurve {
  package init(_ points: [ControlLaw.Point]) {
    self.init(x: points.map { Double($0.value) }, y: points.map(\.gain))
  }
}
