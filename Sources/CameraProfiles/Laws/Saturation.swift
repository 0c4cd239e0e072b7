public import ColorScience

/// What makes the colors of a picture stronger or weaker behind its tone curve: a factor of how far
/// codes are from their luma.
///
/// That is where cameras have their saturation: it multiplies the chroma of what they send. In
/// linear light it is no matrix, but for colors near gray.
public struct Saturation: Hashable, Sendable, Codable {
  /// How far codes are from gray beside how far they were; above 0.
  public let factor: Double
  /// The tone curve.
  public let transfer: TransferFunction

  /// The shares of the channels in luma, as Rec. ITU-R BT.601-7 has them.
  package static let luma = SIMD3(0.299, 0.587, 0.114)

  /// A factor behind a tone curve; `nil` unless it is positive and finite.
  public init?(factor: Double, transfer: TransferFunction) {
    guard factor > 0, factor.isFinite else { return nil }
    self.factor = factor
    self.transfer = transfer
  }

  private enum CodingKeys: String, CodingKey { case factor, transfer }

  /// Decodes and checks a saturation.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    guard
      let saturation = Self(
        factor: try values.decode(Double.self, forKey: .factor),
        transfer: try values.decode(TransferFunction.self, forKey: .transfer))
    else {
      throw DecodingError.dataCorruptedError(
        forKey: .factor, in: values, debugDescription: "a saturation is above 0")
    }
    self = saturation
  }

  /// A linear picture as it is behind the saturation.
  package func applied(to picture: LinearRGB) -> LinearRGB { scaled(picture, by: factor) }

  /// A linear picture as it was before the saturation.
  package func removed(from picture: LinearRGB) -> LinearRGB { scaled(picture, by: 1 / factor) }

  private func scaled(_ picture: LinearRGB, by factor: Double) -> LinearRGB {
    let codes = SIMD3(
      transfer.encoded(picture.red), transfer.encoded(picture.green),
      transfer.encoded(picture.blue))
    let luma = (codes * Self.luma).sum()
    let scaled = luma + factor * (codes - luma)
    return LinearRGB(
      SIMD3(transfer.linear(scaled.x), transfer.linear(scaled.y), transfer.linear(scaled.z)))
  }

  /// What it does to linear light near gray, where the tone curve is straight.
  var nearGray: Matrix3x3 {
    let rest = Self.luma * (1 - factor)
    return Matrix3x3(
      rest + SIMD3(factor, 0, 0), rest + SIMD3(0, factor, 0), rest + SIMD3(0, 0, factor))
  }
}
