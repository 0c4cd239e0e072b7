import ColorScience
import WbcalFoundation
import WhiteBalance

/// The responses in the middle and the corners of pictures of an even surface.
struct PictureCorners {
  /// The middle and the corners, as shares of the picture's sides.
  private static let places = [
    SIMD2(0.5, 0.5), SIMD2(0, 0), SIMD2(1, 0), SIMD2(0, 1), SIMD2(1, 1),
  ]
  /// The side of a measured corner, as a share of the picture's side.
  private static let side = 1.0 / 16

  private var responses = places.map { _ in SIMD3<Double>.zero }

  /// The reasons why the middle or a corner of a picture cannot be trusted.
  private(set) var refusals: [GrayCardEstimate.Refusal] = []

  /// Adds the responses of a picture.
  mutating func add(_ frame: Frame) throws {
    for (index, place) in Self.places.enumerated() {
      let estimate = try Self.estimate(at: place, of: frame)
      responses[index] += estimate.response.vector
      if refusals.isEmpty { refusals = estimate.refusals }
    }
  }

  private static func estimate(
    at place: SIMD2<Double>, of frame: Frame
  ) throws -> GrayCardEstimate {
    let (width, height) = (frame.layout.width, frame.layout.height)
    let (across, down) = (Int(Double(width) * side), Int(Double(height) * side))
    let region = PixelRectangle(
      x: Int(Double(width - across) * place.x) & ~1, y: Int(Double(height - down) * place.y) & ~1,
      width: across, height: down)
    return try GrayCardEstimator(region: .rectangle(region)).estimate(frame)
  }

  /// The largest differences of the corners from the middle.
  struct Difference: JSONRecord {
    /// The relative difference of the channel that differs most.
    var share = 0.0
    /// The distance from neutral of a surface that is neutral in the middle.
    var ciede2000 = 0.0

    var text: String {
      "\(fixed(100 * share, decimals: 2)) % in the worst channel, CIEDE2000 "
        + "\(fixed(ciede2000, decimals: 2))"
    }
  }

  /// Returns the difference of the corners from the middle.
  ///
  /// - Parameter gains: the gains that are applied first, which undo the shading of the lens.
  func difference(with gains: GainMesh? = nil) -> Difference {
    let corrected = zip(responses, Self.places).map { response, place in
      let middle = place + (SIMD2(0.5, 0.5) - place) * Self.side
      return gains.map { response * $0.gains(x: middle.x, y: middle.y).vector } ?? response
    }
    var difference = Difference()
    for corner in corrected.dropFirst() {
      let ratio = corner / corrected[0]
      difference.share = max(difference.share, (ratio - 1).max(), (1 - ratio).max())
      difference.ciede2000 = max(
        difference.ciede2000, Neutrality(of: LinearRGB(0.18 * ratio))?.ciede2000 ?? 0)
    }
    return difference
  }
}
