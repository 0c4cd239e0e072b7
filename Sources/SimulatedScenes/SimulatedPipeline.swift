public import ColorScience
internal import WhiteBalance

/// What stands between a simulated camera's gains and its picture.
///
/// In the order of a camera's processor: shading by the lens, gains, a color matrix, the picture's
/// transfer function, an S over that, a lifted black, saturation and hue, and 8-bit Y'CbCr.
public struct SimulatedPipeline: Hashable, Sendable {
  /// Its name.
  public var name: String
  /// The color matrix, whose rows each add up to 1.
  public var matrix = Matrix3x3(diagonal: SIMD3(1, 1, 1))
  /// How far codes are from gray beside how far they were; around the luma of BT.601.
  public var saturation = 1.0
  /// How much the S bends, 0 up to 1.
  public var contrast = 0.0
  /// The code of black, of 255; below 0 the darkest are cut off.
  public var black = 0.0
  /// The share of light that the lens loses in the corners, 0 up to 0.5.
  public var shading = 0.0
  /// By how many degrees colors are turned, from blue towards red.
  package var hue = 0.0
  /// Whether pixels have no noise, so that nothing blurs the steps of the codes.
  package var isDenoised = false
  /// Whether the picture passes through BT.601's 8-bit luma and chroma, 16…235 and 16…240.
  package var roundsToLumaAndChroma = false

  /// A pipeline that changes nothing.
  public init(name: String) { self.name = name }

  /// Gains and the transfer function alone.
  public static let ideal = SimulatedPipeline(name: "ideal")

  /// A webcam's: everything there is. The matrix is of the kind of those in libcamera's tuning
  /// files.
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

  /// A board's: a stronger matrix, and no taste.
  public static let board: SimulatedPipeline = {
    var pipeline = SimulatedPipeline(name: "board")
    pipeline.matrix = Matrix3x3(
      SIMD3(2.05, -0.92, -0.13), SIMD3(-0.38, 1.74, -0.36), SIMD3(-0.02, -0.72, 1.74))
    pipeline.shading = 0.2
    return pipeline
  }()

  /// All that have a name.
  public static let all = [ideal, webcam, board]

  /// The pipeline with a name; `nil` if there is none.
  public init?(named name: String) {
    guard let found = Self.all.first(where: { $0.name == name }) else { return nil }
    self = found
  }

  /// The matrix; `nil` where it changes nothing.
  var mixing: Matrix3x3? { matrix == Matrix3x3(diagonal: SIMD3(1, 1, 1)) ? nil : matrix }

  /// What becomes of what the transfer function stores.
  func stored(_ value: Double) -> Double {
    let bent = value - contrast * sine(2 * .pi * value) / (2 * .pi)
    return (black + (255 - black) * bent) / 255
  }
}
