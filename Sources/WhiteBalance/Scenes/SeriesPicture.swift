public import ColorScience

/// A picture of a series, as far as it shows its light. What is not known is `nil`.
public struct SeriesPicture: Hashable, Sendable {
  /// The light that the picture suggests.
  public var scene: SceneLight?
  /// The response to a neutral surface, of the picture of a card or of gains that hold for it.
  public var neutral: LinearRGB?
  /// The exposure in stops: the binary logarithm of the exposure time in seconds times ISO speed
  /// divided by 100 and by the square of the f-number.
  public var exposure: Double?
  /// The time in seconds, since any moment.
  public var time: Double?
  /// `true` if a flash lit the scene.
  public var usesFlash: Bool?

  /// Creates a picture of a series.
  public init(
    scene: SceneLight?, neutral: LinearRGB? = nil, exposure: Double? = nil, time: Double? = nil,
    usesFlash: Bool? = nil
  ) {
    (self.scene, self.neutral, self.exposure) = (scene, neutral, exposure)
    (self.time, self.usesFlash) = (time, usesFlash)
  }

  /// The brightness of the scene in stops; `nil` if it is not known, or a flash was part of it.
  var brightness: Double? {
    guard let scene, let exposure, usesFlash != true else { return nil }
    let stops = scene.level - exposure
    return stops.isFinite ? stops : nil
  }
}
