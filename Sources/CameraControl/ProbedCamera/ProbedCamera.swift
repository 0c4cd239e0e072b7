public import CameraProfiles
public import WhiteBalance

/// A camera whose controls' laws are known, so that it can be set to gains.
///
/// The laws are found by `Camera.probed(progress:)`, or come from a profile:
///
/// ```swift
/// import CameraProfiles
/// import ColorScience
/// import WhiteBalance
///
/// func restoreDaylight(_ camera: Camera, _ profile: CameraProfile) async throws {
///   guard let laws = profile.laws,
///     let gains = profile.model.gains(for: TemperatureAndTint(temperature: 5600, tint: 0))
///   else { return }
///   let camera = ProbedCamera(camera, laws: laws)
///   print(try await camera.lock(at: gains).remainder)
/// }
/// ```
///
/// Gains are relative to the controls' reference values, at which they are 1.
public struct ProbedCamera: Sendable {
  /// The camera, with the latency and the mixing that its laws know.
  public let camera: Camera
  /// What its controls do.
  public let laws: ControlLaws

  /// A camera with laws that were found before, for instance in an earlier run.
  public init(_ camera: Camera, laws: ControlLaws) {
    var camera = camera
    camera.latency = laws.latency ?? camera.latency
    // Who found what becomes of settings would have found that they come slowly, too.
    camera.pace = laws.pace ?? (laws.endurance == nil ? camera.pace : 1)
    camera.endurance = camera.endurance ?? laws.endurance
    camera.mixing = laws.mixing
    self.camera = camera
    self.laws = laws
  }

  /// The same laws of a camera that was opened again or that reads its card elsewhere.
  package func moved(to camera: Camera) -> ProbedCamera { ProbedCamera(camera, laws: laws) }

  /// The gains that the controls reach, each by itself; `nil` where one control moves red and blue
  /// together.
  public var range: GainRange? { laws.range }

  /// The gains that the controls are set to, the smallest 1; `nil` where the laws do not reach.
  ///
  /// With an automatic mode on these are the gains that it has chosen.
  public var gains: Gains? {
    get async throws(CameraError) {
      let gains = try await gainsInForce()
      return gains.arePositiveAndFinite ? gains.normalized() : nil
    }
  }

  /// The gains that would make the mean of the next frame neutral, the smallest 1, as
  /// AVFoundation's `grayWorldDeviceWhiteBalanceGains`; `nil` where no pixel can be used, or the
  /// laws do not reach.
  public var grayWorldGains: Gains? {
    get async throws(CameraError) {
      var readings = readings().makeAsyncIterator()
      return try await readings.next()?.grayWorldGains
    }
  }

  /// The white balance frame by frame: see `Camera.readings(perSecond:)`; with the device's gains.
  public func readings(perSecond: Double? = nil) -> WhiteBalanceReadings {
    WhiteBalanceReadings(camera: camera, laws: laws, perSecond: perSecond)
  }

  /// Sets the controls for gains, and does not look at the picture: for a slider that is being
  /// moved. Only `lock(at:)` tells whether the camera obeys.
  ///
  /// - Throws: `CameraError.gainsOutOfRange` before anything is set; what fails later leaves the
  ///   camera as it was before.
  @discardableResult
  public func set(_ gains: Gains) async throws(CameraError) -> WhiteBalanceSetting {
    let setting = try laws.reachableSetting(for: gains)
    try await requireAbsoluteGains()
    try await camera.restoringOnFailure(decidesBalance: true) { camera async throws(CameraError) in
      try await camera.turnOffAutomatic()
      try await camera.hold(laws)
      try await camera.send(setting.values)
    }
    return setting
  }

  /// Turns the automatic off, sets the controls to the laws' reference and waits for the picture.
  public func setToReference() async throws(CameraError) {
    try await camera.performing { camera async throws(CameraError) in
      try await camera.setToReference(of: laws)
    }
  }

  /// Stops the camera from choosing its exposure and finds one for the card, as
  /// `Camera.lockExposure()`; where the gains of another light hide the card at any exposure, from
  /// the laws' reference.
  ///
  /// - Returns: whether the exposure time can be set.
  @discardableResult
  public func lockExposure() async throws(CameraError) -> Bool {
    let isSet = try await camera.lockExposure()
    if isSet, try await !camera.estimate(frames: 2).isFairMean {
      try await camera.performing { camera async throws(CameraError) in
        try await camera.turnOffAutomatic()
        try await camera.hold(laws)
        _ = try await camera.observe(laws.reference)
      }
      try await camera.lockExposure()
    }
    return isSet
  }

  /// What the picture's color depends on, as it is set now: see `Camera.colorSettings(of:)`.
  public func colorSettings() async throws(CameraError) -> [ControlValue] {
    try await camera.colorSettings(of: (laws.reference + laws.held).map(\.id))
  }

  /// The gains of what the controls are set to now; not numbers where the laws do not reach.
  func gainsInForce() async throws(CameraError) -> Gains {
    laws.gains(at: try await valuesInForce())
  }

  /// What the controls are set to now.
  func valuesInForce() async throws(CameraError) -> [ControlValue] {
    try await camera.settings(of: laws.reference)
  }
}

extension Camera {
  func setToReference(of laws: ControlLaws) async throws(CameraError) {
    try await turnOffAutomatic()
    try await hold(laws)
    if try await observe(laws.reference) == nil { throw try await unseen() }
  }

  /// Sets what the laws depend on to where they hold.
  func hold(_ laws: ControlLaws) async throws(CameraError) {
    for held in laws.held where try await value(of: held.id) != held.value {
      try await setAndReadBack([held])
    }
  }
}

extension ControlLaws {
  /// The values for gains, in the camera's own kind of error.
  func reachableSetting(for gains: Gains) throws(CameraError) -> WhiteBalanceSetting {
    do { return try setting(for: gains) } catch { throw .gainsOutOfRange(error) }
  }
}
