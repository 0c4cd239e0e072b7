public import ColorScience

/// How far from a curve of grays one may lie, in R/G and B/G, and still be a gray under a light of
/// the curve's temperatures.
public struct CurveWidth: Hashable, Sendable {
  /// On the side on which red and blue are stronger: `transverse_pos` of a tuning file.
  public var towardsMagenta: Double
  /// On the other side: `transverse_neg` of a tuning file.
  public var towardsGreen: Double

  /// A width; the defaults are libcamera's.
  public init(towardsMagenta: Double = 0.01, towardsGreen: Double = 0.01) {
    self.towardsMagenta = towardsMagenta
    self.towardsGreen = towardsGreen
  }
}

/// What is known of a camera beside its curve of grays.
public struct CurveDetails: Hashable, Sendable {
  /// A color matrix for the light of a temperature.
  public struct ColorMatrix: Hashable, Sendable, Codable {
    /// The temperature of the light, in kelvin.
    public var kelvin: Double
    /// From balanced camera RGB to linear sRGB; the rows of most add up to 1.
    public var matrix: Matrix3x3

    /// A color matrix for a temperature.
    public init(kelvin: Double, matrix: Matrix3x3) {
      self.kelvin = kelvin
      self.matrix = matrix
    }
  }

  /// How wide the curve is.
  public var width: CurveWidth
  /// The colors of surfaces, by rising temperature; empty where grays alone are known.
  public var colorMatrices: [ColorMatrix]

  /// Details; by default libcamera's width, and no colors.
  public init(width: CurveWidth = CurveWidth(), colorMatrices: [ColorMatrix] = []) {
    self.width = width
    self.colorMatrices = colorMatrices
  }

  /// The color matrix for the light of a temperature: linear between the matrices, and that of the
  /// nearest one beyond them, as libcamera has it. `nil` where there is none, and for NaN.
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

/// Why gains belong to no light that a curve of grays knows.
public enum OffCurve: Error, Hashable, Sendable, CustomStringConvertible {
  /// They lie too far beside it: by how much in R/G and B/G, positive towards magenta, how much is
  /// allowed on that side, and the temperature of the nearest point.
  case beside(offset: Double, allowed: Double, kelvin: Double)
  /// They lie beyond the curve's ends.
  case beyondEnds(ClosedRange<Double>)

  /// One sentence that says why.
  public var description: String {
    switch self {
    case .beside(let offset, let allowed, let kelvin):
      "they lie \(fixed(abs(offset), decimals: 3)) from the camera's curve of grays, towards "
        + "\(offset > 0 ? "magenta" : "green") near \(fixed(kelvin, decimals: 0)) K, and the curve "
        + "is only \(fixed(allowed, decimals: 3)) wide there (in R/G and B/G)"
    case .beyondEnds(let range):
      "they lie beyond the ends of the camera's curve of grays, which goes from "
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
