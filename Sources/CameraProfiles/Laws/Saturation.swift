public import ColorScience

/// What makes the colors of a picture stronger or weaker behind its tone curve: a factor of how far
/// codes are from their luma.
///
/// That is where cameras have their saturation: it multiplies the chroma of what they send. In
/// linear light it is no matrix, but for colors near gray.
public struct Saturation: Hashable, Sendable, Codable {
  /// How far codes are from gray beside how far they were; above 0.
  public let factor: Double
  /// The angle by which colors are turned around gray, in radians, from red to blue of a chroma
  /// plane of BT.601; 0 of most cameras.
  public let turn: Double
  /// The tone curve.
  public let transfer: TransferFunction

  /// The shares of the channels in luma, as Rec. ITU-R BT.601-7 has them.
  package static let luma = SIMD3(0.299, 0.587, 0.114)

  /// A factor behind a tone curve, and a turn; `nil` unless it is positive and both are finite.
  public init?(factor: Double, turn: Double = 0, transfer: TransferFunction) {
    guard factor > 0, factor.isFinite, abs(turn) < .pi else { return nil }
    self.factor = factor
    self.turn = turn
    self.transfer = transfer
  }

  private enum CodingKeys: String, CodingKey { case factor, turn, transfer }

  /// Decodes and checks a saturation.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    guard
      let saturation = Self(
        factor: try values.decode(Double.self, forKey: .factor),
        turn: try values.decodeIfPresent(Double.self, forKey: .turn) ?? 0,
        transfer: try values.decode(TransferFunction.self, forKey: .transfer))
    else {
      throw DecodingError.dataCorruptedError(
        forKey: .factor, in: values, debugDescription: "a saturation is above 0")
    }
    self = saturation
  }

  /// Encodes the saturation.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(factor, forKey: .factor)
    if turn != 0 { try values.encode(turn, forKey: .turn) }
    try values.encode(transfer, forKey: .transfer)
  }

  /// A linear picture as it is behind the saturation.
  package func applied(to picture: LinearRGB) -> LinearRGB {
    scaled(picture, by: factor, HueTurn(turn))
  }

  /// A linear picture as it was before the saturation.
  package func removed(from picture: LinearRGB) -> LinearRGB {
    scaled(picture, by: 1 / factor, HueTurn(-turn))
  }

  private func scaled(_ picture: LinearRGB, by factor: Double, _ turn: HueTurn) -> LinearRGB {
    let codes = SIMD3(
      transfer.encoded(picture.red), transfer.encoded(picture.green),
      transfer.encoded(picture.blue))
    let luma = (codes * Self.luma).sum()
    let (red, blue) = (codes.x - luma, codes.z - luma)
    let turned = SIMD3(
      turn.turned(red, blue, channel: 0), turn.turned(red, blue, channel: 1),
      turn.turned(red, blue, channel: 2))
    let scaled = luma + factor * turned
    return LinearRGB(
      SIMD3(transfer.linear(scaled.x), transfer.linear(scaled.y), transfer.linear(scaled.z)))
  }

  /// What it does to linear light near gray, where the tone curve is straight.
  var nearGray: Matrix3x3 {
    let turn = HueTurn(turn)
    func row(_ channel: Int) -> SIMD3<Double> {
      let (red, blue) = turn.row(channel)
      return Self.luma * (1 - factor * (red + blue)) + SIMD3(factor * red, 0, factor * blue)
    }
    return Matrix3x3(row(0), row(1), row(2))
  }
}
