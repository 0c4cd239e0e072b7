public import CameraProfiles
internal import ColorScience
internal import Synchronization
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

  /// Returns the value that the camera reports.
  public func value(of control: ControlID) async throws(CameraError) -> Int {
    try await recorded.value(of: control)
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

/// A recorder of a camera's events.
public final class CameraRecorder: Sendable {
  private let kept = Mutex<CameraRecording?>(nil)

  /// Creates an empty recorder.
  public init() {}

  /// The recording up to now; `nil` before a camera has begun one.
  public var recording: CameraRecording? { kept.withLock(\.self) }

  /// Adds an event; has no effect before a camera has begun the recording.
  public func add(_ event: CameraRecording.Event) {
    kept.withLock { $0?.events.append(event) }
  }

  func begin(_ camera: CameraRecording.Header) {
    kept.withLock { $0 = CameraRecording(camera: camera) }
  }
}

extension CameraRecording.Frame {
  /// Creates the record of a frame's region; `nil` if the frame's layout or the region is invalid.
  init?(_ info: FrameInfo, _ bytes: Span<UInt8>, region: GrayCardEstimator.Region) {
    func thousandths(_ codes: [Double]) -> [Double] { codes.map { (1000 * $0).rounded() / 1000 } }
    do throws(FrameError) {
      let rectangle = GrayCardEstimator(region: region).rectangle(in: info.layout)
      let all = try CodeMean(bytes, layout: info.layout, region: rectangle)
      self.init(
        sequence: info.sequence, seconds: info.timestamp / .seconds(1),
        format: info.layout.format.fourCC ?? "", codes: thousandths(all.codes),
        deviations: thousandths(all.deviations),
        clipped: all.clipped.map { (10_000 * $0).rounded() / 10_000 }, pixels: all.pixels,
        picture: try Self.squares(bytes, info.layout, rectangle, all))
    } catch { return nil }
  }

  /// Returns the mean codes of the picture's squares, as whole numbers.
  private static func squares(
    _ bytes: Span<UInt8>, _ layout: FrameLayout, _ region: PixelRectangle, _ all: CodeMean
  ) throws(FrameError) -> [Int] {
    func whole(_ mean: CodeMean) -> [Int] { mean.codes.map { Int($0.rounded()) } }
    // A cell of a color filter is two pixels wide; a region smaller than the squares has one color.
    if region.width < 2 * pictureColumns || region.height < 2 * pictureRows {
      return Array(repeating: whole(all), count: pictureColumns * pictureRows).flatMap(\.self)
    }
    return try FrameStatistics.zones(
      bytes, layout: CodeMean.layoutOfCodes(layout), region: region, columns: pictureColumns,
      rows: pictureRows
    ).flatMap { whole(CodeMean($0)) }
  }
}
