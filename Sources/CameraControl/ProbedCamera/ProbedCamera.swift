public import CameraProfiles
public import WhiteBalance

/// A camera with known control laws, so that it can be set to gains.
///
/// The laws are measured by `Camera.probe(progress:)`, or come from a profile:
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
///   print(try await camera.lock(at: gains).residualGains)
/// }
/// ```
///
/// Gains are relative to the controls' reference values, at which they are 1.
public struct ProbedCamera: Sendable {
  /// The camera, with the latency and the channel mixing of its laws.
  public let camera: Camera
  /// The laws of the camera's controls.
  public let laws: ControlLaws

  /// Creates a camera with laws that were found before, for instance in an earlier run.
  public init(_ camera: Camera, laws: ControlLaws) {
    var camera = camera
    camera.latency = laws.latency ?? camera.latency
    // If persistence was determined, slow settling would have been noticed too.
    camera.settlingRate = laws.settlingRate ?? (laws.persistence == nil ? camera.settlingRate : 1)
    camera.persistence = camera.persistence ?? laws.persistence
    camera.mixing = laws.mixing
    self.camera = camera
    self.laws = laws
  }

  /// Returns the same laws for a camera that was opened again or whose card is elsewhere.
  package func moved(to camera: Camera) -> ProbedCamera { ProbedCamera(camera, laws: laws) }

  /// The range of gains of each control; `nil` if one control changes red and blue together.
  public var range: GainRange? { laws.range }

  /// The gains at the current settings, the smallest 1; `nil` outside the range of the laws.
  ///
  /// In an automatic mode these are the gains that the camera has chosen.
  public var gains: Gains? {
    get async throws(CameraError) {
      let gains = try await gainsInForce()
      return gains.arePositiveAndFinite ? gains.normalized(to: .smallest) : nil
    }
  }

  /// The gains that would make the mean of the next frame neutral, the smallest 1, like
  /// AVFoundation's `grayWorldDeviceWhiteBalanceGains`; `nil` if no pixel can be used, or outside
  /// the range of the laws.
  public var grayWorldGains: Gains? {
    get async throws(CameraError) {
      var readings = readings().makeAsyncIterator()
      return try await readings.next()?.grayWorldGains
    }
  }

  /// Returns readings of each frame's white balance (see `Camera.readings(perSecond:)`) with the
  /// device's gains.
  public func readings(perSecond: Double? = nil) -> WhiteBalanceReadings {
    WhiteBalanceReadings(camera: camera, laws: laws, perSecond: perSecond)
  }

  /// Sets the controls for gains without verifying the picture, for a slider that is being moved.
  /// Only `lock(at:)` verifies that the camera complies.
  ///
  /// - Throws: `CameraError.gainsOutOfRange` before anything is set; after a later failure the
  ///   previous settings are restored.
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

  /// Turns automatic white balance off, sets the controls to the laws' reference and waits for the
  /// picture to settle.
  public func setToReference() async throws(CameraError) {
    try await camera.performing { camera async throws(CameraError) in
      try await camera.setToReference(of: laws)
    }
  }

  /// Turns automatic exposure off and finds an exposure for the card, like `Camera.lockExposure()`.
  /// If the gains of another light hide the card at any exposure, the gains of the laws' reference
  /// are used.
  ///
  /// - Returns: `true` if the exposure time can be set.
  @discardableResult
  public func lockExposure() async throws(CameraError) -> Bool {
    let isSet = try await camera.lockExposure()
    if isSet, try await !camera.estimate(frames: 2).isUsableAsMean {
      try await camera.performing { camera async throws(CameraError) in
        try await camera.turnOffAutomatic()
        try await camera.hold(laws)
        _ = try await camera.observe(laws.reference)
      }
      try await camera.lockExposure()
    }
    return isSet
  }

  /// Returns the current settings that affect the picture's color: see `Camera.colorSettings(of:)`.
  public func colorSettings() async throws(CameraError) -> [ControlValue] {
    try await camera.colorSettings(of: (laws.reference + laws.fixedSettings).map(\.id))
  }

  /// Returns the gains at the current settings; NaN outside the range of the laws.
  func gainsInForce() async throws(CameraError) -> Gains {
    laws.gains(at: try await valuesInForce())
  }

  /// Returns the controls' current settings.
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

  /// Sets the controls on which the laws depend to the values for which they are valid.
  func hold(_ laws: ControlLaws) async throws(CameraError) {
    for held in laws.fixedSettings where try await value(of: held.id) != held.value {
      try await setAndReadBack([held])
    }
  }
}

extension ControlLaws {
  /// Returns the settings for gains; throws the error as a `CameraError`.
  func reachableSetting(for gains: Gains) throws(CameraError) -> WhiteBalanceSetting {
    do { return try setting(for: gains) } catch { throw .gainsOutOfRange(error) }
  }
}
