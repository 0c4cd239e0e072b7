internal import ColorScience
internal import WhiteBalance

/// The errors of gains at values of the controls, as a camera model states them: standard errors of
/// their natural logarithms, relative to the gains at the laws' reference.
public struct GainErrors: Hashable, Sendable, Codable {
  /// A value of a control, and the error of its gain.
  public struct Point: Hashable, Sendable, Codable {
    /// The value of the control.
    public var value: Int
    /// The standard error of the gain's natural logarithm.
    public var error: Double
    /// The part of the error that other values do not share, if the gain jumps somewhere between
    /// the two measured values next to this one; `nil` if it does not.
    public var ownError: Double?
  }

  /// The errors of red at values of its control, or of the control that moves all channels; values
  /// rise.
  public let red: [Point]
  /// The errors of green at values of its control; `nil` if it has none.
  public let green: [Point]?
  /// The errors of blue at values of its control, or of the control that moves all channels.
  public let blue: [Point]

  /// Creates errors at rising values.
  init(red: [Point], green: [Point]?, blue: [Point]) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  /// Decodes and checks errors.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    func points(_ key: CodingKeys) throws -> [Point] {
      let points = try values.decode([Point].self, forKey: key)
      guard !points.isEmpty,
        points.allSatisfy({
          $0.error >= $0.ownError ?? 0 && $0.error.isFinite && $0.ownError ?? 0 >= 0
        }),
        zip(points, points.dropFirst()).allSatisfy({ $0.value < $1.value })
      else {
        throw DecodingError.dataCorruptedError(
          forKey: key, in: values,
          debugDescription:
            "the values of gain errors must increase, and errors must not be negative")
      }
      return points
    }
    red = try points(.red)
    green = values.contains(.green) ? try points(.green) : nil
    blue = try points(.blue)
  }

  /// The errors of a channel at values of its control.
  func points(of channel: ColorChannel) -> [Point]? {
    switch channel {
    case .red: red
    case .green: green
    case .blue: blue
    }
  }

  /// The error at a value: interpolated between two points, constant beyond the first and the last.
  static func error(at value: Int, of points: [Point]) -> Point {
    var result = Point(value: value, error: points.last?.error ?? 0)
    guard let next = points.firstIndex(where: { $0.value >= value }) else { return result }
    let high = points[next]
    result.error = high.error
    result.ownError = high.ownError
    guard next > 0, high.value > value else { return result }
    let low = points[next - 1]
    let share = Double(value - low.value) / Double(high.value - low.value)
    result.error = low.error + share * (high.error - low.error)
    if let own = low.ownError, let other = high.ownError {
      result.ownError = own + share * (other - own)
    }
    return result
  }
}

extension GainErrors {
  /// The values between two points, and how far gains in between may be from a line.
  struct Gap {
    var values: ClosedRange<Int>
    var error: Double
  }
}

extension [GainErrors.Point] {
  /// A copy with points next to the ends of gaps. All points inside have an error of their own.
  func widened(in gaps: [GainErrors.Gap], step: Int) -> Self {
    var result = self
    for gap in gaps {
      let inside = (gap.values.lowerBound + step)...(gap.values.upperBound - step)
      let ends = Set([inside.lowerBound, inside.upperBound])
        .filter { end in !result.contains { $0.value == end } }
      result += ends.map { GainErrors.error(at: $0, of: self) }
      for index in result.indices where inside ~= result[index].value {
        let known = result[index].error
        result[index].error = (known * known + gap.error * gap.error).squareRoot()
        result[index].ownError = gap.error
      }
    }
    return result.sorted { $0.value < $1.value }
  }
}
