public import CameraControl
public import CameraProfiles
import Glibc
public import WhiteBalance

/// A camera of the Linux kernel's video interface, V4L2: a webcam, a capture card, a sensor.
///
/// Cameras differ in what they make of a value; only the picture proves what they do. What is set
/// outlives this object, but the start of a stream may lose it: set it again after every start.
///
/// ```swift
/// import CameraControl
///
/// func watch() async throws {
///   let camera = Camera(try await VideoDevice(opening: "usb-Acme_Cam_1234-video-index0"))
///   for try await reading in camera.readings(perSecond: 1) {
///     print(reading.missingGains ?? "no usable pixel")
///   }
/// }
/// ```
///
/// A camera that went away stays away for this object: `waitForReturn(of:within:)` finds its node,
/// to be opened anew.
///
/// A camera that does not answer delays a call by 5 s, but delays nobody else: the actor runs on a
/// thread of its own. Calls wait for each other, so that a value is set only between two frames.
///
/// Controls without a name in `ControlID` are called by V4L2's number, as `0x009a090a`. Where the
/// white-balance automatic is a menu (the driver pwc: indoor 0, outdoor 1, fluorescent 2, manual 3,
/// auto 4) it stays one.
public actor VideoDevice: CameraPort {
  /// The driver, its name for the camera, and what tells the camera from others of its kind: the
  /// name under `/dev/v4l/by-id` where it has a serial number, else where it is plugged in.
  public nonisolated let identity: CameraIdentity
  /// The controls that are one number each, in the order of V4L2's numbers.
  public nonisolated let controls: [ControlDescription]
  /// The node that was opened.
  public nonisolated let path: String

  private nonisolated let executor: DeviceExecutor
  private let request: FormatRequest
  private let frameTimeout: Duration
  private let decoder: (any FrameDecoder)?
  private let opener: @Sendable () throws(CameraError) -> any DeviceHandle
  private let table: ControlTable
  private var handle: (any DeviceHandle)?
  private var stream: FrameStream?
  private var lastSequence = -1
  private var configurations = 0
  /// The frames since the device was opened that came damaged and were skipped: those that the
  /// driver marks as broken, that are too short, or that could not be decoded.
  public private(set) var damagedFrames = 0

  /// The thread of this device.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe executor.asUnownedSerialExecutor()
  }

  /// Opens a camera. No stream is started yet, so that another program may go on streaming.
  ///
  /// - Parameters:
  ///   - name: a path such as `/dev/video0`, also a link to it; the `id` of an identity; the bus
  ///     that the driver names; or the camera's name, where no other has it.
  ///   - request: the pictures that it is asked for.
  ///   - frameTimeout: the time within which a whole frame must come.
  ///   - decoder: what decodes Motion JPEG; without one, formats of pixels are taken alone.
  public init(
    opening name: String, request: FormatRequest = FormatRequest(),
    frameTimeout: Duration = .seconds(3), decoder: (any FrameDecoder)? = nil
  ) async throws(CameraError) {
    try await self.init(
      opening: name, in: DeviceList(), request: request, frameTimeout: frameTimeout,
      decoder: decoder)
  }

  init(
    opening name: String, in list: DeviceList, request: FormatRequest = FormatRequest(),
    frameTimeout: Duration = .seconds(3), decoder: (any FrameDecoder)? = nil
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
    self.decoder = decoder
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

  /// Waits until a camera that went away is plugged in again, wherever: the path of its node now.
  ///
  /// - Throws: `CameraError.vanished` where it does not come back in time, or why it may not be
  ///   opened; `cancelled`.
  public static func waitForReturn(
    of identity: CameraIdentity, within time: Duration
  ) async throws(CameraError) -> String {
    try await waitForReturn(of: identity, within: time, in: DeviceList())
  }

  static func waitForReturn(
    of identity: CameraIdentity, within time: Duration, in list: DeviceList
  ) async throws(CameraError) -> String {
    let deadline = ContinuousClock.now + time
    let executor = DeviceExecutor()
    while true {
      let found = await executor.run { list.cameras().first { $0.identity.id == identity.id } }
      if let found, found.problem == nil { return found.path }
      // A node may be there some time before its rights are.
      if ContinuousClock.now >= deadline {
        throw found?.problem ?? .vanished(camera: identity.name)
      }
      do { try await Task.sleep(for: .milliseconds(100)) } catch { throw .cancelled }
    }
  }

  /// Stops the stream and closes the device, as does the end of its last reference; calls then
  /// fail.
  public func close() {
    stopStreaming()
    handle = nil
  }

  /// What a control can be used for now. Corresponds to VIDIOC_QUERY_EXT_CTRL.
  public func flags(of control: ControlID) throws(CameraError) -> ControlFlags {
    try access().flags(of: control)
  }

  /// The value that the driver reports, which may not be the one that the camera uses. Corresponds
  /// to VIDIOC_G_CTRL.
  public func value(of control: ControlID) throws(CameraError) -> Int {
    try access().value(of: control)
  }

  /// Sets controls; see `CameraPort`. Corresponds to VIDIOC_S_EXT_CTRLS.
  ///
  /// - Throws: `CameraError.notHeld` where the driver took another value than it was given; all
  ///   were written then.
  public func set(_ values: [ControlValue]) throws(CameraError) { try access().set(values) }

  /// Waits for the next whole frame; see `CameraPort`. The first call starts the stream, as does
  /// the first one after a failure of the stream. Corresponds to VIDIOC_DQBUF and VIDIOC_QBUF.
  ///
  /// What was set before the stream's start may be lost by it, and is to be set again.
  public func withNextFrame<Result: Sendable>(
    _ body: @Sendable (FrameInfo, Span<UInt8>) -> Result
  ) async throws(CameraError) -> Result {
    while true {
      if let result = try await withNextFrame(where: { _ in true }, body) { return result }
    }
  }

  /// Waits for the next whole frame, and hands it to `body` if it is wanted; see `CameraPort`. One
  /// that is not wanted is not decoded, and counts as whole if its header is.
  public func withNextFrame<Result: Sendable>(
    where isWanted: @Sendable (FrameInfo) -> Bool,
    _ body: @Sendable (FrameInfo, Span<UInt8>) -> Result
  ) async throws(CameraError) -> Result? {
    let stream: FrameStream
    if let running = self.stream {
      stream = running
    } else {
      do throws(CameraError) {
        stream = try FrameStream(
          openHandle(), camera: identity.name, request: request, decoder: decoder,
          sequenceBase: lastSequence + 1)
      } catch {
        guard case .busy(let camera, by: nil) = error else { throw error }
        throw .busy(camera: camera, by: DeviceUsers.user(of: path))
      }
      self.stream = stream
    }
    let damagedBefore = stream.damagedFrames
    defer { damagedFrames += stream.damagedFrames - damagedBefore }
    do {
      let (info, result) = try stream.next(within: frameTimeout, where: isWanted, body)
      lastSequence = info.sequence
      return result
    } catch {
      // A driver's failure ends its stream; a silent one may go on.
      if case .system = error { self.stream = nil }
      throw error
    }
  }

  /// Takes the camera's configuration; see `CameraPort`. Corresponds to flock(2) on the node, which
  /// other programs must ask for as well.
  public func beginConfiguration() throws(CameraError) {
    if configurations == 0, try openHandle().lock() == -EWOULDBLOCK {
      throw .busy(camera: identity.name, by: DeviceUsers.holder(ofLockOn: path))
    }
    configurations += 1
  }

  /// Gives the configuration back after as many calls as have taken it.
  public func endConfiguration() {
    guard configurations > 0 else { return }
    configurations -= 1
    if configurations == 0 { handle?.unlock() }
  }

  /// The rate that the driver has agreed to; `nil` where it does not tell. Corresponds to
  /// VIDIOC_G_PARM.
  public func frameRate() throws(CameraError) -> FrameRate? {
    try FrameNegotiation(handle: openHandle(), camera: identity.name).rate()
  }

  /// Stops the stream; asking for the next frame starts it again. Corresponds to VIDIOC_STREAMOFF.
  public func stopStreaming() { stream = nil }

  /// Changes of controls, whoever makes them; see `CameraPort`. For a consumer that lags the latest
  /// 64 are kept. Corresponds to VIDIOC_SUBSCRIBE_EVENT and VIDIOC_DQEVENT.
  public func changes() -> AsyncStream<ControlValue> {
    guard let handle = try? opener() else { return AsyncStream { $0.finish() } }
    return ControlChanges.stream(ControlAccess(table: table, handle: handle, camera: identity.name))
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
