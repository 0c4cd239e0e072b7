public import CameraControl
import Glibc

/// A camera of the Linux kernel's video interface, V4L2: a webcam, a capture card, a sensor.
///
/// Cameras differ in what they make of a value; only the picture proves it. What is set outlives
/// this object, and a stream's start may lose it: set again after every start.
///
/// A camera that went away stays away for this object: `waitForReturn(of:within:)` finds its node,
/// to be opened anew.
///
/// A camera that does not answer holds a call up for 5 s, but nobody else: the actor runs on a
/// thread of its own. Its calls wait for each other, so that a value may be set only between two
/// frames.
///
/// Controls without a name in `ControlID` are called by V4L2's number, as `0x009a090a`. Where the
/// white-balance automatic is a menu (the driver pwc: indoor 0, outdoor 1, fluorescent 2, manual 3,
/// auto 4) it stays one.
public actor VideoDevice: CameraPort {
  /// The driver, the name that it gives the camera, and what tells the camera from others of its
  /// kind: the name under `/dev/v4l/by-id` where it has a serial number, else where it is plugged
  /// in.
  public nonisolated let identity: CameraIdentity
  /// The controls that are one number each, in the order of V4L2's numbers.
  public nonisolated let controls: [ControlDescription]
  /// The node that was opened.
  public nonisolated let path: String

  private nonisolated let executor: DeviceExecutor
  private let request: FormatRequest
  private let frameTimeout: Duration
  private let opener: @Sendable () throws(CameraError) -> any DeviceHandle
  private let table: ControlTable
  private var handle: (any DeviceHandle)?
  private var stream: FrameStream?
  /// Added to the sequence numbers of a stream, which some drivers restart at zero.
  private var sequenceBase = 0
  private var lastSequence = -1

  /// The actor's own.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe executor.asUnownedSerialExecutor()
  }

  /// Opens a camera; nothing is streamed yet, so that another program may go on doing so.
  ///
  /// - Parameters:
  ///   - name: a path such as `/dev/video0`, also a link to it; the `id` of an identity; the bus
  ///     that the driver names; or the camera's name, where no other has it.
  ///   - request: the pictures that it shall deliver.
  ///   - frameTimeout: the time within which a whole frame must come.
  public init(
    opening name: String, request: FormatRequest = FormatRequest(),
    frameTimeout: Duration = .seconds(3)
  ) async throws(CameraError) {
    try await self.init(
      opening: name, in: DeviceList(), request: request, frameTimeout: frameTimeout)
  }

  init(
    opening name: String, in list: DeviceList, request: FormatRequest = FormatRequest(),
    frameTimeout: Duration = .seconds(3)
  ) async throws(CameraError) {
    let executor = DeviceExecutor()
    let opened = await executor.run {
      Result { () throws(CameraError) in
        let camera = try list.camera(named: name)
        let handle = try list.open(camera.path)
        return (camera, handle, try ControlTable(handle, camera: camera.identity.name))
      }
    }
    let (camera, handle, table) = try opened.get()
    self.executor = executor
    self.request = request
    self.frameTimeout = frameTimeout
    self.table = table
    self.handle = handle
    identity = camera.identity
    controls = table.controls.map(\.description)
    path = camera.path
    opener = { () throws(CameraError) in try list.open(camera.path) }
  }

  /// The cameras that are connected, in the order of their nodes' numbers.
  public static func connected() async -> [ConnectedCamera] {
    await DeviceExecutor().run { DeviceList().cameras() }
  }

  /// Stops and gives the device back, as the last reference to it does too; what is asked
  /// afterwards fails.
  public func close() {
    stopStreaming()
    handle = nil
  }

  /// What holds of a control now.
  public func flags(of control: ControlID) throws(CameraError) -> ControlFlags {
    try access().flags(of: control)
  }

  /// The value that the driver reports; it may not be what the camera uses.
  public func value(of control: ControlID) throws(CameraError) -> Int {
    try access().value(of: control)
  }

  /// Sets controls; see `CameraPort`.
  ///
  /// - Throws: `CameraError.notHeld` where the driver took another value than it was given; all
  ///   were written then.
  public func set(_ values: [ControlValue]) throws(CameraError) {
    try access().set(values)
  }

  /// Waits for the next whole frame; see `CameraPort`. The first call starts the stream, and so
  /// does one after the stream has failed.
  ///
  /// What was set before the stream's start may be lost by it, and is to be set again.
  public func withNextFrame<Result: Sendable>(
    _ body: @Sendable (FrameInfo, Span<UInt8>) -> Result
  ) async throws(CameraError) -> Result {
    let stream: FrameStream
    if let running = self.stream {
      stream = running
    } else {
      stream = try FrameStream(openHandle(), camera: identity.name, request: request)
      self.stream = stream
      sequenceBase = lastSequence + 1
    }
    let base = sequenceBase
    do {
      let (sequence, result) = try stream.next(within: frameTimeout) { info, bytes in
        var info = info
        info.sequence += base
        return (info.sequence, body(info, bytes))
      }
      lastSequence = sequence
      return result
    } catch {
      // A driver's failure ends its stream; a silent one may go on.
      if case .system = error { self.stream = nil }
      throw error
    }
  }

  /// Stops the stream; the next frame starts it again.
  public func stopStreaming() { stream = nil }

  /// Changes of controls, by whomever; see `CameraPort`. The latest 64 are kept for a consumer that
  /// lags.
  public func changes() -> AsyncStream<ControlValue> {
    guard let handle = try? opener() else { return AsyncStream { $0.finish() } }
    return ControlChanges.stream(
      ControlAccess(table: table, handle: handle, camera: identity.name))
  }

  private func access() throws(CameraError) -> ControlAccess {
    ControlAccess(table: table, handle: try openHandle(), camera: identity.name)
  }

  private func openHandle() throws(CameraError) -> any DeviceHandle {
    guard let handle else {
      throw CameraError(call: "\(identity.name) was closed; using it", number: EBADF, camera: path)
    }
    return handle
  }
}
