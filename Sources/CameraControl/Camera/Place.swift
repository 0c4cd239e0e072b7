internal import WhiteBalance

/// What the controls are set to, and what the picture shows of it.
struct Place {
  var values: [ControlValue]
  var seen: PictureWatch.Rest
  /// Whether an earlier operation saw it, since when the light may have changed.
  var isRemembered = false
  /// How far a gray card is from neutral there.
  var distance: Double { CardColor.distance(seen.ratios) }
}

extension Camera {
  /// Turns the automatic off and looks at what the controls are set to, in the fewest frames that
  /// can tell, none where this camera set them and watched them last; `nil` where the picture is
  /// not at rest from the first one on, or it takes more to know.
  ///
  /// Flicker that is slower than these frames goes unnoticed.
  ///
  /// - Parameter values: prepares the camera, and says what the controls are set to; `nil` where
  ///   that is of no use.
  func stillPlace(
    _ values: (Camera) async throws(CameraError) -> [ControlValue]?
  ) async throws(CameraError) -> Place? {
    guard let latency, pace ?? 1 == 1, !comesFromBelow else { return nil }
    if let (place, region) = await turns.watched, region == estimator.region {
      try await turnOffAutomatic()
      if let set = try await values(self), set == place.values { return place }
    }
    // The start of a stream may turn the automatic on.
    var means = [try await nextMean().1]
    try await turnOffAutomatic()
    guard let set = try await values(self) else { return nil }
    // They may read otherwise than they are.
    try await send(set)
    var watch = PictureWatch(
      before: means[0].ratios, delay: latency, flickers: false, isPaceKnown: false)
    for _ in 0..<latency + Self.agreeingFrames {
      let (info, mean) = try await nextMean()
      means.append(mean)
      guard case .atRest(let seen) = watch.add(info, mean) else { continue }
      let isThere = try await settings(of: set) == set && !PictureWatch.flickers(means)
      return isThere ? Place(values: set, seen: seen) : nil
    }
    return nil
  }
}
