public import WhiteBalance

/// What a balance control's numbers mean, as the picture showed it: gain = intercept + slope · value.
///
/// Gains are relative to the control's reference value, at which the gain is 1. Drivers give the
/// numbers no unit, so a law is always found by probing (`Camera.probeControls`), never assumed.
public struct ControlLaw: Hashable, Sendable, Codable {
  /// The control.
  public let control: ControlDescription
  /// The value at which the gain is 1.
  public let reference: Int
  /// The gain at value 0, by extension of the line.
  public let intercept: Double
  /// Gain for each unit of the value.
  public let slope: Double
  /// Root mean square of the relative deviation of the probed gains from the line.
  public let fitError: Double

  /// The line through probed gains, every one weighted by its relative precision; `nil` for fewer
  /// than three values or a gain that does not rise.
  ///
  /// - Parameter points: values and the gains seen, relative to the reference.
  public init?(
    control: ControlDescription, reference: Int, points: [(value: Int, gain: Double)]
  ) {
    guard points.count >= 3, points.allSatisfy({ $0.gain > 0 && $0.gain.isFinite }) else {
      return nil
    }
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
    self.control = control
    self.reference = reference
    self.slope = slope / atReference
    self.intercept = 1 - slope / atReference * Double(reference)
    let squares = points.reduce(0.0) { sum, point in
      let deviation = (atReference + slope * Double(point.value - reference)) / point.gain - 1
      return sum + deviation * deviation
    }
    fitError = (squares / Double(points.count)).squareRoot()
  }

  private enum CodingKeys: String, CodingKey {
    case control
    case reference
    case intercept
    case slope
    case fitError
  }

  /// Decodes and checks a law.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    control = try values.decode(ControlDescription.self, forKey: .control)
    reference = try values.decode(Int.self, forKey: .reference)
    intercept = try values.decode(Double.self, forKey: .intercept)
    slope = try values.decode(Double.self, forKey: .slope)
    fitError = try values.decode(Double.self, forKey: .fitError)
    guard slope > 0, slope.isFinite, gain(at: control.largest) > 0,
      gain(at: control.largest).isFinite, fitError >= 0, fitError.isFinite
    else {
      throw DecodingError.dataCorruptedError(
        forKey: .slope, in: values, debugDescription: "the gains of a control law do not rise")
    }
  }

  /// The gain at a value, relative to the reference.
  public func gain(at value: Int) -> Double { intercept + slope * Double(value) }

  /// The value whose gain is nearest; what lies outside the range goes to its end.
  public func nearestValue(for gain: Double) -> Int { control.snapped((gain - intercept) / slope) }

  /// The gains that the control reaches; the smallest is positive.
  public var gainRange: ClosedRange<Double> {
    var lowest = control.minimum
    if gain(at: lowest) <= 0 {
      // The first step above the value at which the line crosses zero.
      lowest = control.snapped(-intercept / slope)
      if gain(at: lowest) <= 0 { lowest = min(lowest + control.step, control.largest) }
    }
    return gain(at: lowest)...gain(at: control.largest)
  }

  /// Whether some value's gain is nearest to this one, and not merely an end of the range.
  fileprivate func reaches(_ gain: Double) -> Bool {
    let slack = slope * Double(control.step) / 2
    let range = gainRange
    return gain > 0 && gain >= range.lowerBound - slack && gain <= range.upperBound + slack
  }
}

/// The laws of the two controls that set a camera's white balance; green has none.
public struct WhiteBalanceControls: Hashable, Sendable, Codable {
  /// The law of red.
  public let red: ControlLaw
  /// The law of blue.
  public let blue: ControlLaw

  /// The laws of red and blue.
  ///
  /// - Precondition: they are the laws of red and blue balance.
  public init(red: ControlLaw, blue: ControlLaw) {
    precondition(
      red.control.id == .redBalance && blue.control.id == .blueBalance, "laws of other controls")
    self.red = red
    self.blue = blue
  }

  private enum CodingKeys: String, CodingKey {
    case red
    case blue
  }

  /// Decodes and checks both laws.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    red = try values.decode(ControlLaw.self, forKey: .red)
    blue = try values.decode(ControlLaw.self, forKey: .blue)
    guard red.control.id == .redBalance, blue.control.id == .blueBalance else {
      throw DecodingError.dataCorruptedError(
        forKey: .red, in: values, debugDescription: "the laws are those of other controls")
    }
  }

  /// The gains that the controls reach, with green 1.
  public var range: GainRange {
    GainRange(red: red.gainRange, green: 1...1, blue: blue.gainRange)
  }

  /// The control values nearest to gains; half a step beyond an end of the range still counts.
  ///
  /// - Throws: `GainRangeError` where green 1 would need red or blue out of range.
  public func values(for gains: Gains) throws(GainRangeError) -> [ControlValue] {
    let (red, blue) = gains.relativeToGreen
    if !self.red.reaches(red) || !self.blue.reaches(blue) {
      try Gains(red: red, blue: blue).validated(in: range)
    }
    return [
      ControlValue(.redBalance, self.red.nearestValue(for: red)),
      ControlValue(.blueBalance, self.blue.nearestValue(for: blue)),
    ]
  }

  /// The gains that control values mean, green 1; a value left out is the reference.
  public func gains(at values: [ControlValue]) -> Gains {
    func value(_ id: ControlID, _ law: ControlLaw) -> Double {
      law.gain(at: values.first { $0.id == id }?.value ?? law.reference)
    }
    return Gains(red: value(.redBalance, red), blue: value(.blueBalance, blue))
  }
}
