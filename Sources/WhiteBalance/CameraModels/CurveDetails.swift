public import ColorScience

/// The largest distance from a curve of grays, in R/G and B/G, at which a color is still a gray
/// under a light of the curve's temperatures.
public struct CurveWidth: Hashable, Sendable {
  /// The width on the side on which red and blue are stronger: `transverse_pos` of a tuning file.
  public var towardsMagenta: Double
  /// The width on the other side: `transverse_neg` of a tuning file.
  public var towardsGreen: Double

  /// Creates a width; the defaults are libcamera's.
  public init(towardsMagenta: Double = 0.01, towardsGreen: Double = 0.01) {
    self.towardsMagenta = towardsMagenta
    self.towardsGreen = towardsGreen
  }
}

/// Properties of a camera besides its curve of grays.
public struct CurveDetails: Hashable, Sendable {
  /// A color matrix for lights of a temperature.
  public struct ColorMatrix: Hashable, Sendable, Codable {
    /// The temperature of the light, in kelvin.
    public var kelvin: Double
    /// The matrix from balanced camera RGB to linear sRGB; the rows of most add up to 1.
    public var matrix: Matrix3x3

    /// Creates a color matrix for a temperature.
    public init(kelvin: Double, matrix: Matrix3x3) {
      self.kelvin = kelvin
      self.matrix = matrix
    }
  }

  /// The width of the curve.
  public var width: CurveWidth
  /// The color matrices by rising temperature; empty if only grays are known.
  public var colorMatrices: [ColorMatrix]

  /// Creates details; by default with libcamera's width and no color matrices.
  public init(width: CurveWidth = CurveWidth(), colorMatrices: [ColorMatrix] = []) {
    self.width = width
    self.colorMatrices = colorMatrices
  }

  /// The color matrix for a light of a temperature, as libcamera computes it: linear between the
  /// matrices, and that of the nearest one beyond them. `nil` if there is none, and for NaN.
  ///
  /// Source: libcamera, `src/ipa/rpi/controller/rpi/ccm.cpp`.
  public func colorMatrix(kelvin: Double) -> Matrix3x3? {
    guard let first = colorMatrices.first, let last = colorMatrices.last, !kelvin.isNaN else {
      return nil
    }
    guard kelvin > first.kelvin else { return first.matrix }
    guard let above = colorMatrices.firstIndex(where: { $0.kelvin >= kelvin }) else {
      return last.matrix
    }
    let (low, high) = (colorMatrices[above - 1], colorMatrices[above])
    let share = (kelvin - low.kelvin) / (high.kelvin - low.kelvin)
    let rows = zip(low.matrix.rows, high.matrix.rows).map { (1 - share) * $0 + share * $1 }
    return Matrix3x3(rows[0], rows[1], rows[2])
  }
}

/// A reason why gains correspond to no light of a curve of grays.
public enum OffCurve: Error, Hashable, Sendable, CustomStringConvertible {
  /// The gains lie too far from the curve: the offset in R/G and B/G, positive towards magenta, the
  /// width allowed on that side, and the temperature of the nearest point.
  case tooFar(offset: Double, allowed: Double, kelvin: Double)
  /// The gains lie beyond the curve's ends.
  case beyondEnds(ClosedRange<Double>)

  /// One clause that states the reason.
  public var description: String {
    switch self {
    case .tooFar(let offset, let allowed, let kelvin):
      "they lie \(fixed(abs(offset), decimals: 3)) from the camera's curve of grays, towards "
        + "\(offset > 0 ? "magenta" : "green") near \(fixed(kelvin, decimals: 0)) K, where only "
        + "\(fixed(allowed, decimals: 3)) is allowed (in R/G and B/G)"
    case .beyondEnds(let range):
      "they lie beyond the ends of the camera's curve of grays, which extends from "
        + "\(fixed(range.lowerBound, decimals: 0)) to \(fixed(range.upperBound, decimals: 0)) K"
    }
  }
}

extension CurveWidth: Codable {
  private enum CodingKeys: CodingKey { case towardsMagenta, towardsGreen }

  /// Decodes and checks a width.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    func positive(_ key: CodingKeys) throws -> Double {
      let value = try values.decode(Double.self, forKey: key)
      guard value > 0, value.isFinite else {
        throw DecodingError.dataCorruptedError(
          forKey: key, in: values, debugDescription: "it is not positive and finite")
      }
      return value
    }
    self.init(
      towardsMagenta: try positive(.towardsMagenta), towardsGreen: try positive(.towardsGreen))
  }
}
