public import ColorScience
public import WhiteBalance

/// The channel mixing between a camera's gains and its picture: a color matrix on linear values,
/// and a saturation after the tone curve.
public struct ChannelMixing: Hashable, Sendable, Codable {
  /// The matrix from the channels after the gains to those of the linear picture. Each row adds up
  /// to 1, so gray stays gray.
  public let matrix: Matrix3x3
  /// The relative standard error of a gain's difference from 1: at 0.1 a gain of 1.5 may be 1.45.
  public let scaleError: Double
  /// The saturation after the tone curve, if there is any.
  public let saturation: Saturation?
  /// The inverse of the matrix.
  private let inverse: Matrix3x3
  /// The combined effect of matrix and saturation on colors near gray.
  private let nearGray: Matrix3x3
  private let nearGrayInverse: Matrix3x3

  /// Creates a mixing from a matrix and a saturation; `nil` unless the matrix can be inverted and
  /// each of its rows adds up to 1, to 1e-6.
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

  /// Decodes and checks a mixing.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    guard
      let mixing = Self(
        try values.decode(Matrix3x3.self, forKey: .matrix),
        scaleError: try values.decode(Double.self, forKey: .scaleError),
        saturation: try values.decodeIfPresent(Saturation.self, forKey: .saturation))
    else {
      throw DecodingError.dataCorruptedError(
        forKey: .matrix, in: values,
        debugDescription: "each row of a mixing matrix must add up to 1")
    }
    self = mixing
  }

  /// The variances of the linear values after the gains, for a linear picture whose channels vary
  /// independently.
  package func unmixedVariance(_ variance: LinearRGB) -> LinearRGB {
    let rows = nearGrayInverse.rows
    return LinearRGB(
      SIMD3(
        (rows[0] * rows[0] * variance.vector).sum(), (rows[1] * rows[1] * variance.vector).sum(),
        (rows[2] * rows[2] * variance.vector).sum()))
  }

  /// The largest factor by which undoing the mixing increases the error of a channel.
  package var errorGain: Double {
    nearGrayInverse.rows.map { ($0 * $0).sum().squareRoot() }.max() ?? 1
  }

  /// The matrix that changes a linear picture as gains before the mixing would have changed it.
  /// With a saturation it is exact near gray only.
  public func correction(by gains: Gains) -> Matrix3x3 {
    nearGray * Matrix3x3(diagonal: gains.vector) * nearGrayInverse
  }

  /// The gains that change a gray card in a linear picture as other gains before the mixing would
  /// have changed it; `nil` if the card has no light in a channel.
  package func gains(insteadOf gains: Gains) -> Gains? {
    Gains(neutralizing: mixed(LinearRGB(0.18 / gains.normalized(to: .smallest).vector)))
  }

  /// The linear values after the gains, from those of a picture.
  package func unmixed(_ picture: LinearRGB) -> LinearRGB {
    LinearRGB(inverse * (saturation.map { $0.removed(from: picture) } ?? picture).vector)
  }

  /// The linear picture, from the linear values after the gains.
  package func mixed(_ light: LinearRGB) -> LinearRGB {
    let picture = LinearRGB(matrix * light.vector)
    return saturation.map { $0.applied(to: picture) } ?? picture
  }
}

extension LinearRGB {
  /// The mean of several values; zero if there are none.
  package static func mean(_ values: some Collection<LinearRGB>) -> LinearRGB {
    let sum = values.reduce(LinearRGB(.zero)) { LinearRGB($0.vector + $1.vector) }
    return LinearRGB(sum.vector / Double(Swift.max(values.count, 1)))
  }
}
