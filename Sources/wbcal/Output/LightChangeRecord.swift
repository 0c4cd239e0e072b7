import WhiteBalance

/// A change of the light on a scene, as JSON.
struct LightChangeRecord: JSONRecord {
  /// The difference from neutral of a gray surface that was neutral before.
  var ciede2000: Double
  var standardError: Double?
  /// The share of the visible parts of the scene that show it.
  var agreement: Double

  init(_ change: SceneLightChange) {
    (ciede2000, agreement) = (change.ciede2000, change.agreement)
    standardError = finite(change.ciede2000Error)
  }
}
