public import CameraControl
public import CameraProfiles
import Glibc
import Synchronization
import WbcalSystem
public import WhiteBalance

/// A camera of the Linux kernel's video interface, V4L2: a webcam, a capture card, a sensor.
///
/// Cameras differ in the effect of a value; only the picture shows it. Settings outlive this
/// object, but the start of a stream may lose them: set them again after every start.
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
/// A camera that vanished stays unavailable to this object: use `waitForReturn(of:within:)` to find
/// its node, and open that.
///
/// A camera that does not answer delays a call by 5 s, but no other code: the actor runs on its own
/// thread. Calls wait for each other, so that a value is set only between two frames.
///
/// Controls without a name in `ControlID` are named by V4L2's number, such as `0x009a090a`. If
/// automatic white balance is a menu (the driver pwc: indoor 0, outdoor 1, fluorescent 2, manual 3,
/// auto 4) it stays a menu.
public actor VideoDevice: CameraPort {
  /// The driver, its name for the camera, and an identifier that distinguishes it from others of
  /// its model: the name under `/dev/v4l/by-id` if it has a serial number, or else its connection.
  public nonisolated let identity: CameraIdentity
  /// The controls that have a single number as their value, in the order of V4L2's numbers: those
  /// of the video node, and of the sub-devices that its pictures pass, such as a sensor.
  public nonisolated var controls: [ControlDescription] { descriptions.withLock(\.self) }
  /// The node that was opened.
  public nonisolated let path: String
  /// The reason that controls of sub-devices are missing, as a clause; `nil` if none is missing.
  public nonisolated let missingControls: String?

  private nonisolated let executor: DeviceExecutor
  private let request: FormatRequest
  private let frameTimeout: Duration
  private let decoder: (any FrameDecoder)?
  private let opener: @Sendable (String) throws(CameraError) -> any DeviceHandle
  private nonisolated let descriptions: Mutex<[ControlDescription]>
  /// The open devices with their controls; `nil` after `close()`.
  private var controlSet: CameraControls?
  private var stream: FrameStream?
  private var lastSequence = -1
  private var configurations = 0
  /// The number of damaged frames that were skipped since the device was opened: those that the
  /// driver marks as broken, that are too short, or that could not be decoded.
  public private(set) var damagedFrames = 0

  /// The executor that runs this actor on the device's own thread.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe executor.asUnownedSerialExecutor()
  }

  /// Opens a camera. No stream is started yet, so another program can continue streaming.
  ///
  /// - Parameters:
  ///   - name: a path such as `/dev/video0`, or a link to it; the `id` of an identity; the bus that
  ///     the driver names; or the camera's name, if no other camera has it.
  ///   - request: the requested size, format and rate of the pictures.
  ///   - frameTimeout: the time within which a whole frame must arrive.
  ///   - decoder: the decoder of Motion JPEG; without one, only uncompressed formats are used.
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
    let executor = DeviceExecutor(label: "Video4Linux.device")
    let opened = await executor.run {
      Result { () throws(CameraError) in try OpenedDevices(name, in: list) }
    }
    let devices = try opened.get()
    self.executor = executor
    self.request = request
    self.frameTimeout = frameTimeout
    self.decoder = decoder
    controlSet = devices.controls
    descriptions = Mutex(devices.controls.descriptions)
    missingControls = devices.problem
    identity = devices.camera.identity
    path = devices.camera.path
    opener = { (device) throws(CameraError) in try list.open(device) }
  }

  /// Returns the connected cameras, in the order of their nodes' numbers.
  public static func connected() async -> [ConnectedCamera] {
    await DeviceExecutor(label: "Video4Linux.device").run { DeviceList().cameras() }
  }

  /// Waits until a camera that vanished is plugged in again, at any port, and returns the path of
  /// its node.
  ///
  /// - Throws: `CameraError.vanished` if it does not return in time, or the reason that it cannot
  ///   be opened; `cancelled`.
  public static func waitForReturn(
    of identity: CameraIdentity, within time: Duration
  ) async throws(CameraError) -> String {
    try await waitForReturn(of: identity, within: time, in: DeviceList())
  }

  static func waitForReturn(
    of identity: CameraIdentity, within time: Duration, in list: DeviceList
  ) async throws(CameraError) -> String {
    let deadline = ContinuousClock.now + time
    let executor = DeviceExecutor(label: "Video4Linux.device")
    while true {
      let found = await executor.run { list.cameras().first { $0.identity.id == identity.id } }
      if let found, found.problem == nil { return found.path }
      // A node may exist for some time before its permissions are set.
      if ContinuousClock.now >= deadline {
        throw found?.problem ?? .vanished(camera: identity.name)
      }
      do { try await Task.sleep(for: .milliseconds(100)) } catch { throw .cancelled }
    }
  }

  /// Stops the stream and closes the device, as happens when its last reference ends; later calls
  /// fail.
  public func close() {
    stopStreaming()
    controlSet = nil
  }

  /// Returns the current flags of a control. Corresponds to VIDIOC_QUERY_EXT_CTRL.
  public func flags(of control: ControlID) throws(CameraError) -> ControlFlags {
    try openControls().flags(of: control)
  }

  /// Returns the value that the driver reports, which may differ from the one that the camera uses.
  /// Corresponds to VIDIOC_G_CTRL.
  public func value(of control: ControlID) throws(CameraError) -> Int {
    try openControls().value(of: control)
  }

  /// Sets controls; see `CameraPort`. Corresponds to VIDIOC_S_EXT_CTRLS.
  ///
  /// - Throws: `CameraError.settingNotKept` if the driver set a value other than the one it was
  ///   given; all have then been written.
  public func set(_ values: [ControlValue]) throws(CameraError) {
    defer { if values.contains(where: { $0.id == .verticalBlanking }) { examineAgain() } }
    try openControls().set(values)
  }

  /// Waits for the next whole frame; see `CameraPort`. The first call starts the stream, as does
  /// the first one after a failure of the stream. Corresponds to VIDIOC_DQBUF and VIDIOC_QBUF.
  ///
  /// The start of the stream may lose earlier settings; set them again after it.
  public func withNextFrame<Result: Sendable>(
    _ body: @Sendable (FrameInfo, Span<UInt8>) -> Result
  ) async throws(CameraError) -> Result {
    while true {
      if let result = try await withNextFrame(where: { _ in true }, body) { return result }
    }
  }

  /// Waits for the next whole frame, and passes it to `body` if it is wanted; see `CameraPort`. A
  /// frame that is not wanted is not decoded, and counts as whole if its header is.
  public func withNextFrame<Result: Sendable>(
    where isWanted: @Sendable (FrameInfo) -> Bool,
    _ body: @Sendable (FrameInfo, Span<UInt8>) -> Result
  ) async throws(CameraError) -> Result? {
    try refuseTestPattern()
    let stream = try runningStream()
    let damagedBefore = stream.damagedFrames
    defer { damagedFrames += stream.damagedFrames - damagedBefore }
    do {
      let (info, result) = try stream.next(within: frameTimeout, where: isWanted, body)
      lastSequence = info.sequence
      try refuseTestPattern()
      return result
    } catch {
      // A failure of the driver ends its stream; after a timeout the stream may continue.
      if case .system = error { self.stream = nil }
      throw error
    }
  }

  /// Returns the stream of frames, which the first call starts.
  private func runningStream() throws(CameraError) -> FrameStream {
    if let stream { return stream }
    do throws(CameraError) {
      let controls = try openControls()
      let started = try FrameStream(
        controls.videoNode, camera: identity.name, request: request, sensor: controls.sensorTiming,
        decoder: decoder, sequenceBase: lastSequence + 1)
      stream = started
      // The format decides on the limits of a sensor's exposure.
      examineAgain()
      return started
    } catch {
      guard case .busy(let camera, by: nil) = error else { throw error }
      throw .busy(camera: camera, by: DeviceUsers.user(of: path))
    }
  }

  /// Throws if the camera delivers a test pattern, and stops the stream then, whose buffers contain
  /// frames of it.
  private func refuseTestPattern() throws(CameraError) {
    do throws(CameraError) {
      try openControls().refuseTestPattern(camera: identity.name)
    } catch {
      stopStreaming()
      throw error
    }
  }

  /// Locks the camera's configuration; see `CameraPort`. Corresponds to flock(2) on the node, which
  /// is effective only against programs that request the lock too.
  public func beginConfiguration() throws(CameraError) {
    if configurations == 0, try openHandle().lock() == -EWOULDBLOCK {
      throw .busy(camera: identity.name, by: DeviceUsers.holder(ofLockOn: path))
    }
    configurations += 1
  }

  /// Releases the configuration after as many calls as have locked it.
  public func endConfiguration() {
    guard configurations > 0 else { return }
    configurations -= 1
    if configurations == 0 { controlSet?.videoNode.unlock() }
  }

  /// Returns the rate that the driver has agreed to, or else that of a sensor that is a sub-device;
  /// `nil` if neither is reported. Corresponds to VIDIOC_G_PARM, or to the sensor's pixel rate
  /// divided by its pixels and blanking.
  public func frameRate() throws(CameraError) -> FrameRate? { try negotiation().rate() }

  private func negotiation() throws(CameraError) -> FrameNegotiation {
    let controls = try openControls()
    return try FrameNegotiation(
      handle: controls.videoNode, camera: identity.name, sensor: controls.sensorTiming)
  }

  /// Returns the formats that the driver offers, with their sizes and rates. Corresponds to
  /// VIDIOC_ENUM_FMT, VIDIOC_ENUM_FRAMESIZES and VIDIOC_ENUM_FRAMEINTERVALS.
  public func offeredFormats() throws(CameraError) -> [OfferedFormat] {
    try negotiation().formatsWithRates(decodes: decoder != nil)
  }

  /// Stops the stream; a request for the next frame starts it again. Corresponds to
  /// VIDIOC_STREAMOFF.
  public func stopStreaming() { stream = nil }

  /// Returns the changes of controls, by any program; see `CameraPort`. For a slow consumer the
  /// latest 64 are kept. Corresponds to VIDIOC_SUBSCRIBE_EVENT and VIDIOC_DQEVENT.
  public func changes() -> AsyncStream<ControlValue> {
    guard let controlSet, let devices = try? controlSet.opened(by: opener) else {
      return AsyncStream { $0.finish() }
    }
    return ControlChanges.stream(devices)
  }

  /// Reads the limits of controls again that depend on others: those of sub-devices.
  private func examineAgain() {
    guard let controlSet, controlSet.haveSubdevices,
      let examined = try? controlSet.examinedAgain()
    else { return }
    self.controlSet = examined
    descriptions.withLock { $0 = examined.descriptions }
  }

  private func openControls() throws(CameraError) -> CameraControls {
    guard let controlSet else {
      throw CameraError(call: "\(identity.name) was closed; using it", number: EBADF, camera: path)
    }
    return controlSet
  }

  private func openHandle() throws(CameraError) -> any DeviceHandle { try openControls().videoNode }
}
