internal import CameraProfiles
internal import WhiteBalance

/// The controls' settings, and the picture at them.
struct Place {
  var values: [ControlValue]
  var seen: PictureWatch.Rest
  /// The distance of a gray card from neutral at these settings.
  var distance: Double { CardColor.distance(seen.ratios) }
  var look: NeutralSearch.Look { (values, seen.ratios) }
}

extension Camera {
  /// Turns the automatic off and measures the picture at the current settings, in as few frames as
  /// possible: none if this camera set and observed them last. Returns `nil` if the picture is not
  /// settled from the first frame on, or more frames are needed.
  ///
  /// Flicker that is slower than these frames goes unnoticed.
  ///
  /// - Parameter values: A closure that prepares the camera and returns the current settings; `nil`
  ///   if they cannot be used.
  dynamic func stillPlace(
    _ values: (Camera) async throws(CameraError) -> [ControlValue]?
  ) async throws(CameraError) -> Place? {
    guard let latency, settlingRate ?? 1 == 1, !approachesFromBelow else { return nil }
    if let (place, region) = await turns.watched, region == estimator.region {
      try await turnOffAutomatic()
      // The observed setting may include more controls than these.
      if let set = try await values(self), set.allSatisfy({ place.values[$0.id] == $0.value }) {
        return Place(values: set, seen: place.seen)
      }
    }
    // The start of a stream may turn the automatic on.
    var means = [try await nextMean().1]
    try await turnOffAutomatic()
    guard let set = try await values(self) else { return nil }
    // Reported values may be wrong, unless they were set here while the automatic was off.
    let balances = await turns.balances?.values
    let areSet = automaticOffPolicy == .once && balances == set
    let wait = areSet ? 0 : latency
    if !areSet { try await send(set) }
    var watch = PictureWatch(
      before: means[0].ratios, delay: wait, flickers: false, isSettlingRateKnown: false)
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
