public import CameraProfiles
internal import ColorScience
internal import Synchronization
public import WhiteBalance

/// A camera behind its port, and a recording of all that it is told and shows.
///
/// It is a port like any other, so that whatever runs on a camera can be recorded:
///
/// ```swift
/// import CameraProfiles
///
/// func recordedProbe(of port: any CameraPort) async throws -> CameraRecording? {
///   let recorder = CameraRecorder()
///   _ = try await Camera(try await RecordingPort(port, recorder)).probed()
///   return recorder.recording
/// }
/// ```
///
/// Each frame is read once more than without, and none is passed over undecoded.
public actor RecordingPort: CameraPort {
  /// The camera that is recorded.
  public nonisolated let recorded: any CameraPort
  private let recorder: CameraRecorder
  private let region: GrayCardEstimator.Region
  /// What the camera says of itself.
  public nonisolated let identity: CameraIdentity
  /// What the camera says of itself.
  public nonisolated let controls: [ControlDescription]

  /// A camera that is recorded from now on.
  ///
  /// - Parameters:
  ///   - port: the camera.
  ///   - recorder: what keeps the recording; it may have begun with the same camera.
  ///   - region: where the card is.
  public init(
    _ port: any CameraPort, _ recorder: CameraRecorder,
    region: GrayCardEstimator.Region = .center(0.5)
  ) async throws(CameraError) {
    recorded = port
    self.recorder = recorder
    self.region = region
    identity = await port.identity
    controls = await port.controls
    if recorder.recording == nil {
      recorder.begin(
        CameraRecording.Header(
          identity: identity, controls: controls, settings: try await Camera(port).settings()))
    }
  }

  /// What the camera answers.
  public func flags(of control: ControlID) async throws(CameraError) -> ControlFlags {
    try await recorded.flags(of: control)
  }

  /// What the camera answers.
  public func value(of control: ControlID) async throws(CameraError) -> Int {
    try await recorded.value(of: control)
  }

  /// Sets the camera's controls, and records it, refusals too.
  public func set(_ values: [ControlValue]) async throws(CameraError) {
    do throws(CameraError) { try await recorded.set(values) } catch {
      recorder.add(.refused(values, "\(error)"))
      throw error
    }
    recorder.add(.set(values))
  }

  /// Waits for the camera's next frame, and records what it shows.
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

  /// Stops the camera's stream, and records it.
  public func stopStreaming() async {
    await recorded.stopStreaming()
    recorder.add(.streamStopped)
  }

  /// Takes the camera's configuration.
  public func beginConfiguration() async throws(CameraError) {
    try await recorded.beginConfiguration()
  }

  /// Gives the camera's configuration back.
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

/// Keeps a recording while it grows.
public final class CameraRecorder: Sendable {
  private let kept = Mutex<CameraRecording?>(nil)

  /// A recorder of nothing yet.
  public init() {}

  /// The recording up to now; `nil` before a camera has begun one.
  public var recording: CameraRecording? { kept.withLock(\.self) }

  /// Adds something that happened; without effect before a camera has begun the recording.
  public func add(_ event: CameraRecording.Event) {
    kept.withLock { $0?.events.append(event) }
  }

  func begin(_ camera: CameraRecording.Header) {
    kept.withLock { $0 = CameraRecording(camera: camera) }
  }
}

extension CameraRecording.Frame {
  /// What a frame shows of a region; `nil` where its bytes or the region are not what they say.
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

  /// The codes of the picture's squares, in whole numbers.
  private static func squares(
    _ bytes: Span<UInt8>, _ layout: FrameLayout, _ region: PixelRectangle, _ all: CodeMean
  ) throws(FrameError) -> [Int] {
    func whole(_ mean: CodeMean) -> [Int] { mean.codes.map { Int($0.rounded()) } }
    // A cell of a color filter is two pixels wide; what has fewer than the squares is one color.
    if region.width < 2 * pictureColumns || region.height < 2 * pictureRows {
      return Array(repeating: whole(all), count: pictureColumns * pictureRows).flatMap(\.self)
    }
    return try FrameStatistics.zones(
      bytes, layout: CodeMean.layoutOfCodes(layout), region: region, columns: pictureColumns,
      rows: pictureRows
    ).flatMap { whole(CodeMean($0)) }
  }
}
