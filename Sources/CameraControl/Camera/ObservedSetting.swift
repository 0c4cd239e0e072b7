internal import CameraProfiles
internal import WhiteBalance

typealias SettledPicture = PictureWatch.SettledPicture

/// A setting of the white-balance controls, and the settled picture at it.
struct ObservedSetting {
  var values: [ControlValue]
  var picture: SettledPicture
  /// The distance of a gray card from neutral at this setting.
  var distance: Double { CardColor.distance(picture.ratios) }
  var look: NeutralSearch.Look { (values, picture.ratios) }
}

extension Camera {
  /// Sets controls and observes them; returns `nil` if the picture is clipped or black.
  func observedSetting(_ values: [ControlValue]) async throws(CameraError) -> ObservedSetting? {
    try await observe(values).map { ObservedSetting(values: values, picture: $0) }
  }

  /// Turns the automatic off and measures the picture at the current settings, in as few frames as
  /// possible: none if this camera set and observed them last. Returns `nil` if the picture is not
  /// settled from the first frame on, or more frames are needed.
  ///
  /// Flicker that is slower than these frames goes unnoticed.
  ///
  /// - Parameter values: A closure that prepares the camera and returns the current settings; `nil`
  ///   if they cannot be used.
  dynamic func currentSettingIfSettled(
    _ values: (Camera) async throws(CameraError) -> [ControlValue]?
  ) async throws(CameraError) -> ObservedSetting? {
    guard let latency, settlingRate ?? 1 == 1, !approachesFromBelow else { return nil }
    if let (observed, region) = await turns.watched, region == estimator.region {
      try await turnOffAutomatic()
      // The observed setting may include more controls than these.
      if let set = try await values(self), set.allSatisfy({ observed.values[$0.id] == $0.value }) {
        return ObservedSetting(values: set, picture: observed.picture)
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
      guard case .settled(let seen) = watch.add(info, mean) else { continue }
      let isThere = try await settings(of: set) == set && !PictureWatch.flickers(means)
      return isThere ? ObservedSetting(values: set, picture: seen) : nil
    }
    return nil
  }
}
