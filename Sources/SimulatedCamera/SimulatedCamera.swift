public import CameraControl
public import CameraProfiles
public import ColorScience
public import SimulatedScenes
public import WhiteBalance

/// A camera that needs no hardware: a measured sensor sees a gray card under a measured lamp.
///
/// It behaves like a webcam: its frames are by default 8-bit BGRA with the sRGB curve, its white
/// balance is like that of a driver (by default red and blue balance as integers, with a gain of
/// v/256), its automatic white balance moves slowly towards gray world and never quite settles, and
/// settings have a latency of two frames. The seed determines everything: the same seed and calls
/// give the same bytes.
public actor SimulatedCamera: CameraPort {
  /// The configuration's identity.
  public nonisolated let identity: CameraIdentity
  /// The controls of the configuration's balance, exposure and lens, and its other ones.
  public nonisolated let controls: [ControlDescription]

  private let configuration: Configuration
  private let layout: FrameLayout
  private var faults: Faults
  private var scene: SimulatedScene
  private var sequence = 0
  /// The values of the controls according to the driver.
  private var values: [ControlID: Int]
  /// The values of the controls in the device.
  private var device: [ControlID: Int]
  /// Pending settings, each with the first frame that shows it.
  private var pipeline: [(from: Int, values: [ControlID: Int])] = []
  private var shown: [ControlID: Int]
  /// The gains that the automatic has reached.
  private var automaticGains: Gains
  /// `true` if the automatic works although it is off.
  private var hasReturned = false
  private var framesSinceOff = 0
  /// The gains by which manual ones are multiplied.
  private var base = Gains(red: 1, blue: 1)
  /// The gains on their way to those of the settings.
  private var present: Gains?
  private var isStreaming = false
  private var motion: SimulatedLens.Motion
  /// The position to which the lens was set before the automatic moved it.
  private var focusByHand: Int?
  /// The gains of the last frame, without flicker.
  private var latestGains = Gains(red: 1, blue: 1)
  /// The previous readings of the balances, reported until a frame.
  private var late: (until: Int, values: [ControlID: Int]) = (0, [:])
  private var bytes: [UInt8] = []
  private var stored: [[UInt8]] = []
  private var history: [(frame: Int, values: [ControlID: Int])] = []
  /// The exposure that the automatic has reached.
  private var automaticLight: Double?
  private var listeners = ChangeListeners()

  /// The number of times that the configuration has been begun and not ended.
  public private(set) var configurations = 0

  /// Creates a camera that has just been opened.
  ///
  /// - Throws: `FrameError` if the size is invalid.
  public init(_ configuration: Configuration) throws(FrameError) {
    let (width, height) = configuration.size
    precondition((0...1e6).contains(configuration.faults.exposure), "the exposure must be 0…10⁶")
    precondition(
      configuration.frameRate > 0 && configuration.iso > 0,
      "`frameRate` and `iso` must be positive")
    guard width >= 16, height >= 16 else { throw .empty(width: width, height: height) }
    self.configuration = configuration
    faults = configuration.faults
    layout = try configuration.layout
    scene = SimulatedScene(configuration.scene)
    identity = configuration.identity
    let controls =
      configuration.balance.controls + (configuration.exposure?.controls ?? [])
      + (configuration.lens?.controls ?? []) + configuration.otherControls
    self.controls = controls
    var values = Dictionary(uniqueKeysWithValues: controls.map { ($0.id, $0.defaultValue) })
    for setting in configuration.settings
    where controls.contains(where: { $0.id == setting.id && $0.isValid(setting.value) }) {
      values[setting.id] = setting.value
    }
    self.values = values
    device = values
    shown = values
    automaticGains = configuration.balance.gains(values)
    motion = SimulatedLens.Motion(at: values[.focusPosition] ?? 0)
  }

  /// Changes the lamp that lights the scene, as a person would between two shots.
  public func setLamp(_ lamp: MeasuredLamp) {
    var changed = configuration
    changed.lamp = lamp
    scene = SimulatedScene(changed.scene)
  }

  /// Returns its one format, with the sizes and rates that a configuration may have.
  public func offeredFormats() -> [OfferedFormat] {
    let side = OfferedFormat.Side(16, through: 4096)
    let rates = OfferedFormat.Rates.range(
      FrameRate(frames: 1, seconds: 10), through: FrameRate(frames: 1000))
    return [
      OfferedFormat(
        name: layout.format == .bgra8 ? "BGRA" : layout.format.fourCC ?? "\(layout.format)",
        isReadable: true, sizes: [.init(width: side, height: side, rates: rates)])
    ]
  }

  /// Returns the flags of a control. A balance is inactive while an automatic mode governs it.
  public func flags(of control: ControlID) throws(CameraError) -> ControlFlags {
    try checkPresence()
    _ = try required(control)
    switch control {
    case .autoFocusStatus: return [.readOnly, .volatile]
    case .focusPosition: return values[.autoFocus] == 1 ? [.inactive, .volatile] : []
    default: break
    }
    let governed = isAutomatic && SimulatedBalance.governed.contains(control)
    return governed ? [.inactive, .volatile] : []
  }

  /// Returns a stream of the settings made by this and other programs.
  public func changes() -> AsyncStream<ControlValue> {
    listeners.add { [weak self] key in
      Task { [weak self] in await self?.forget(key) }
    }
  }

  private func forget(_ listener: Int) { listeners.remove(listener) }

  /// Returns the value that the camera reports for a control; with the automatic on, its choice.
  public func value(of control: ControlID) throws(CameraError) -> Int {
    try checkPresence()
    guard let value = values[control] else { throw .noControl(control, camera: identity.name) }
    if control == .autoFocusStatus { return motion.status }
    guard SimulatedBalance.governed.contains(control) else { return value }
    if sequence < late.until, let before = late.values[control] { return before }
    return (faults.misreports ? value + 1 : value) / faults.readsInSteps * faults.readsInSteps
  }

  /// The linear value of the card after the gains of the last frame, before the color matrix: the
  /// truth for tests.
  public var card: LinearRGB { LinearRGB(scene.card.vector * latestGains.vector) }

  /// The gains of the last frame, without variations of the lamp: the truth for tests.
  package var gains: Gains { latestGains }

  /// The position of the lens, in values of its control: the truth for tests.
  public var lensPlace: Double { motion.place }

  /// The number of frames so far, including lost ones, which is the number of the next frame.
  public var frames: Int { sequence }

  /// The exposure of the last frame times the sensor gain, relative to an exposure of 10 ms: the
  /// truth for tests.
  public private(set) var light = 1.0

  /// Returns the settings that a frame showed, one of the last 256: the truth for tests.
  public func settings(ofFrame frame: Int) -> [ControlID: Int]? {
    history.last { $0.frame == frame }?.values
  }

  /// The first frame that shows, or will show, the last setting: the truth for tests.
  public private(set) var lastSettingShows = 0

  /// Sets controls. With the automatic on, balances are accepted but changed again immediately.
  public func set(_ new: [ControlValue]) throws(CameraError) {
    try checkPresence()
    for value in new {
      try required(value.id).check(value)
      if value.id == .autoFocusStatus { throw .notSet(value, .notAllowed, written: []) }
    }
    var written: [ControlValue] = []
    defer {
      if faults.readsLate > 0 { late.until = sequence + faults.readsLate }
      if !faults.ignoresSettings, !written.isEmpty {
        var random = SplitMix64(
          state: configuration.seed &+ UInt64(sequence) &* 0x9E6C_63D0_876A_3F6B)
        let late = Int(random.next() % UInt64(faults.latencyJitter + 1))
        // Earlier settings show first.
        lastSettingShows = max(
          sequence + configuration.latency + late, pipeline.last?.from ?? 0)
        pipeline.append((lastSettingShows, device))
      }
    }
    let (off, others, on) = new.inOrderOfWriting { value in
      description(of: value.id)?.turnsAutomaticOff(value.value)
    }
    if faults.readsLate > 0, sequence >= late.until { late.values = values }
    let lastBalance = others.last { ControlID.balances.contains($0.id) }
    for value in off + others + on {
      if let refusal = faults.refusals[value.id]?.first {
        faults.refusals[value.id]?.removeFirst()
        throw .notSet(value, refusal, written: written)
      }
      if faults.refusesWhileAutomatic, isAutomatic, SimulatedBalance.governed.contains(value.id) {
        throw .notSet(value, .automatic, written: written)
      }
      if ControlID.balanceChoosers.contains(value.id),
        description(of: value.id)?.turnsAutomaticOff(value.value) == true
      {
        stopChoosing()
      }
      var taken = value.value
      if faults.takesLastOnly, ControlID.balances.contains(value.id), value != lastBalance {
        taken = values[value.id] ?? taken
      }
      if SimulatedBalance.governed.contains(value.id) {
        taken = taken / faults.roundsTo * faults.roundsTo
      }
      if !faults.dropsUnchanged || values[value.id] != taken {
        device[value.id] =
          ControlID.balances.contains(value.id) ? lagging(device[value.id], behind: taken) : taken
      }
      let before = values.updateValue(taken, forKey: value.id)
      if value.id == .autoFocus, configuration.lens?.fallsBack == true {
        noteFocusing(from: before)
      }
      if value.id == .autoFocusOnce, let lens = configuration.lens { motion.focusOnce(lens) }
      written.append(value)
      listeners.announce(value)
    }
  }

  /// Stores the manual position of the lens, or restores it when the automatic is turned off.
  private func noteFocusing(from before: Int?) {
    if before == 0, values[.autoFocus] == 1 { focusByHand = values[.focusPosition] }
    guard before == 1, values[.autoFocus] == 0, let focusByHand else { return }
    values[.focusPosition] = focusByHand
    device[.focusPosition] = focusByHand
  }

  private func lagging(_ old: Int?, behind value: Int) -> Int {
    let near = value - faults.hysteresis...value + faults.hysteresis
    return old.map { min(max($0, near.lowerBound), near.upperBound) } ?? value
  }

  private var isAutomatic: Bool { configuration.balance.isAutomatic(values) }

  private func stopChoosing() {
    if faults.isRelative, isAutomatic || hasReturned { base = automaticGains }
    hasReturned = false
    framesSinceOff = 0
  }

  private func returnToAutomatic() {
    guard !isAutomatic, !hasReturned else { return }
    hasReturned = true
    automaticGains = configuration.balance.gains(shown)
  }

  /// Takes the configuration, unless a program of the faults holds it.
  public func beginConfiguration() throws(CameraError) {
    if let program = faults.heldBy { throw .busy(camera: identity.name, by: program) }
    configurations += 1
  }

  /// Gives the configuration back.
  public func endConfiguration() { configurations -= 1 }

  /// Stops the stream; the next frame starts it again.
  public func stopStreaming() { isStreaming = false }

  /// Computes the next frame and passes it to `body`.
  public func withNextFrame<Result: Sendable>(
    _ body: @Sendable (FrameInfo, Span<UInt8>) -> Result
  ) async throws(CameraError) -> Result {
    if configuration.frameInterval > .zero {
      // A cancelled sleep only makes the frame arrive early.
      try? await Task.sleep(for: configuration.frameInterval)
    }
    if !isStreaming, faults.returnsAtStart { returnToAutomatic() }
    isStreaming = true
    while faults.lostFrames.contains(sequence) { advance() }
    try checkPresence()
    if let end = faults.stallsAtFrame, sequence >= end {
      throw .stalled(camera: identity.name, seconds: 3)
    }
    advance()
    let info = FrameInfo(
      sequence: sequence - 1, timestamp: timestamp(of: sequence - 1), layout: layout)
    if stored.count == configuration.replayedFrames, !stored.isEmpty {
      let frame = stored[(sequence - 1) % stored.count]
      return body(info, frame.span)
    }
    if bytes.isEmpty || !faults.frozenFrames.contains(sequence - 1) {
      let swing = sine(2 * .pi * Double(sequence) / faults.flickerPeriod)
      let color = faults.flicker.color * swing + faults.drift * Double(sequence)
      let gains = gainsNow()
      latestGains = gains
      let (exposure, amplification) = exposure(gains)
      light = exposure * amplification
      let tint = SIMD3(1 + color, 1, 1 / (1 + color))
      scene.render(
        frame: sequence - 1, gains: Gains(amplification * gains.vector * tint),
        exposure: exposure * (1 + faults.flicker.level * swing), rowLight: rowLight(),
        into: &bytes)
    }
    if history.count >= 512 { history.removeFirst(256) }
    history.append((sequence - 1, shown))
    if configuration.replayedFrames > 0 { stored.append(bytes) }
    return body(info, bytes.span)
  }

  private func timestamp(of frame: Int) -> Duration {
    let interval = 1e9 / configuration.frameRate
    let exact = Duration.nanoseconds(Int64(interval.rounded())) * frame
    guard faults.timestampJitter > 0 else { return exact }
    var random = SplitMix64(state: configuration.seed &+ UInt64(frame) &* 0xA24B_AED4_963E_E407)
    let error = faults.timestampJitter * random.nextSigned() * interval
    return exact + .nanoseconds(Int64(error.rounded()))
  }

  /// Returns the factor of the exposure of each row of this frame under a flickering lamp.
  private func rowLight() -> [Double]? {
    guard let shutter = configuration.shutter else { return nil }
    // The phase of the mains is independent of the camera's start.
    var random = SplitMix64(state: ~configuration.seed)
    let time = random.uniform() + Double(sequence - 1) / configuration.frameRate
    let exposure = shown[.exposureMode] == 1 ? configuration.exposure?.seconds(shown) : nil
    return shutter.rowFactors(rows: configuration.size.height, at: time, exposure: exposure)
  }

  /// Returns the picture's gains in this frame.
  private func gainsNow() -> Gains {
    let balance = configuration.balance
    if hasReturned || balance.isAutomatic(shown) {
      present = nil
      return automaticGains
    }
    let wanted = Gains(balance.gains(shown).vector * base.vector)
    guard faults.settlingRate < 1 else { return wanted }
    let before = present ?? automaticGains
    let now = Gains(before.vector + (wanted.vector - before.vector) * faults.settlingRate)
    present = now
    return now
  }

  /// Advances the time by one frame.
  private func advance() {
    if let intrusion = faults.intrusions[sequence] {
      values[intrusion.id] = intrusion.value
      device[intrusion.id] = intrusion.value
      pipeline.append((sequence + configuration.latency, device))
      listeners.announce(intrusion)
    }
    if faults.forgetsAtFrame == sequence {
      device = Dictionary(uniqueKeysWithValues: controls.map { ($0.id, $0.defaultValue) })
      pipeline = [(sequence, device)]
    }
    if let change = faults.lampChange, change.frame == sequence { setLamp(change.lamp) }
    if isAutomatic || hasReturned { adjust() }
    framesSinceOff += 1
    if faults.returnsAfter > 0, framesSinceOff == configuration.latency + faults.returnsAfter {
      returnToAutomatic()
    }
    while let next = pipeline.first, next.from <= sequence {
      shown = next.values
      pipeline.removeFirst()
    }
    if let lens = configuration.lens { focus(lens) }
    sequence += 1
  }

  /// Moves the lens.
  private func focus(_ lens: SimulatedLens) {
    let found = motion.advance(
      lens, value: shown[.focusPosition] ?? 0, isOn: shown[.autoFocus] == 1,
      canSee: configuration.texture != .none)
    if let found {
      values[.focusPosition] = found
      device[.focusPosition] = found
      shown[.focusPosition] = found
    }
    let share = (motion.place - lens.best) / Double(lens.range.upperBound - lens.range.lowerBound)
    let spread = lens.blur * share
    scene.setBlur((lens.leastBlur * lens.leastBlur + spread * spread).squareRoot())
  }

  /// Returns the exposure, relative to 10 ms, and the sensor gain.
  private func exposure(_ gains: Gains) -> (light: Double, amplification: Double) {
    if faults.exposureStays { return (0.18 / scene.cardLuma(gains), 1) }
    guard let exposure = configuration.exposure else { return (1, 1) }
    if shown[.exposureMode] == 1 {
      automaticLight = nil
      return (exposure.light(shown), exposure.amplification(shown))
    }
    // The automatic uses the true exposure.
    let target =
      power(2, exposure.bias(shown)) / max(configuration.faults.exposure, 1e-3)
    let now = automaticLight ?? target
    let next = now * power(target / now, exposure.automaticPace)
    automaticLight = next
    return (next, 1)
  }

  /// Disconnects the camera: every later call that needs it throws `CameraError.vanished`.
  public func disconnect() {
    faults.vanishesAtFrame = sequence
    listeners.end()
  }

  private func checkPresence() throws(CameraError) {
    if let end = faults.vanishesAtFrame, sequence >= end {
      listeners.end()
      throw .vanished(camera: identity.name)
    }
  }

  /// Moves the automatic gains in each frame by 15 % of the way to gray world over the whole scene,
  /// with a target that varies by ±3 %.
  private func adjust() {
    let mean = scene.meanResponse
    let phase = Double(sequence) / 40 * 2 * .pi
    func creep(_ current: Double, to gain: Double) -> Double {
      // In the dark the gray-world gains are not finite.
      gain.isFinite ? min(max(current + 0.15 * (gain - current), 0), 4) : current
    }
    automaticGains.red = creep(
      automaticGains.red, to: mean.green / mean.red * (1 + 0.03 * sine(phase)))
    automaticGains.blue = creep(
      automaticGains.blue, to: mean.green / mean.blue * (1 - 0.03 * sine(phase)))
    automaticGains.green = 1
    if hasReturned { return }
    configuration.balance.approach(automaticGains, controls: controls, values: &values)
    device = values
    pipeline.removeAll()
    shown = values
    // The camera shows only gains that its controls can express.
    if values[.whiteBalancePreset] == nil { automaticGains = configuration.balance.gains(values) }
  }
}
