/// The representation of red, green and blue by 8-bit luma and chroma.
public struct LumaChromaEncoding: Hashable, Sendable, Codable {
  /// The weights of red, green and blue in luma.
  public enum Matrix: String, CaseIterable, Hashable, Sendable, Codable {
    /// Rec. ITU-R BT.601-7 §2.5.1: 0.299, 0.587, 0.114.
    case bt601
    /// Rec. ITU-R BT.709-6 §3.2: 0.2126, 0.7152, 0.0722.
    case bt709
    /// Rec. ITU-R BT.2020-2, table 4, non-constant luminance: 0.2627, 0.6780, 0.0593.
    case bt2020

    /// The weights of red and blue; green has the rest.
    fileprivate var weights: (red: Double, blue: Double) {
      switch self {
      case .bt601: (0.299, 0.114)
      case .bt709: (0.2126, 0.0722)
      case .bt2020: (0.2627, 0.0593)
      }
    }
  }

  /// The weights of red, green and blue in luma.
  public var matrix: Matrix
  /// The codes between black and white.
  public var range: CodeRange

  /// BT.601, limited range: the encoding that V4L2 assumes of a webcam that does not state one.
  public static let `default` = LumaChromaEncoding(matrix: .bt601, range: .limited)

  /// Creates an encoding from its parts.
  public init(matrix: Matrix, range: CodeRange) {
    self.matrix = matrix
    self.range = range
  }

  /// The luma code of black.
  var offset: Int { range == .limited ? 16 : 0 }

  /// The weights of red, green and blue in luma, in Cb and in Cr, for full range.
  var weights: (luma: SIMD3<Double>, cb: SIMD3<Double>, cr: SIMD3<Double>) {
    let (red, blue) = matrix.weights
    let luma = SIMD3(red, 1 - red - blue, blue)
    return (
      luma, (SIMD3(0, 0, 1) - luma) / (2 * (1 - blue)), (SIMD3(1, 0, 0) - luma) / (2 * (1 - red))
    )
  }

  /// The increase of red, green and blue, whose codes are 0…255, for each code of luma above black,
  /// and for each code of Cb and of Cr above 128.
  var rows: (luma: Double, cb: SIMD3<Double>, cr: SIMD3<Double>) {
    let (red, blue) = matrix.weights
    let green = 1 - red - blue
    let chroma = range == .limited ? 255.0 / 224 : 1
    return (
      range == .limited ? 255.0 / 219 : 1,
      chroma * SIMD3(0, -2 * blue * (1 - blue) / green, 2 * (1 - blue)),
      chroma * SIMD3(2 * (1 - red), -2 * red * (1 - red) / green, 0)
    )
  }
}

/// The 8-bit codes between black and white.
public enum CodeRange: String, CaseIterable, Hashable, Sendable, Codable {
  /// 16…235, chroma 16…240.
  case limited
  /// 0…255, chroma around 128.
  case full
}
