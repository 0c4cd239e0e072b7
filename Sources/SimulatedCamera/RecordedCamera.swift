public import CameraControl
public import CameraProfiles
internal import ColorScience
public import WhiteBalance

/// A test double of a recorded camera: its pictures of a gray card are those of a model fitted to
/// the recording.
///
/// ```swift
/// import CameraControl
/// import CameraProfiles
///
/// func owners(_ recording: CameraRecording) throws -> Camera {
///   Camera(try RecordedCamera(recording))
/// }
/// ```
///
/// It shows only the card, under one of the recording's lights, with the camera's latency. Controls
/// without evidence in the recording are read-only.
///
/// Error: gains, and the neutral settings of the card, are within the model's stated errors
/// (`RecordedCameraTests`). Cameras drawn at random may differ more: `make bench-recordings`
/// measures by how much.
public actor RecordedCamera: CameraPort {
  /// The identity of the recorded camera.
  public nonisolated let identity: CameraIdentity
  /// The controls of the recorded camera.
  public nonisolated let controls: [ControlDescription]
  /// The names of the recording's lights.
  public nonisolated let lights: [String]

  private let model: FittedRecording
  private let deviations: SIMD3<Double>
  private let latency: Int
  private let layout: FrameLayout
  private var values: [ControlID: Int]
  /// The settings that frames show, and the pending ones, each with the first frame that shows it.
  private var shown: [ControlID: Int]
  private var pipeline: [(from: Int, values: [ControlID: Int])] = []
  private var listeners = ChangeListeners()
  private var light = 0
  private var sequence = 0
  private var random = SplitMix64(state: 1)
  private var bytes: [UInt8] = []

  private static let (width, height) = (64, 48)
  private static let interval = Duration.nanoseconds(33_333_333)

  /// Creates a camera from a recording.
  ///
  /// - Throws: `notACamera` with the reason if the recording does not show the effect of the
  ///   white-balance controls, or no model describes it: gains are known to 5 % at worst.
  ///
  /// Complexity: the fit of a model, some tenths of a second.
  public init(_ recording: CameraRecording) throws(CameraError) {
    guard let model = recording.fittedModel(to: recording.looks()) else {
      throw .notACamera(
        recording.camera.identity.name,
        reason: "its recording has no manual settings of red and blue, or of a temperature")
    }
    if let reason = model.reasonForRefusal(under: recording.lights.indices) {
      throw .notACamera(recording.camera.identity.name, reason: reason)
    }
    do {
      layout = try FrameLayout(
        width: Self.width, height: Self.height, format: .rgb8, transfer: .sRGB)
    } catch { throw .frame(error) }
    self.model = model
    deviations = model.deviations
    identity = recording.camera.identity
    controls = recording.camera.controls
    lights = recording.lights
    latency = recording.latency ?? 0
    values = recording.camera.settings.byControl
    shown = values
  }

  /// Changes the light on the card.
  ///
  /// - Parameter index: The index of the light in `lights`, counted from 0.
  /// - Precondition: The recording has this light.
  public func setLight(_ index: Int) {
    precondition(lights.indices.contains(index), "`index` must be less than \(lights.count)")
    light = index
  }

  /// Returns the restrictions of a control: it is read-only unless the recording shows its effect.
  public func flags(of control: ControlID) throws(CameraError) -> ControlFlags {
    _ = try required(control)
    if !isKnown(control) { return .readOnly }
    let isGoverned =
      ControlID.balanceSettings.contains(control) && !ControlID.balanceChoosers.contains(control)
      && choosesBalance(values)
    return isGoverned ? [.inactive, .volatile] : []
  }

  private func isKnown(_ control: ControlID) -> Bool {
    model.fit.controls.reference[control] != nil || model.knowsLight(of: control)
      || description(of: control)?.automatic != nil
  }

  private func choosesBalance(_ values: [ControlID: Int]) -> Bool {
    ControlID.balanceChoosers.contains { isOn($0, values) }
  }

  private func isOn(_ mode: ControlID, _ values: [ControlID: Int]) -> Bool {
    values[mode].map { description(of: mode)?.isAutomatic(at: $0) ?? false } ?? false
  }

  /// Returns the setting of a control; in an automatic mode, the value that the mode has chosen.
  public func value(of control: ControlID) throws(CameraError) -> Int {
    guard let value = reported(values)[control] else {
      throw .noControl(control, camera: identity.name)
    }
    return value
  }

  /// Sets controls.
  public func set(_ new: [ControlValue]) throws(CameraError) {
    for value in new {
      try required(value.id).check(value)
      if !isKnown(value.id) { throw .notSet(value, .notAllowed, written: []) }
    }
    // The automatic's choice stays when the mode is turned off.
    values = reported(values)
    for value in new {
      values[value.id] = model.taken(value)
      listeners.announce(value)
    }
    pipeline.append((sequence + latency, values))
  }

  /// Returns settings in which automatic modes have chosen: the neutral settings, and the usual
  /// exposure of the recording.
  private func inForce(_ values: [ControlID: Int]) -> [ControlID: Int] {
    var values = values
    if choosesBalance(values), let neutral = model.fit.neutralSettings(lamp: light) {
      values.merge(neutral) { $1 }
    }
    if isOn(.exposureMode, values), let usual = model.usualTime(under: light) {
      values[usual.id] = usual.value
    }
    return values
  }

  /// Returns settings in which automatic modes have chosen, except those that turn such modes on.
  private func reported(_ values: [ControlID: Int]) -> [ControlID: Int] {
    inForce(values).merging(values.filter { ControlID.balanceChoosers.contains($0.key) }) { $1 }
  }

  /// Draws the next frame and passes it to `body`.
  public func withNextFrame<Result: Sendable>(
    _ body: @Sendable (FrameInfo, Span<UInt8>) -> Result
  ) -> Result {
    while let next = pipeline.first, next.from <= sequence {
      shown = next.values
      pipeline.removeFirst()
    }
    draw(inForce(shown))
    defer { sequence += 1 }
    return body(
      FrameInfo(sequence: sequence, timestamp: Self.interval * sequence, layout: layout),
      bytes.span)
  }

  private func draw(_ settings: [ControlID: Int]) {
    let codes = model.codes(lamp: light, settings: settings)
    bytes.removeAll(keepingCapacity: true)
    for _ in 0..<Self.width * Self.height {
      for channel in 0..<3 {
        // Rounded at random, so that the mean is that of the codes.
        let code = codes[channel] + deviations[channel] * random.normal()
        bytes.append(UInt8(min(max((code + random.uniform()).rounded(.down), 0), 255)))
      }
    }
  }

  /// Returns a stream of the settings that are made.
  public func changes() -> AsyncStream<ControlValue> {
    listeners.add { [weak self] key in
      Task { [weak self] in await self?.forget(key) }
    }
  }

  private func forget(_ listener: Int) { listeners.remove(listener) }
}
