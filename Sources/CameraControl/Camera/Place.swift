internal import CameraProfiles
internal import WhiteBalance

/// What the controls are set to, and what the picture shows of it.
struct Place {
  var values: [ControlValue]
  var seen: PictureWatch.Rest
  /// How far a gray card is from neutral there.
  var distance: Double { CardColor.distance(seen.ratios) }
  var look: NeutralSearch.Look { (values, seen.ratios) }
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
  dynamic func stillPlace(
    _ values: (Camera) async throws(CameraError) -> [ControlValue]?
  ) async throws(CameraError) -> Place? {
    guard let latency, pace ?? 1 == 1, !comesFromBelow else { return nil }
    if let (place, region) = await turns.watched, region == estimator.region {
      try await turnOffAutomatic()
      // What one control was set to beside these was watched with them.
      if let set = try await values(self), set.allSatisfy({ place.values[$0.id] == $0.value }) {
        return Place(values: set, seen: place.seen)
      }
    }
    // The start of a stream may turn the automatic on.
    var means = [try await nextMean().1]
    try await turnOffAutomatic()
    guard let set = try await values(self) else { return nil }
    // They may read otherwise than they are, unless they were set here while the automatic was off.
    let balances = await turns.balances?.values
    let areSet = turnsOffOnce && balances == set
    let wait = areSet ? 0 : latency
    if !areSet { try await send(set) }
    var watch = PictureWatch(
      before: means[0].ratios, delay: wait, flickers: false, isPaceKnown: false)
    for _ in 0..<wait + Self.agreeingFrames {
      let (info, mean) = try await nextMean()
      means.append(mean)
      guard case .atRest(let seen) = watch.add(info, mean) else { continue }
      let isThere = try await settings(of: set) == set && !PictureWatch.flickers(means)
      return isThere ? Place(values: set, seen: seen) : nil
    }
    return nil
  }
}
