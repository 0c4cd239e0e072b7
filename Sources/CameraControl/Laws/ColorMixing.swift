public import ColorScience
public import WhiteBalance

/// What stands between a camera's gains and its picture and mixes the channels: color correction,
/// saturation and hue in one matrix.
public struct ColorMixing: Hashable, Sendable, Codable {
  /// From the channels behind the gains to those of the linear picture; each row adds up to 1, so
  /// that gray stays gray.
  public let matrix: Matrix3x3
  /// The standard error of what the laws say of a gain beyond 1, relative: at 0.1 a gain of 1.5 may
  /// be 1.45.
  public let scaleError: Double

  /// A matrix; `nil` unless it can be inverted and each row adds up to 1, to 1e-6.
  public init?(_ matrix: Matrix3x3, scaleError: Double) {
    guard matrix.inverse != nil, scaleError >= 0, scaleError.isFinite,
      matrix.rows.allSatisfy({ abs($0.sum() - 1) <= 1e-6 })
    else { return nil }
    self.matrix = matrix
    self.scaleError = scaleError
  }

  private enum CodingKeys: String, CodingKey { case matrix, scaleError }

  /// Decodes and checks a matrix.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    guard
      let mixing = Self(
        try values.decode(Matrix3x3.self, forKey: .matrix),
        scaleError: try values.decode(Double.self, forKey: .scaleError))
    else {
      throw DecodingError.dataCorruptedError(
        forKey: .matrix, in: values, debugDescription: "the rows of a mixing matrix add up to 1")
    }
    self = mixing
  }

  /// The variances of the light behind the gains where a linear picture's channels vary
  /// independently.
  func unmixedVariance(_ variance: LinearRGB) -> LinearRGB {
    guard let rows = matrix.inverse?.rows else { return variance }
    return LinearRGB(
      SIMD3(
        (rows[0] * rows[0] * variance.vector).sum(), (rows[1] * rows[1] * variance.vector).sum(),
        (rows[2] * rows[2] * variance.vector).sum()))
  }

  /// The matrix that does to a linear picture what gains would have done before the mixing.
  public func correction(by gains: Gains) -> Matrix3x3 {
    // It can be inverted, as the initializer has seen.
    matrix * Matrix3x3(diagonal: gains.vector) * (matrix.inverse ?? matrix)
  }

  /// The light behind the gains that a linear picture shows.
  package func unmixed(_ picture: LinearRGB) -> LinearRGB {
    matrix.inverse.map { LinearRGB($0 * picture.vector) } ?? picture
  }
}

extension LinearRGB {
  /// The mean of several; zero of none.
  static func mean(_ values: some Collection<LinearRGB>) -> LinearRGB {
    let sum = values.reduce(LinearRGB(.zero)) { LinearRGB($0.vector + $1.vector) }
    return LinearRGB(sum.vector / Double(Swift.max(values.count, 1)))
  }
}
