import ColorScience
import WhiteBalance

/// What `estimate` found in a picture.
enum PictureReading: Sendable {
  case card(GrayCardEstimate, second: SecondPatch?)
  case scene(SceneEstimate)
  case dark(DarkFrame)

  /// Another gray patch of the picture, and whether the two agree.
  struct SecondPatch: Sendable {
    var estimate: GrayCardEstimate
    /// `nil` if one of the two is no fair mean, or the picture is not linear.
    var check: BlackLevelCheck?
    var blackLevel: Double
    var isLinear: Bool
  }

  init(
    _ bytes: Span<UInt8>, layout: FrameLayout, method: EstimateMethod,
    region: GrayCardEstimator.Region?, secondRegion: GrayCardEstimator.Region?
  ) throws(FrameError) {
    let rectangle = region.map { GrayCardEstimator(region: $0).rectangle(in: layout) }
    switch method.subject {
    case .scene(let estimator):
      self = .scene(try estimator.estimate(bytes, layout: layout, region: rectangle))
    case .darkness: self = .dark(try DarkFrame(bytes, layout: layout, region: rectangle))
    case .grayCard:
      func estimate(_ region: GrayCardEstimator.Region) throws(FrameError) -> GrayCardEstimate {
        try GrayCardEstimator(region: region).estimate(bytes, layout: layout)
      }
      let first = try estimate(region ?? CardOptions.defaultRegion)
      guard let secondRegion else {
        self = .card(first, second: nil)
        return
      }
      let second = try estimate(secondRegion)
      self = .card(
        first,
        second: SecondPatch(
          estimate: second, check: BlackLevelCheck(patches: [first, second], layout: layout),
          blackLevel: layout.blackLevel, isLinear: layout.transfer == .linear))
    }
  }
}
