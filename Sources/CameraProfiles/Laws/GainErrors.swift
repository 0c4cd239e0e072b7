internal import ColorScience

/// The errors of gains at values of the controls, as a camera model states them: standard errors of
/// their natural logarithms, relative to the gains at the laws' reference.
public struct GainErrors: Hashable, Sendable, Codable {
  /// A value of a control, and the error of its gain.
  public struct Point: Hashable, Sendable, Codable {
    /// The value of the control.
    public var value: Int
    /// The standard error of the gain's natural logarithm.
    public var error: Double
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
      guard !points.isEmpty, points.allSatisfy({ $0.error >= 0 && $0.error.isFinite }),
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

  /// The error at a value: interpolated between two points, constant beyond the first and the last.
  static func error(at value: Int, of points: [Point]) -> Double {
    guard let next = points.firstIndex(where: { $0.value >= value }) else {
      return points.last?.error ?? 0
    }
    let high = points[next]
    guard next > 0, high.value > value else { return high.error }
    let low = points[next - 1]
    let share = Double(value - low.value) / Double(high.value - low.value)
    return low.error + share * (high.error - low.error)
  }
}
