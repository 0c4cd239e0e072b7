public import ColorScience

/// The saturation of a picture after its tone curve: a factor of the difference between codes and
/// their luma.
///
/// Cameras apply their saturation there: it multiplies the chroma of their output. On linear values
/// its effect is that of a matrix only near gray.
public struct Saturation: Hashable, Sendable, Codable {
  /// The codes' distance from gray after the saturation, relative to that before it; above 0.
  public let factor: Double
  /// The angle by which colors are rotated around gray, in radians, from red to blue in BT.601's
  /// plane of chroma; 0 for most cameras.
  public let turn: Double
  /// The tone curve.
  public let transfer: TransferFunction

  /// The weights of the channels in luma, by Rec. ITU-R BT.601-7.
  package static let luma = SIMD3(0.299, 0.587, 0.114)

  /// Creates a saturation after a tone curve, with a rotation; `nil` unless the factor is positive
  /// and finite and the rotation is less than π either way.
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
        forKey: .factor, in: values,
        debugDescription:
          "the saturation factor must be positive and finite, and the turn within ±π")
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

  /// Applies the saturation to a linear picture.
  package func applied(to picture: LinearRGB) -> LinearRGB {
    scaled(picture, by: factor, HueTurn(turn))
  }

  /// Removes the saturation from a linear picture.
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

  /// The effect on linear values near gray, where the tone curve is straight.
  var nearGray: Matrix3x3 {
    let turn = HueTurn(turn)
    func row(_ channel: Int) -> SIMD3<Double> {
      let (red, blue) = turn.row(channel)
      return Self.luma * (1 - factor * (red + blue)) + SIMD3(factor * red, 0, factor * blue)
    }
    return Matrix3x3(row(0), row(1), row(2))
  }
}
