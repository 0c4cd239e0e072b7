import ColorScience
import WhiteBalance

/// The result of `estimate` for a picture.
indirect enum PictureReading: Sendable {
  case card(GrayCardEstimate, second: SecondPatch?)
  case scene(SceneEstimate)

  /// Another gray patch of the picture, and its comparison with the first.
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
    if let estimator = method.scene {
      let rectangle = region.map { GrayCardEstimator(region: $0).rectangle(in: layout) }
      self = .scene(try estimator.estimate(bytes, layout: layout, region: rectangle))
      return
    }
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

extension PictureReading.SecondPatch {
  /// The reason that this patch gives to reject the first one; `nil` if there is none.
  var objection: String? {
    if !estimate.isAccepted { return "second region: \(estimate.refusals.sentenceWithAdvice)" }
    return sentence.isWell ? nil : sentence.text
  }

  /// A sentence about the comparison of the two patches, and whether they agree.
  var sentence: (text: String, isWell: Bool) {
    guard let check else {
      return (
        isLinear
          ? "the two patches cannot be compared"
          : "two patches show the black level only if the values are linear; use a raw photograph, "
            + "or --transfer linear", false
      )
    }
    func percent(_ spread: BlackLevelCheck.Spread) -> String {
      let (red, blue) = (spread.red * 100, spread.blue * 100)
      return "\(fixed(red, decimals: 1)) % red, \(fixed(blue, decimals: 1)) % blue"
    }
    let difference = percent(check.spread)
    switch check.verdict {
    case .agreement:
      // Patches of equal brightness do not determine the black level.
      let fit =
        check.standardError < 1000
        ? "; their estimate of it is \(fixed(check.fittedLevel, decimals: 0)) ± "
          + "\(fixed(check.standardError, decimals: 0))" : ""
      return (
        "the patches agree (\(difference)) with the black level \(shortNumber(blackLevel))\(fit)",
        true
      )
    case .blackLevel(let level, let error):
      return (
        "the patches differ (\(difference)); a black level of \(fixed(level, decimals: 1)) ± "
          + "\(fixed(error, decimals: 1)) instead of \(shortNumber(blackLevel)) reduces this to "
          + "\(percent(check.remainingSpread)).\nRun the command again with --black "
          + fixed(level, decimals: 1), false
      )
    case .disagreement:
      return (
        "the patches differ (\(difference)), and no plausible black level clearly explains it: "
          + "another lamp lights one of them, or a patch is not neutral.\nKeep other lamps away, "
          + "and choose gray patches that lie side by side", false
      )
    }
  }
}
