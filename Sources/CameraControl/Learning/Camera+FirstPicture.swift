package import CameraProfiles
internal import ColorScience

extension Camera {
  /// Locks the exposure as `lockExposure()` does, and keeps the card's picture until the exposure
  /// is changed.
  ///
  /// - Returns: `true` if the exposure time can be set in units of time, and the picture; `nil` if
  ///   it is unknown which settings it shows.
  package func lockExposureKeepingPicture() async throws(CameraError) -> (
    isSet: Bool, picture: FirstPicture?
  ) {
    try await performing { camera async throws(CameraError) in
      var picture: FirstPicture?
      let isSet = try await camera.findExposure { count async throws(CameraError) in
        picture = try await camera.firstPicture(count)
      }
      return (isSet, picture)
    }
  }

  private func firstPicture(_ count: Int) async throws(CameraError) -> FirstPicture? {
    let exposure = try await learnableExposure()?.full
    var frames: [CodeMean] = []
    for _ in 0..<count { frames.append(try await nextCodes().1) }
    guard
      let balances = await turns.balances?.values.filter({
        ControlID.balanceSettings.contains($0.id)
      }), try await misreported(balances).isEmpty
    else { return nil }
    return FirstPicture(balances: balances, exposure: exposure, frames: frames)
  }
}

extension CardObserver {
  /// Returns the change of color since the first picture, at the same settings; 0 if there is none.
  /// The settings are made again only if the model does not predict the picture.
  mutating func change(
    since first: FirstPicture?, by fit: ModelFit
  ) async throws(CameraError) -> Double {
    guard let first else { return 0 }
    let look = LookDesign.Look(
      settings: first.balances.byControl, exposure: factor(of: first.exposure))
    let (delay, transfer) = (camera.delay, fit.transfer(claimed: .sRGB))
    var change = first.change(
      to: fit.codes(lamp: lamp, settings: look.settings, exposure: look.exposure),
      behind: transfer, delay: delay)
    // A change is measured twice before it is believed.
    for _ in 0..<2 where change > 0 {
      forgetSettings()
      guard let later = try await observe([look]).first else { return 0 }
      change = first.change(to: later, behind: transfer, delay: delay)
    }
    return change
  }
}
