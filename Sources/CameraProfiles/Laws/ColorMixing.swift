public import ColorScience
public import WhiteBalance

/// What stands between a camera's gains and its picture and mixes the channels: a color matrix in
/// linear light, and a saturation behind the tone curve.
public struct ColorMixing: Hashable, Sendable, Codable {
  /// From the channels behind the gains to those of the linear picture; each row adds up to 1, so
  /// that gray stays gray.
  public let matrix: Matrix3x3
  /// The standard error of what the laws say of a gain beyond 1, relative: at 0.1 a gain of 1.5 may
  /// be 1.45.
  public let scaleError: Double
  /// What makes colors stronger behind the tone curve, if anything does.
  public let saturation: Saturation?
  /// The inverse of the matrix.
  private let inverse: Matrix3x3
  /// What matrix and saturation do together to colors near gray.
  private let nearGray: Matrix3x3
  private let nearGrayInverse: Matrix3x3

  /// A matrix and a saturation; `nil` unless the matrix can be inverted and each of its rows adds
  /// up to 1, to 1e-6.
  public init?(_ matrix: Matrix3x3, scaleError: Double, saturation: Saturation? = nil) {
    let all = saturation.map { $0.nearGray * matrix } ?? matrix
    guard let inverse = matrix.inverse, let allInverse = all.inverse, scaleError >= 0,
      scaleError.isFinite, matrix.rows.allSatisfy({ abs($0.sum() - 1) <= 1e-6 })
    else { return nil }
    self.matrix = matrix
    self.scaleError = scaleError
    self.saturation = saturation
    self.inverse = inverse
    nearGray = all
    nearGrayInverse = allInverse
  }

  private enum CodingKeys: String, CodingKey { case matrix, scaleError, saturation }

  /// Decodes and checks a matrix.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    guard
      let mixing = Self(
        try values.decode(Matrix3x3.self, forKey: .matrix),
        scaleError: try values.decode(Double.self, forKey: .scaleError),
        saturation: try values.decodeIfPresent(Saturation.self, forKey: .saturation))
    else {
      throw DecodingError.dataCorruptedError(
        forKey: .matrix, in: values, debugDescription: "the rows of a mixing matrix add up to 1")
    }
    self = mixing
  }

  /// Encodes the mixing.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(matrix, forKey: .matrix)
    try values.encode(scaleError, forKey: .scaleError)
    try values.encodeIfPresent(saturation, forKey: .saturation)
  }

  /// The variances of the light behind the gains where a linear picture's channels vary
  /// independently.
  package func unmixedVariance(_ variance: LinearRGB) -> LinearRGB {
    let rows = nearGrayInverse.rows
    return LinearRGB(
      SIMD3(
        (rows[0] * rows[0] * variance.vector).sum(), (rows[1] * rows[1] * variance.vector).sum(),
        (rows[2] * rows[2] * variance.vector).sum()))
  }

  /// By how much undoing the mixing makes errors of a channel larger, at most.
  package var errorGain: Double {
    nearGrayInverse.rows.map { ($0 * $0).sum().squareRoot() }.max() ?? 1
  }

  /// The matrix that does to a linear picture what gains would have done before the mixing: of
  /// colors near gray, if there is a saturation.
  public func correction(by gains: Gains) -> Matrix3x3 {
    nearGray * Matrix3x3(diagonal: gains.vector) * nearGrayInverse
  }

  /// The gains that do to a linear picture's gray card what other gains would have done before the
  /// mixing; `nil` where the card has lost a color.
  package func gains(insteadOf gains: Gains) -> Gains? {
    Gains(neutralizing: mixed(LinearRGB(0.18 / gains.normalized().vector)))
  }

  /// The light behind the gains that a linear picture shows.
  package func unmixed(_ picture: LinearRGB) -> LinearRGB {
    LinearRGB(inverse * (saturation.map { $0.removed(from: picture) } ?? picture).vector)
  }

  /// The linear picture of light behind the gains.
  package func mixed(_ light: LinearRGB) -> LinearRGB {
    let picture = LinearRGB(matrix * light.vector)
    return saturation.map { $0.applied(to: picture) } ?? picture
  }
}

extension LinearRGB {
  /// The mean of several; zero of none.
  package static func mean(_ values: some Collection<LinearRGB>) -> LinearRGB {
    let sum = values.reduce(LinearRGB(.zero)) { LinearRGB($0.vector + $1.vector) }
    return LinearRGB(sum.vector / Double(Swift.max(values.count, 1)))
  }
}
