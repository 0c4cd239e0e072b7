import CameraControl
import CameraProfiles
import WbcalFoundation
import WhiteBalance

/// The camera of a studio. It is opened while there are viewers, closed with its settings restored
/// when there are none, and opened again after it was disconnected.
actor StudioCamera {
  enum State: String {
    case opening, open
    /// It was disconnected while it was open.
    case vanished
    /// It has not been connected since it was chosen.
    case missing
    /// Another program uses it.
    case busy
    /// It cannot be used as it was named.
    case failed
  }

  /// An action that runs.
  struct Running {
    var name: String
    var task: Task<StudioResult, any Error>
  }

  /// The camera in use.
  private(set) var device: DeviceSpecification
  /// The camera to use instead, once the present one is closed.
  private var next: DeviceSpecification?
  /// The camera that the command line names, and its identity once it has been open.
  let given: DeviceSpecification
  private(set) var givenIdentity: CameraIdentity?
  let folder: StudioFolder
  let pages: StudioPages
  let reporter: TaskReporter
  let pictures = PictureDesk()
  let readings: ReadingDesk
  let kernelCameras = CameraSearch(every: .seconds(2), ConnectedCamera.ofKernel)
  /// The machine-vision cameras. Every search for them sends a message to the whole network.
  let networkCameras = CameraSearch(every: .seconds(60), ConnectedCamera.machineVision)
  /// The address of the studio, for other studios that want the camera.
  private let address: String

  var profile: StudioProfile?
  private(set) var session: CameraSession?
  /// The camera that was disconnected while it was open; its settings are restored at the end if it
  /// comes back.
  private var lost: CameraSession?
  private var lock: StudioLock?
  private(set) var state = State.opening
  private(set) var reason: String?
  private var readers = 0
  private var openings = 0
  /// The number of times that viewing has begun.
  private var visits = 0
  private var isEnding = false
  private var loop: Task<Void, any Error>?
  private var isRestarting = false
  private var idle: CheckedContinuation<Void, Never>?
  private var waiting: [CheckedContinuation<Void, Never>] = []

  var region: PixelRectangle?
  var running: Running?
  /// The name of an accepted action, from before it runs until it has ended.
  var busyWith: String?
  /// A change by an action.
  struct Undo {
    var action: String
    /// The settings before the action.
    var settings: [ControlValue]
  }
  /// The changes that can be undone, the latest last.
  var undoes: [Undo] = []
  /// The settings before a slider was moved, until the setting at its end is verified.
  var beforeSlide: [ControlValue]?
  /// The neutrality that the last change achieved, if it made a card neutral.
  var neutral: StudioNeutral?
  var keeps = false
  /// The latest setting, for `keep` and for a camera that comes back.
  var lastResult: StudioResult?
  var lastSettings: [ControlValue] = []
  var hasExposed = false
  var shown: StudioReading.Setting?
  var before: [UInt8]?
  var calibration = StudioCalibration()
  /// The shots of this studio that profiles already have.
  var writtenShots: Set<CalibrationShot> = []
  var facts = StudioFacts()
  private var published: String?
  /// The missing camera that was last reported in the terminal.
  private var complained: String?
  let reachCache = ReachCache()

  private static let patience = Duration.seconds(3)
  /// The largest width of the picture that is kept for comparison.
  static let keptWidth = 1920

  init(
    device: DeviceSpecification, profile: StudioProfile?, folder: StudioFolder, address: String,
    pages: StudioPages
  ) {
    (self.device, given, self.profile, self.folder) = (device, device, profile, folder)
    (self.address, self.pages) = (address, pages)
    reporter = TaskReporter(pages)
    readings = ReadingDesk { pages.send($0) }
  }

  // MARK: Viewers

  /// Begins the use by a viewer, until `endLooking()`.
  func beginLooking() {
    readers += 1
    visits += 1
    idle?.resume()
    idle = nil
  }

  func endLooking() {
    readers -= 1
    if readers == 0 { letGoLater() }
  }

  private func letGoLater() {
    let visits = visits
    Task {
      try? await Task.sleep(for: Self.patience)
      if visits == self.visits, busyWith == nil { loop?.cancel() }
    }
  }

  // MARK: Opening and closing

  /// Keeps the camera open while there are viewers, until `end()`.
  func live() async {
    while !isEnding {
      takeNext()
      guard readers > 0 else {
        await close(lost)
        await withCheckedContinuation { continuation in
          if readers > 0 || isEnding { continuation.resume() } else { idle = continuation }
        }
        continue
      }
      do {
        let session = try await opened()
        try await look(through: session)
        await close(session)
      } catch {
        await failed(error)
        try? await Task.sleep(for: .seconds(1))
      }
    }
    await close(session ?? lost)
  }

  /// Ends the use of the camera; its settings are restored, unless they are to be kept.
  func end() {
    isEnding = true
    running?.task.cancel()
    loop?.cancel()
    idle?.resume()
    idle = nil
    pictures.close()
  }

  private func opened() async throws -> CameraSession {
    if state != .vanished { change(to: .opening, nil) }
    defer { Progress.shared.show(nil) }
    let session: CameraSession
    if let lost {
      _ = try await lost.reopened(within: .zero)
      session = lost
    } else {
      let (card, given) = (try context.card(nil), profile?.profile)
      session = try await CameraSession(opening: device, for: .borrowing, card: card) { _ in given }
      lock = try StudioLock(on: session.identity, address: address)
      try await session.begin()
    }
    do {
      // Only a frame shows that no other program uses the camera.
      let size = try await session.camera.port.withNextFrame { info, _ in
        [info.layout.width, info.layout.height]
      }
      if lost != nil, !lastSettings.isEmpty { try await session.camera.reapply(lastSettings) }
      facts = try await StudioFacts(of: session, size: size)
    } catch {
      if lost == nil { try? await session.end(puttingBack: true) }
      throw error
    }
    lost = nil
    self.session = session
    openings += 1
    if device.text == given.text { givenIdentity = session.identity }
    use(session)
    change(to: .open, nil)
    keepFirstPicture()
    return session
  }

  /// Keeps the first picture for comparison, unless one is kept.
  private func keepFirstPicture() {
    guard before == nil else { return }
    let opening = openings
    Task {
      let jpeg = await pictures.next(width: Self.keptWidth) ?? []
      guard before == nil, opening == openings, !jpeg.isEmpty else { return }
      before = jpeg
      await publish()
    }
  }

  /// Uses another camera, after the present one is closed as at the end.
  func use(_ device: DeviceSpecification) {
    guard device.text != self.device.text else { return }
    next = device
    if session == nil { change(to: .opening, nil) }
    loop?.cancel()
  }

  private func takeNext() {
    guard let next else { return }
    (device, self.next, lost, lock) = (next, nil, nil, nil)
    (facts, region, keeps) = (StudioFacts(), nil, false)
    (calibration, writtenShots) = (StudioCalibration(), [])
    change(to: .opening, nil)
  }

  /// Delivers frames from the camera until it is released.
  ///
  /// - Throws: the reason that there are no more frames.
  private func look(through session: CameraSession) async throws {
    repeat {
      isRestarting = false
      let interval: Duration? =
        session.isSimulated && (try? device.framesPerSecond()) ?? nil == nil
        ? .milliseconds(33) : nil
      let frames = FrameLoop(
        camera: self.session?.camera ?? session.camera, pictures: pictures, readings: readings,
        interval: interval)
      let loop = Task { try await frames.run() }
      self.loop = loop
      if isEnding { loop.cancel() }
      let result = await loop.result
      self.loop = nil
      do { try result.get() } catch CameraError.cancelled {}
    } while isRestarting && !isEnding
  }

  /// Uses what is known of the camera now for all further readings.
  func use(_ session: CameraSession) {
    let old = self.session?.camera
    self.session = session
    let new = session.camera
    readings.set(setup, isNew: true)
    // The layout of frames is made by the loop.
    guard let old, loop != nil else { return }
    if old.transfer != new.transfer || old.blackLevel != new.blackLevel
      || old.whiteLevel != new.whiteLevel
    {
      isRestarting = true
      loop?.cancel()
    }
  }

  var setup: ReadingDesk.Setup? {
    session.map {
      ReadingDesk.Setup(
        session: $0, opening: openings, profile: $0.lightProfile, region: region, set: shown)
    }
  }

  /// Ends the use of a camera, if there is one.
  private func close(_ session: CameraSession?) async {
    guard let session else { return }
    await stopAction()
    readings.set(nil, isNew: true)
    let isThere = self.session != nil
    if keeps, isThere { await store(session) }
    do { try await session.end(puttingBack: !keeps) } catch {
      if !CameraSession.isVanished(error) {
        complain("the settings of the camera could not be restored: \(Failure(error).message)")
      }
    }
    await session.camera.stopStreaming()
    (self.session, lost, lock) = (nil, nil, nil)
    (undoes, shown, lastResult, lastSettings) = ([], nil, nil, [])
    (beforeSlide, neutral, before) = (nil, nil, nil)
    hasExposed = false
    state = .opening
    await publish()
  }

  private func store(_ session: CameraSession) async {
    if let applied = lastResult?.applied { await session.keep(applied, by: lastResult?.laws) }
    if hasExposed { await session.keepExposureAndFocus() }
  }

  private func stopAction() async {
    guard let running else { return }
    running.task.cancel()
    _ = await running.task.result
    while busyWith != nil { try? await Task.sleep(for: .milliseconds(10)) }
  }

  private func failed(_ error: any Error) async {
    if case CameraError.cancelled = error { return }
    if session != nil { await stopAction() }
    if CameraSession.isVanished(error) {
      lost = session ?? lost
    } else if let session {
      await close(session)
    }
    session = nil
    readings.set(nil, isNew: true)
    if lost == nil { lock = nil }
    let failure = Failure(error)
    change(to: Self.state(after: error, wasOpen: lost != nil), failure.plainMessage)
    if state == .missing, complained != device.text {
      complained = device.text
      complain("\(failure.plainMessage); the studio waits for it")
    }
  }

  /// Returns the state of a camera that cannot be used because of an error.
  static func state(after error: any Error, wasOpen: Bool) -> State {
    switch error {
    case CameraError.vanished, CameraError.notFound: wasOpen ? .vanished : .missing
    default: Failure(error).code == .tryAgain ? .busy : .failed
    }
  }

  private func change(to state: State, _ reason: String?) {
    (self.state, self.reason) = (state, reason)
    let resumed = waiting
    if state != .opening {
      waiting = []
      for continuation in resumed { continuation.resume() }
    }
    Task { await publish() }
  }

  /// Returns the camera when it is open.
  ///
  /// - Throws: `StudioProblem`, with the reason that it cannot be opened.
  func openSession() async throws -> CameraSession {
    if session == nil, state == .opening {
      await withCheckedContinuation { waiting.append($0) }
    }
    guard let session else {
      throw StudioProblem(
        503, state == .busy ? "try-again" : "unavailable",
        state == .busy ? .tryAgain : .unavailable, reason ?? "the camera is not connected")
    }
    return session
  }

  // MARK: State for the pages

  var context: StudioAction.Context {
    StudioAction.Context(device: device, profile: profile, region: region, folder: folder)
  }

  /// Sends the state of the camera to pages, if anything has changed.
  func publish() async {
    guard let data = try? jsonLine(record), data != published else { return }
    published = data
    pages.send(StudioEvent(name: "camera", data: data, isState: true))
  }

  /// Reads the properties again that actions may have changed.
  func refresh() async {
    if let session, let size = facts.size,
      let now = try? await StudioFacts(of: session, size: size)
    {
      facts = now
    }
    await publish()
  }
}
