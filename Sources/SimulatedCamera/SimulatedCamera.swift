public import CameraControl
internal import ColorScience
public import WhiteBalance

/// A camera that needs no hardware: a measured sensor looks at a gray card under a measured lamp.
///
/// It behaves like a webcam: 8-bit BGRA with the sRGB curve, red and blue balance as whole numbers
/// (v/256), an automatic that creeps towards gray world and never quite rests, and settings that show
/// two frames late. Everything is
/// determined by the seed: the same seed and the same calls give the same bytes.
public actor SimulatedCamera: CameraPort {
  /// What the camera is and looks at.
  public struct Configuration: Sendable {
    /// The sensor.
    public var sensor: MeasuredSensor
    /// The light on the scene.
    public var lamp: MeasuredLamp
    /// Determines the unit's deviation from its kind, its hot pixels and its noise.
    public var seed: UInt64
    /// Pixels in a row and rows, at least 16 each.
    public var size: (width: Int, height: Int)
    /// Frames after which a setting shows.
    public var latency = 2
    /// The time a frame takes; none by default: it comes as fast as it is computed.
    public var frameInterval = Duration.zero
    /// What the controls are set to, and the picture shows, from the first frame on; those left out are
    /// at their defaults.
    public var settings: [ControlValue] = []
    /// What goes wrong.
    public var faults = Faults()

    /// Driver `simulated`, named for its sensor, told apart by its seed.
    public var identity: CameraIdentity {
      CameraIdentity(
        driver: "simulated", name: "simulated \(sensor.name)",
        id: "simulated-\(sensor.name)-\(seed)")
    }

    /// A camera of 640×480 pixels.
    public init(
      sensor: MeasuredSensor, lamp: MeasuredLamp, seed: UInt64 = 1,
      size: (width: Int, height: Int) = (640, 480)
    ) {
      self.sensor = sensor
      self.lamp = lamp
      self.seed = seed
      self.size = size
    }
  }

  /// What goes wrong, for tests of what comes of it.
  public struct Faults: Sendable {
    /// The frame instead of which the camera goes away.
    public var vanishesAtFrame: Int?
    /// Settings are reported back, but never reach the picture.
    public var ignoresSettings = false
    /// Reported values are one too large.
    public var misreports = false
    /// The factor of the light, 0…10⁶: above 4 the card clips.
    public var exposure = 1.0

    /// Nothing goes wrong.
    public init() {}
  }

  /// The configuration's identity.
  public nonisolated let identity: CameraIdentity
  /// Red and blue balance, 0…1023 with 256 for ×1, and the automatic.
  public nonisolated let controls = [
    ControlDescription(id: .autoWhiteBalance, minimum: 0, maximum: 1, defaultValue: 1),
    ControlDescription(id: .redBalance, minimum: 0, maximum: 1023, defaultValue: 256),
    ControlDescription(id: .blueBalance, minimum: 0, maximum: 1023, defaultValue: 256),
  ]

  private let configuration: Configuration
  private let layout: FrameLayout
  private var scene: SimulatedScene
  private var sequence = 0
  private var values: [ControlID: Int]
  /// Balances that are on their way, each with the first frame that shows it.
  private var pipeline: [(from: Int, red: Int, blue: Int)] = []
  private var shown: (red: Int, blue: Int)
  private var bytes: [UInt8] = []

  /// A camera that has just been opened.
  ///
  /// - Throws: `FrameError` where the size is none.
  public init(_ configuration: Configuration) throws(FrameError) {
    let (width, height) = configuration.size
    precondition((0...1e6).contains(configuration.faults.exposure), "the exposure is 0…10⁶")
    guard width >= 16, height >= 16 else { throw .empty(width: width, height: height) }
    self.configuration = configuration
    layout = try FrameLayout(width: width, height: height, format: .bgra8, transfer: .sRGB)
    scene = SimulatedScene(configuration)
    identity = configuration.identity
    var values = Dictionary(uniqueKeysWithValues: controls.map { ($0.id, $0.defaultValue) })
    for setting in configuration.settings
    where controls.contains(where: { $0.id == setting.id && $0.accepts(setting.value) }) {
      values[setting.id] = setting.value
    }
    self.values = values
    shown = (values[.redBalance] ?? 0, values[.blueBalance] ?? 0)
  }

  /// Changes the light on the scene, as a person would between two shots.
  public func setLamp(_ lamp: MeasuredLamp) {
    var changed = configuration
    changed.lamp = lamp
    scene = SimulatedScene(changed)
  }

  /// No control refuses anything.
  public func flags(of control: ControlID) -> ControlFlags { [] }

  /// Nobody else changes its controls.
  public func changes() -> AsyncStream<ControlValue> { AsyncStream { $0.finish() } }

  /// The value that the camera reports of a control; with the automatic on, what it has chosen.
  public func value(of control: ControlID) throws(CameraError) -> Int {
    try checkPresence()
    let value = values[control] ?? 0
    return configuration.faults.misreports && control != .autoWhiteBalance ? value + 1 : value
  }

  /// Sets controls; with the automatic on the balances are taken, but moved again at once.
  public func set(_ new: [ControlValue]) throws(CameraError) {
    try checkPresence()
    for value in new {
      guard let control = controls.first(where: { $0.id == value.id }) else {
        throw .noControl(value.id, camera: identity.name)
      }
      guard control.accepts(value.value) else {
        throw .valueOutOfRange(
          value, allowed: control.minimum...control.maximum, step: control.step)
      }
    }
    for value in new { values[value.id] = value.value }
    if configuration.faults.ignoresSettings { return }
    pipeline.append(
      (sequence + configuration.latency, values[.redBalance] ?? 0, values[.blueBalance] ?? 0))
  }

  /// Computes the next frame and hands it to `body`.
  public func withNextFrame<Result: Sendable>(
    _ body: @Sendable (FrameInfo, Span<UInt8>) -> Result
  ) async throws(CameraError) -> Result {
    if configuration.frameInterval > .zero {
      // A cancelled sleep only makes the frame come early.
      try? await Task.sleep(for: configuration.frameInterval)
    }
    try checkPresence()
    if values[.autoWhiteBalance] == 1 { adjust() }
    while let next = pipeline.first, next.from <= sequence {
      shown = (next.red, next.blue)
      pipeline.removeFirst()
    }
    scene.render(
      frame: sequence, gains: Gains(red: Double(shown.red) / 256, blue: Double(shown.blue) / 256),
      into: &bytes)
    let info = FrameInfo(
      sequence: sequence, timestamp: .nanoseconds(33_333_333) * sequence, layout: layout)
    sequence += 1
    return body(info, bytes.span)
  }

  private func checkPresence() throws(CameraError) {
    if let end = configuration.faults.vanishesAtFrame, sequence >= end {
      throw .vanished(camera: identity.name)
    }
  }

  /// The automatic: 15 % of the way to gray world over the whole scene in each frame, around a target
  /// that wanders by ±3 %.
  private func adjust() {
    let mean = scene.meanResponse
    let phase = Double(sequence) / 40 * 2 * .pi
    func creep(_ current: Int, to gain: Double) -> Int {
      // In the dark there is no gray world to aim at.
      guard gain.isFinite else { return current }
      let target = min(max(gain * 256, 0), 1023)
      let next = Double(current) + 0.15 * (target - Double(current))
      return Int(next.rounded())
    }
    let red = creep(shown.red, to: mean.green / mean.red * (1 + 0.03 * sine(phase)))
    let blue = creep(shown.blue, to: mean.green / mean.blue * (1 - 0.03 * sine(phase)))
    values[.redBalance] = red
    values[.blueBalance] = blue
    pipeline.removeAll()
    shown = (red, blue)
  }
}
