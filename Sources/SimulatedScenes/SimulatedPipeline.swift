public import ColorScience
internal import WhiteBalance

/// The processing between a simulated camera's gains and its picture.
///
/// The steps are in the order of a camera's processor: shading by the lens, gains, a color matrix,
/// the picture's transfer function, an S-shaped contrast curve, a raised black level, saturation
/// and hue, and 8-bit Y'CbCr.
public struct SimulatedPipeline: Hashable, Sendable {
  /// The pipeline's name.
  public var name: String
  /// The color matrix; each of its rows adds up to 1.
  public var matrix = Matrix3x3(diagonal: SIMD3(1, 1, 1))
  /// The factor of the distance of codes from gray, which is the luma of BT.601.
  public var saturation = 1.0
  /// The strength of the S-shaped contrast curve, from 0 to 1.
  public var contrast = 0.0
  /// The code of black, of 255; below 0 the darkest values are clipped.
  public var black = 0.0
  /// The fraction of light that the lens loses in the corners, from 0 to 0.5.
  public var shading = 0.0
  /// The rotation of colors in degrees, from blue towards red.
  package var hue = 0.0
  /// `true` if pixels have no noise, so that the steps of the codes are not smoothed.
  package var isDenoised = false
  /// `true` if the picture is converted to BT.601's 8-bit luma and chroma, 16…235 and 16…240, and
  /// back.
  package var roundsToLumaAndChroma = false

  /// Creates a pipeline that changes nothing.
  public init(name: String) { self.name = name }

  /// A pipeline of gains and the transfer function only.
  public static let ideal = SimulatedPipeline(name: "ideal")

  /// A webcam's pipeline, with a matrix, saturation, contrast, a raised black level and shading.
  /// The matrix is similar to those in libcamera's tuning files.
  public static let webcam: SimulatedPipeline = {
    var pipeline = SimulatedPipeline(name: "webcam")
    pipeline.matrix = Matrix3x3(
      SIMD3(1.72, -0.58, -0.14), SIMD3(-0.31, 1.61, -0.30), SIMD3(-0.05, -0.55, 1.60))
    pipeline.saturation = 1.2
    pipeline.contrast = 0.35
    pipeline.black = 6
    pipeline.shading = 0.1
    return pipeline
  }()

  /// A board camera's pipeline: a stronger matrix and shading, without adjustments of contrast and
  /// saturation.
  public static let board: SimulatedPipeline = {
    var pipeline = SimulatedPipeline(name: "board")
    pipeline.matrix = Matrix3x3(
      SIMD3(2.05, -0.92, -0.13), SIMD3(-0.38, 1.74, -0.36), SIMD3(-0.02, -0.72, 1.74))
    pipeline.shading = 0.2
    return pipeline
  }()

  /// All pipelines that have a name.
  public static let all = [ideal, webcam, board]

  /// The pipeline with a name; `nil` if there is none.
  public init?(named name: String) {
    guard let found = Self.all.first(where: { $0.name == name }) else { return nil }
    self = found
  }

  /// The color matrix; `nil` if it changes nothing.
  var mixing: Matrix3x3? { matrix == Matrix3x3(diagonal: SIMD3(1, 1, 1)) ? nil : matrix }

  /// Applies contrast and black level to a value that the transfer function has encoded.
  func stored(_ value: Double) -> Double {
    let bent = value - contrast * sine(2 * .pi * value) / (2 * .pi)
    return (black + (255 - black) * bent) / 255
  }
}
