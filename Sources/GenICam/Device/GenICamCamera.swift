#if GenICam
public import CameraControl
public import CameraProfiles
import ColorScience
import WbcalSystem
public import WhiteBalance

/// A machine-vision camera of the standards GigE Vision and USB3 Vision, whose controls GenICam
/// describes.
///
/// The camera keeps its settings after it is closed, until its power is switched off. While it is
/// open, no other program can change it.
///
/// ```swift
/// import CameraControl
///
/// func watch() async throws {
///   let camera = Camera(try await GenICamCamera(opening: "22371842"))
///   for try await reading in camera.readings(perSecond: 1) {
///     print(reading.missingGains ?? "no usable pixel")
///   }
/// }
/// ```
///
/// Numbers with a fraction become integers: balance ratios in steps of 0.0001, exposure times of
/// 1 µs, gains of 0.01 dB, or in the steps that the camera states. A number that the camera rounds
/// by up to 0.5 % counts as kept. Controls without a name in `ControlID` have their node's name.
///
/// A camera that does not answer delays a call by up to 6 s, but no other code: the actor runs on
/// its own thread.
public actor GenICamCamera: CameraPort {
  /// The standard of its connection, maker and model, and an identifier that includes the serial
  /// number.
  public nonisolated let identity: CameraIdentity
  /// The camera's controls, with the bounds that they had after the last setting: the value of one
  /// control may change the bounds of another.
  public private(set) var controls: [ControlDescription]

  private nonisolated let executor: DeviceExecutor
  private let request: PictureRequest
  private let frameTimeout: Duration
  private var access: NodeAccess?
  private var stream: BufferStream?
  private var lastSequence = -1
  /// The number of damaged frames that were skipped since the camera was opened, most because
  /// packets were lost.
  public private(set) var damagedFrames = 0

  /// The executor that runs this actor on the camera's own thread.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe executor.asUnownedSerialExecutor()
  }

  /// Opens a camera. No stream is started yet.
  ///
  /// - Parameters:
  ///   - name: a serial number, an `id` of an identity, with or without `genicam:`, or an address
  ///     in the network.
  ///   - request: the requested size, format and rate of the pictures.
  ///   - frameTimeout: the time within which a whole frame must arrive.
  /// - Throws: `CameraError.notFound`, `ambiguous`, `notACamera`, `vanished`, `system`.
  public init(
    opening name: String, request: PictureRequest = PictureRequest(),
    frameTimeout: Duration = .seconds(3)
  ) async throws(CameraError) {
    let executor = DeviceExecutor(label: "GenICam.camera")
    let opened = await executor.run {
      Result { () throws(CameraError) in try Self.open(name) }
    }
    let (identity, access, controls) = try opened.get()
    self.executor = executor
    self.request = request
    self.frameTimeout = frameTimeout
    self.identity = identity
    self.access = access
    self.controls = controls
  }

  private static func open(
    _ text: String
  ) throws(CameraError) -> (CameraIdentity, NodeAccess, [ControlDescription]) {
    let prefix = "genicam:"
    let name = text.hasPrefix(prefix) ? String(text.dropFirst(prefix.count)) : text
    let device: AravisDevice
    let identity: CameraIdentity
    if CameraDirectory.isAddress(name) {
      device = try AravisDevice(opening: name, name: name)
      identity = try device.identity(at: name)
    } else {
      let entry = try CameraDirectory.entry(named: name)
      identity = entry.camera.identity
      device = try AravisDevice(opening: entry.device, name: identity.name)
    }
    let access = try NodeAccess(device)
    return (identity, access, try access.descriptions())
  }

  /// Returns the connected cameras; looking for them takes about a second.
  public static func connected() async -> [ConnectedCamera] {
    await DeviceExecutor(label: "GenICam.search").run { CameraDirectory.entries().map(\.camera) }
  }

  /// Waits until a camera that vanished is connected again, and returns the name under which it can
  /// be opened.
  ///
  /// - Throws: `CameraError.vanished` if it does not return in time; `cancelled`.
  public static func waitForReturn(
    of identity: CameraIdentity, within time: Duration
  ) async throws(CameraError) -> String {
    let deadline = ContinuousClock.now + time
    while true {
      let found = await connected().contains { $0.identity.id == identity.id }
      if found { return identity.id }
      if ContinuousClock.now >= deadline { throw .vanished(camera: identity.name) }
      if Task.isCancelled { throw .cancelled }
    }
  }

  /// Stops the stream and gives up control of the camera, as happens when its last reference ends;
  /// later calls fail.
  public func close() {
    stopStreaming()
    access = nil
  }

  /// Returns the current flags of a control.
  public func flags(of control: ControlID) throws(CameraError) -> ControlFlags {
    try openAccess().flags(of: control)
  }

  /// Returns the value that the camera reports.
  public func value(of control: ControlID) throws(CameraError) -> Int {
    try openAccess().value(of: control)
  }

  /// Sets controls one after the other, and reads their bounds again; see `CameraPort`. If the
  /// camera refuses one while frames are streamed, the stream is stopped until the next frame is
  /// requested: some cameras lock settings during a stream.
  ///
  /// - Throws: `CameraError.settingNotKept` if the camera reports a value other than the one it was
  ///   given; all have then been written. `busy` if another program controls the camera.
  public func set(_ values: [ControlValue]) throws(CameraError) {
    var access = try openAccess()
    defer {
      self.access = access
      if !access.device.isGone {
        if let found = try? access.descriptions() { controls = found }
        stream?.transfer = Self.transfer(access)
      }
    }
    // Its buffers may contain frames of a pattern.
    if values.contains(where: { $0.id == .testPattern }) { stopStreaming() }
    do throws(CameraError) { try access.set(values) } catch {
      guard stream != nil, Self.mayBeForStream(error) else { throw error }
      stopStreaming()
      try access.set(values)
    }
  }

  /// Indicates whether a value may have been refused only because of the stream.
  private static func mayBeForStream(_ error: CameraError) -> Bool {
    switch error {
    case .notSet(_, .busy, written: _), .notSet(_, .notAllowed, written: _): true
    default: false
    }
  }

  /// Returns the names of the user sets in which the camera can save its settings, such as
  /// `UserSet1`; none if it has none. The maker's own sets are not among them.
  public func userSets() throws(CameraError) -> [String] {
    try UserSets(device: openAccess().device).names()
  }

  /// Throws `CameraError.noUserSet` if settings cannot be saved in the user set with a name.
  public func requireUserSet(_ name: String) throws(CameraError) {
    try UserSets(device: openAccess().device).require(name)
  }

  /// Saves all present settings of the camera in a user set, and makes the camera start with that
  /// set. What the set had before is lost. The stream is stopped.
  ///
  /// The set is loaded once to verify that it has the values of the controls.
  ///
  /// - Throws: `CameraError.noUserSet`; `settingNotKept` if the loaded set has another value, after
  ///   the values from before have been set again; `busy`, `vanished`, `system`.
  public func save(inUserSet name: String) throws(CameraError) {
    let access = try openAccess()
    let sets = UserSets(device: access.device)
    try sets.require(name)
    try access.device.requireControl()
    stopStreaming()
    let before = settledValues(access)
    try sets.save(in: name)
    try sets.load(name)
    for value in before {
      let loaded = try access.value(of: value.id)
      guard loaded != value.value else { continue }
      try set(before)
      throw .settingNotKept(value, reported: loaded)
    }
    try sets.startCamera(with: name)
  }

  /// The values that the camera does not choose itself.
  private func settledValues(_ access: NodeAccess) -> [ControlValue] {
    controls.compactMap { control in
      guard control.kind != .button, (try? access.flags(of: control.id)) == [],
        let value = try? access.value(of: control.id)
      else { return nil }
      return ControlValue(control.id, value)
    }
  }

  /// Waits for the next whole frame; see `CameraPort`. The first call starts the stream, as does
  /// the first one after a failure of the stream.
  public func withNextFrame<Result: Sendable>(
    _ body: @Sendable (FrameInfo, Span<UInt8>) -> Result
  ) async throws(CameraError) -> Result {
    while true {
      if let result = try await withNextFrame(where: { _ in true }, body) { return result }
    }
  }

  /// Waits for the next whole frame, and passes it to `body` if it is wanted; see `CameraPort`.
  /// Samples of a frame that is not wanted are not unpacked.
  public func withNextFrame<Result: Sendable>(
    where isWanted: @Sendable (FrameInfo) -> Bool,
    _ body: @Sendable (FrameInfo, Span<UInt8>) -> Result
  ) async throws(CameraError) -> Result? {
    let stream = try runningStream()
    let damagedBefore = stream.damagedFrames
    defer { damagedFrames += stream.damagedFrames - damagedBefore }
    do {
      let (info, result) = try stream.next(within: frameTimeout, where: isWanted, body)
      lastSequence = info.sequence
      return result
    } catch {
      // After a timeout or a cancellation the stream may continue.
      switch error {
      case .stalled, .cancelled: break
      default: self.stream = nil
      }
      throw error
    }
  }

  private func runningStream() throws(CameraError) -> BufferStream {
    if let stream { return stream }
    let access = try openAccess()
    try refuseTestPattern(access)
    let started = try BufferStream(
      access.device, request: request, transfer: Self.transfer(access),
      sequenceBase: lastSequence + 1)
    stream = started
    return started
  }

  /// Throws if the camera delivers a test pattern. No other program can turn one on later.
  private func refuseTestPattern(_ access: NodeAccess) throws(CameraError) {
    guard let control = controls.first(where: { $0.id == .testPattern }) else { return }
    let value = try access.value(of: .testPattern)
    if let problem = TestPattern.problem(control, value: value, camera: identity.name) {
      throw problem
    }
  }

  /// Returns the rate that the camera is set to; `nil` if it does not report one.
  public func frameRate() throws(CameraError) -> FrameRate? {
    let device = try openAccess().device
    for node in ["AcquisitionFrameRate", "AcquisitionFrameRateAbs"] {
      guard device.kind(of: node) == .float else { continue }
      let rate = try device.required { () throws(AravisError) in
        try device.number(of: node, .float)
      }
      guard rate > 0, rate < 1e6 else { return nil }
      return FrameRate(frames: Int((1000 * rate).rounded()), seconds: 1000)
    }
    return nil
  }

  /// Returns the formats that the camera offers, with its sizes and rates at present.
  public func offeredFormats() throws(CameraError) -> [OfferedFormat] {
    try PictureNegotiation(device: openAccess().device).offeredFormats()
  }

  /// Stops the stream; a request for the next frame starts it again.
  public func stopStreaming() { stream = nil }

  /// Verifies that this program controls the camera; see `CameraPort`. No other program can control
  /// it while it is open here.
  public func beginConfiguration() throws(CameraError) {
    try openAccess().device.requireControl()
  }

  /// Returns the changes of controls; see `CameraPort`. The camera is asked for its values twice a
  /// second; for a slow consumer the latest 64 changes are kept.
  public func changes() -> AsyncStream<ControlValue> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: ControlValue.self, bufferingPolicy: .bufferingNewest(64))
    let watch = Task { [weak self] in
      var values: [ControlID: Int] = [:]
      while !Task.isCancelled, let now = await self?.readableValues() {
        for value in now {
          if let old = values.updateValue(value.value, forKey: value.id), old != value.value {
            continuation.yield(value)
          }
        }
        do { try await Task.sleep(for: .milliseconds(500)) } catch { break }
      }
      continuation.finish()
    }
    continuation.onTermination = { _ in watch.cancel() }
    return stream
  }

  /// The values of all controls that can be read; `nil` if the camera is gone.
  private func readableValues() -> [ControlValue]? {
    guard let access else { return nil }
    var values: [ControlValue] = []
    for control in controls where control.kind != .button {
      do throws(CameraError) {
        values.append(ControlValue(control.id, try access.value(of: control.id)))
      } catch {
        if case .vanished = error { return nil }
      }
    }
    return values
  }

  private func openAccess() throws(CameraError) -> NodeAccess {
    guard let access else {
      throw .system(
        call: "using \(identity.name), which was closed,", number: Int(EBADF),
        text: systemErrorText(EBADF))
    }
    // Each access to a camera that is gone would take seconds.
    if access.device.isGone { throw .vanished(camera: access.device.name) }
    return access
  }

  /// Returns the function from code values to linear light: cameras store light to the power of
  /// their gamma.
  private static func transfer(_ access: NodeAccess) -> TransferFunction {
    guard access.isGammaOn, let gamma = access.number(of: .gamma), gamma > 0, gamma != 1 else {
      return .linear
    }
    return .gamma(1 / gamma)
  }
}
#endif
