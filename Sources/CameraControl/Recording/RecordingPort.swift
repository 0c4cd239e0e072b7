public import CameraProfiles
public import WhiteBalance

/// A port that records a camera's settings and pictures.
///
/// It can stand in for any port, so that every operation of a camera can be recorded:
///
/// ```swift
/// import CameraProfiles
///
/// func recordedProbe(of port: any CameraPort) async throws -> CameraRecording? {
///   let recorder = CameraRecorder()
///   _ = try await Camera(try await RecordingPort(port, recorder)).probe()
///   return recorder.recording
/// }
/// ```
///
/// Every frame is decoded, and its bytes are read once more than without a recording.
public actor RecordingPort: CameraPort {
  /// The camera that is recorded.
  public nonisolated let recorded: any CameraPort
  private let recorder: CameraRecorder
  private let region: GrayCardEstimator.Region
  /// The camera's identity.
  public nonisolated let identity: CameraIdentity
  /// The camera's controls, as described after the last setting.
  public private(set) var controls: [ControlDescription]

  /// Creates a port that records a camera from now on.
  ///
  /// - Parameters:
  ///   - port: The camera.
  ///   - recorder: The recorder; it may already have recorded the same camera.
  ///   - region: The region of the card.
  public init(
    _ port: any CameraPort, _ recorder: CameraRecorder,
    region: GrayCardEstimator.Region = .center(0.5)
  ) async throws(CameraError) {
    recorded = port
    self.recorder = recorder
    self.region = region
    identity = await port.identity
    let controls = await port.controls
    self.controls = controls
    if recorder.recording == nil {
      recorder.begin(
        CameraRecording.Header(
          identity: identity, controls: controls, settings: try await Camera(port).settings()))
    }
  }

  /// Returns the camera's flags of a control.
  public func flags(of control: ControlID) async throws(CameraError) -> ControlFlags {
    try await recorded.flags(of: control)
  }

  /// Returns the value that the camera reports, and records it if it is another one than was known.
  public func value(of control: ControlID) async throws(CameraError) -> Int {
    let value = try await recorded.value(of: control)
    recorder.noteReading(ControlValue(control, value))
    return value
  }

  /// Sets the camera's controls, and records this, including refusals.
  public func set(_ values: [ControlValue]) async throws(CameraError) {
    do throws(CameraError) { try await recorded.set(values) } catch {
      recorder.add(.refused(values, "\(error)"))
      controls = await recorded.controls
      throw error
    }
    recorder.add(.set(values))
    controls = await recorded.controls
  }

  /// Waits for the camera's next frame, and records it.
  public func withNextFrame<Result: Sendable>(
    _ body: @Sendable (FrameInfo, Span<UInt8>) -> Result
  ) async throws(CameraError) -> Result {
    let region = region
    let (frame, result) = try await recorded.withNextFrame { info, bytes in
      (CameraRecording.Frame(info, bytes, region: region), body(info, bytes))
    }
    if let frame { recorder.add(.frame(frame)) }
    return result
  }

  /// Stops the camera's stream, and records this.
  public func stopStreaming() async {
    await recorded.stopStreaming()
    recorder.add(.streamStopped)
  }

  /// The number of damaged frames that the camera has skipped.
  public var damagedFrames: Int {
    get async { await recorded.damagedFrames }
  }

  /// Returns the camera's rate of frames.
  public func frameRate() async throws(CameraError) -> FrameRate? {
    try await recorded.frameRate()
  }

  /// Returns the formats that the camera offers.
  public func offeredFormats() async throws(CameraError) -> [OfferedFormat] {
    try await recorded.offeredFormats()
  }

  /// Reserves the camera's configuration.
  public func beginConfiguration() async throws(CameraError) {
    try await recorded.beginConfiguration()
  }

  /// Releases the camera's configuration.
  public func endConfiguration() async { await recorded.endConfiguration() }

  /// The camera's changes, which are not recorded.
  public func changes() -> AsyncStream<ControlValue> {
    let port = recorded
    let (stream, continuation) = AsyncStream.makeStream(of: ControlValue.self)
    let task = Task {
      for await change in await port.changes() { continuation.yield(change) }
      continuation.finish()
    }
    continuation.onTermination = { _ in task.cancel() }
    return stream
  }
}
