/// What a balance control's numbers mean, as the picture showed it.
///
/// Gains are relative to the control's reference value, at which the gain is 1. Drivers give the
/// numbers no unit, so a law is always found by probing (`Camera.probed`), never assumed.
public struct ControlLaw: Hashable, Sendable, Codable {
  /// The control.
  public let control: ControlDescription
  /// The value at which the gain is 1.
  public let reference: Int
  /// How the gain depends on the value.
  public let form: Form
  /// Root mean square of the relative deviation of the probed gains from the law; of a table, from
  /// what it says of each point when that is left out.
  public let fitError: Double

  /// How a gain depends on a value.
  public enum Form: Hashable, Sendable {
    /// gain = intercept + slope · value, over the whole range of the control.
    case line(intercept: Double, slope: Double)
    /// A smooth rising curve through probed points, and nothing beyond them.
    case table([Point])
  }

  /// A value, and the gain that was seen.
  public struct Point: Hashable, Sendable, Codable {
    /// What the control was set to.
    public var value: Int
    /// The gain.
    public var gain: Double

    /// A value and its gain.
    public init(value: Int, gain: Double) {
      self.value = value
      self.gain = gain
    }
  }

  /// The relative deviation from a line that the noise of a probe explains.
  static let straight = 0.004

  /// The law of probed gains: a line if they lie on one, else a curve through them; `nil` for fewer
  /// than three values, gains that do not rise, or a curve beyond whose ends the reference is.
  ///
  /// - Parameters:
  ///   - control: the control.
  ///   - reference: the value at which the gain is 1.
  ///   - points: values and the gains seen, relative to the reference; a value may come several
  ///     times.
  public init?(control: ControlDescription, reference: Int, points: [Point]) {
    guard points.allSatisfy({ $0.gain > 0 && $0.gain.isFinite }) else { return nil }
    let means = points.averaged(by: \.value) { value, mean in
      Point(value: value, gain: mean(\.gain))
    }
    guard means.count >= 3 else { return nil }
    let scatter = rootMeanSquare(
      points.map { point in
        point.gain / (means.first { $0.value == point.value }?.gain ?? point.gain) - 1
      })
    self.control = control
    self.reference = reference
    if let (line, error) = Self.line(means, reference: reference), error < Self.straight {
      form = line
      fitError = max(error, scatter)
      return
    }
    let unit = SmoothCurve(means).value(at: Double(reference))
    guard unit > 0, zip(means, means.dropFirst()).allSatisfy({ $0.gain < $1.gain }) else {
      return nil
    }
    form = .table(means.map { Point(value: $0.value, gain: $0.gain / unit) })
    fitError = max(
      scatter,
      rootMeanSquare(
        means.leaveOneOut { point, others in
          [SmoothCurve(others).value(at: Double(point.value)) / point.gain - 1]
        }))
  }

  /// The line through points, every one weighted by its relative precision.
  private static func line(_ points: [Point], reference: Int) -> (Form, error: Double)? {
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
    guard slope.isFinite, slope > 0, atReference > 0 else { return nil }
    let error = rootMeanSquare(
      points.map { (atReference + slope * Double($0.value - reference)) / $0.gain - 1 })
    let relative = slope / atReference
    return (.line(intercept: 1 - relative * Double(reference), slope: relative), error)
  }

  private enum CodingKeys: String, CodingKey {
    case control, reference, intercept, slope, points, fitError
  }

  /// Decodes and checks a law.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    control = try values.decode(ControlDescription.self, forKey: .control)
    reference = try values.decode(Int.self, forKey: .reference)
    fitError = try values.decode(Double.self, forKey: .fitError)
    let isSound: Bool
    if let points = try values.decodeIfPresent([Point].self, forKey: .points) {
      form = .table(points)
      let gains = points.map(\.gain)
      isSound =
        points.count >= 3 && gains[0] > 0 && gains.allSatisfy(\.isFinite)
        && zip(points, points.dropFirst()).allSatisfy { $0.value < $1.value && $0.gain < $1.gain }
        && points.allSatisfy { control.range ~= $0.value }
    } else {
      let slope = try values.decode(Double.self, forKey: .slope)
      form = .line(intercept: try values.decode(Double.self, forKey: .intercept), slope: slope)
      let most = gain(at: control.largest)
      isSound = slope > 0 && slope.isFinite && most > 0 && most.isFinite
    }
    guard isSound, fitError >= 0, fitError.isFinite, control.range ~= reference else {
      throw DecodingError.dataCorruptedError(
        forKey: .fitError, in: values, debugDescription: "the gains of a control law do not rise")
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
    case .table(let points): try values.encode(points, forKey: .points)
    }
    try values.encode(fitError, forKey: .fitError)
  }

  /// The gain at a value, relative to the reference; NaN beyond the points of a table.
  public func gain(at value: Int) -> Double {
    switch form {
    case .line(let intercept, let slope): intercept + slope * Double(value)
    case .table(let points): SmoothCurve(points).value(at: Double(value))
    }
  }

  /// The values that the law speaks of, at all of which the gain is positive.
  public var values: ClosedRange<Int> {
    switch form {
    case .line(let intercept, let slope):
      var lowest = control.minimum
      if gain(at: lowest) <= 0 {
        // The first step above the value at which the line crosses zero.
        lowest = control.snapped(-intercept / slope)
        if gain(at: lowest) <= 0 { lowest = min(lowest + control.step, control.largest) }
      }
      return lowest...control.largest
    case .table(let points): return points[0].value...points[points.count - 1].value
    }
  }

  /// The value whose gain is nearest; what lies outside the range goes to its end.
  public func nearestValue(for gain: Double) -> Int {
    if case .line(let intercept, let slope) = form {
      return control.snapped((gain - intercept) / slope)
    }
    var (low, high) = (0, (values.upperBound - values.lowerBound) / control.step)
    func value(_ step: Int) -> Int { values.lowerBound + step * control.step }
    while low < high {
      let middle = (low + high) / 2
      if self.gain(at: value(middle)) < gain { low = middle + 1 } else { high = middle }
    }
    if low > 0, gain - self.gain(at: value(low - 1)) < self.gain(at: value(low)) - gain { low -= 1 }
    return value(low)
  }

  /// The gains that the control reaches; the smallest is positive.
  public var gainRange: ClosedRange<Double> {
    gain(at: values.lowerBound)...gain(at: values.upperBound)
  }

  /// Whether some value's gain is nearest to this one, and not merely an end of the range.
  func reaches(_ gain: Double) -> Bool {
    let range = gainRange
    let ends = values
    func slack(_ end: Int, _ next: Int) -> Double {
      abs(self.gain(at: end) - self.gain(at: next)) / 2
    }
    let step = control.step
    return gain > 0 && gain >= range.lowerBound - slack(ends.lowerBound, ends.lowerBound + step)
      && gain <= range.upperBound + slack(ends.upperBound, ends.upperBound - step)
  }
}

extension SmoothCurve {
  fileprivate init(_ points: [ControlLaw.Point]) {
    self.init(x: points.map { Double($0.value) }, y: points.map(\.gain))
  }
}
