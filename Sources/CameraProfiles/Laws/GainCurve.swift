internal import ColorScience
public import WhiteBalance

/// The gains of red and blue as functions of one control that moves both, as measured in pictures:
/// a temperature, or a menu of lights.
///
/// Such a camera reaches only the points of a line in the plane of colors.
public struct GainCurve: Hashable, Sendable, Codable {
  /// The control.
  public let control: ControlDescription
  /// The value at which both gains are 1.
  public let reference: Int
  /// The probed points, with rising values.
  public let points: [Point]
  /// The root mean square of the relative deviation of each probed gain from the curve through the
  /// others. It is 0 for up to three points and for a menu, whose choices are unrelated. A path
  /// that a model states has the error that the model states.
  public let fitError: Double

  /// A value and its measured gains, relative to those at the reference, with green 1.
  public struct Point: Hashable, Sendable, Codable {
    /// The value of the control.
    public var value: Int
    /// The gain of red.
    public var red: Double
    /// The gain of blue.
    public var blue: Double

    /// Creates a point from a value and its gains.
    public init(value: Int, red: Double, blue: Double) {
      self.value = value
      self.red = red
      self.blue = blue
    }
  }

  /// Creates the path through probed points; `nil` for fewer than two, or gains that are not
  /// positive and finite.
  public init?(control: ControlDescription, reference: Int, points: [Point]) {
    let means = points.averaged(by: \.value) { value, mean in
      Point(value: value, red: mean(\.red), blue: mean(\.blue))
    }
    guard Self.areSound(means) else { return nil }
    self.control = control
    self.reference = reference
    self.points = means
    fitError = control.items.isEmpty ? Self.fitError(of: means) : 0
  }

  /// Creates the path through gains that a model states at values.
  ///
  /// - Parameter statedError: The relative error of the gains that the model states.
  init?(control: ControlDescription, reference: Int, points: [Point], statedError: Double) {
    guard Self.areSound(points) else { return nil }
    self.control = control
    self.reference = reference
    self.points = points
    fitError = statedError
  }

  private static func areSound(_ points: [Point]) -> Bool {
    points.count >= 2
      && points.allSatisfy { Gains(red: $0.red, blue: $0.blue).arePositiveAndFinite }
      && zip(points, points.dropFirst()).allSatisfy { $0.value < $1.value }
  }

  private static func fitError(of points: [Point]) -> Double {
    guard points.count > 3 else { return 0 }
    return rootMeanSquare(
      points.leaveOneOut { point, others in
        let gains = gains(at: point.value, through: others)
        return [gains.red / point.red - 1, gains.blue / point.blue - 1]
      })
  }

  /// Decodes and checks a path.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    control = try values.decode(ControlDescription.self, forKey: .control)
    reference = try values.decode(Int.self, forKey: .reference)
    points = try values.decode([Point].self, forKey: .points)
    fitError = try values.decode(Double.self, forKey: .fitError)
    let range = control.range
    guard Self.areSound(points), fitError >= 0, fitError.isFinite, range ~= reference,
      points.allSatisfy({ range ~= $0.value })
    else {
      throw DecodingError.dataCorruptedError(
        forKey: .points, in: values, debugDescription: "the points of a control must be in order")
    }
  }

  /// The gains at a value, with green 1; NaN for a value neither probed nor between two that were.
  public func gains(at value: Int) -> Gains {
    if !control.items.isEmpty {
      let point = points.first { $0.value == value }
      return Gains(red: point?.red ?? .nan, blue: point?.blue ?? .nan)
    }
    return Self.gains(at: value, through: points)
  }

  private static func gains(at value: Int, through points: [Point]) -> Gains {
    // Logarithms of gains are smooth for every kind of temperature control, and interpolated gains
    // stay positive.
    let x = points.map { Double($0.value) }
    func channel(_ gain: (Point) -> Double) -> Double {
      exponential(SmoothCurve(x: x, y: points.map { logarithm(gain($0)) }).value(at: Double(value)))
    }
    return Gains(red: channel(\.red), blue: channel(\.blue))
  }

  /// The value whose gains are nearest to wanted ones, judged by the color that remains on a
  /// neutral surface after the channel mixing.
  ///
  /// Up to 1024 values are all tried. If there are more, evenly spaced ones are tried, then those
  /// around the best.
  ///
  /// Complexity: logarithmic in the number of values.
  public func nearestValue(for gains: Gains, behind mixing: ChannelMixing? = nil) -> Int {
    func nearest(_ values: some Sequence<Int>) -> Int {
      var best = (value: reference, distance: Double.infinity)
      for value in values {
        let distance = CardColor.distance(
          of: self.gains(at: value), from: gains, behind: mixing)
        if distance < best.distance { best = (value, distance) }
      }
      return best.value
    }
    if !control.items.isEmpty { return nearest(points.map(\.value)) }
    let first = points[0].value
    var steps = 0...(points[points.count - 1].value - first) / control.step
    while true {
      let stride = steps.count / 1024 + 1
      let best = nearest(
        Swift.stride(from: steps.lowerBound, through: steps.upperBound, by: stride)
          .lazy.map { first + $0 * control.step })
      if stride == 1 { return best }
      let step = (best - first) / control.step
      steps = max(step - stride, 0)...min(step + stride, steps.upperBound)
    }
  }
}
