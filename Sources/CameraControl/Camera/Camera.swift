public import CameraProfiles
public import ColorScience
public import WhiteBalance

/// A camera whose white balance is set by its controls and verified in its pictures.
///
/// Once it has been probed, a camera can be set to gains:
///
/// ```swift
/// import WhiteBalance
///
/// func lock(_ port: any CameraPort, at gains: Gains) async throws -> AppliedWhiteBalance {
///   let camera = try await Camera(port).probe()
///   return try await camera.lock(at: gains)  // returns when the picture shows it
/// }
/// ```
///
/// A camera and its copies do one thing at a time: an operation that sets controls waits until
/// earlier ones have ended. While it runs, other programs that reserve the configuration get
/// `CameraError.busy` (`withConfiguration(_:)`), and vice versa. If two operations set the white
/// balance, the newer one supersedes the older, which ends with `CameraError.superseded`. Every
/// reader of frames gets every frame, also while others read them. All this holds for a camera and
/// its copies only, so make a single `Camera` from a port and copy it.
///
/// Every wait is counted in frames and bounded. Cancelling the task ends a wait with
/// `CameraError.cancelled`, never with `CancellationError`; `restore(_:)` still works then.
public struct Camera: Sendable {
  private let shared: SharedCamera
  @Indirect private var state = CameraState()

  /// Creates a camera from a port.
  public init(
    _ port: any CameraPort, estimator: GrayCardEstimator = GrayCardEstimator(),
    transfer: TransferFunction? = nil, blackLevel: Double? = nil, whiteLevel: Double? = nil,
    latency: Int? = nil
  ) {
    shared = SharedCamera(port)
    state.reading = PictureReading(
      estimator: estimator, transfer: transfer, blackLevel: blackLevel, whiteLevel: whiteLevel)
    state.knowledge.latency = latency
  }

  /// An upper bound of the latency of nearly all cameras, in frames: known pipelines are half as
  /// deep.
  public static let latencyBound = 12
  /// The largest possible latency, in frames; later, the picture counts as unchanged.
  static let longestLatency = ExposureLaws.longestLatency
  /// The number of frames within which a picture must settle, and a setting must show.
  static let frameLimit = 90
  /// The number of successive frames that must agree before a picture counts as settled.
  static let agreeingFrames = PictureWatch.agreeingFrames

  /// The number of frames to skip after a setting, until all but 0.1 % of the change has shown.
  var delay: Int {
    (latency.map { $0 + 2 } ?? Self.latencyBound)
      + (settlingRate.map { $0 < 1 ? Int(-6.9 / logarithm(1 - $0)) : 0 } ?? 0)
  }

  /// Runs several operations as one: no other operation of this program comes between them, and
  /// none of other programs that reserve the camera's configuration.
  ///
  /// Every operation that sets controls reserves the configuration while it runs, so this is for
  /// those that belong together. They must use the camera that `body` gets: another copy waits
  /// until `body` has returned.
  ///
  /// - Throws: The errors of `body`; `busy` with the name of the program that has the
  ///   configuration.
  public func withConfiguration<Result>(
    _ body: (Camera) async throws(CameraError) -> Result
  ) async throws(CameraError) -> Result {
    try await performing { camera async throws(CameraError) in
      try await camera.turns.configure(port)
      return try await body(camera)
    }
  }

  /// Runs an operation that sets controls, after those before it have ended.
  ///
  /// The operation gets a camera of its own, which sees every frame from then on, and whose
  /// operations are parts of this one.
  ///
  /// Functions that wait and take closures are `dynamic` here: otherwise the compiler would
  /// generate a copy of each for every closure.
  dynamic func performing<Result>(
    decidesBalance: Bool = false, _ operation: (Camera) async throws(CameraError) -> Result
  ) async throws(CameraError) -> Result {
    if turn != nil { return try await operation(self) }
    var camera = self
    camera.state.operation.turn = try await turns.begin(decidesBalance: decidesBalance)
    camera.state.operation.view = await feed.view()
    do {
      let result = try await operation(camera)
      await turns.end(port)
      return result
    } catch {
      await turns.end(port)
      throw error
    }
  }

  /// Returns the camera with a view of its own, so that it misses no frame.
  func watching() async -> Camera {
    if view != nil { return self }
    var camera = self
    camera.state.operation.view = await feed.view()
    return camera
  }

  /// Throws an error if the task was cancelled or the operation was superseded.
  func checkIsWanted() async throws(CameraError) {
    if Task.isCancelled { throw .cancelled }
    if let turn, await turns.isSuperseded(turn) { throw .superseded }
  }

  /// Sets controls: see `CameraPort.set(_:)`.
  func send(_ values: [ControlValue]) async throws(CameraError) {
    try await turns.configure(port)
    await turns.noteSetting()
    if values.contains(where: { ControlID.balanceChoosers.contains($0.id) }) {
      await turns.noteOff(since: nil)
    }
    if values.contains(where: { ControlID.balanceSettings.contains($0.id) }) {
      await turns.noteBalances(values, at: feed.taken)
    }
    try await port.set(values)
  }

  /// Stops the stream. The next frame starts it again, which may turn the automatic on.
  package func stopStreaming() async {
    await port.stopStreaming()
    await turns.noteOff(since: nil)
  }

  /// The number of frames that this camera and its copies have taken.
  package var framesTaken: Int { get async { await feed.taken } }

  /// The number of frames since the automatic was last turned off; 0 if it may be on again.
  var framesSinceOff: Int {
    get async {
      guard let start = await turns.offSince else { return 0 }
      return await feed.taken - start
    }
  }

  /// Returns the value of a control; `nil` if the camera has no such control, or does not report
  /// it.
  func value(of id: ControlID) async throws(CameraError) -> Int? {
    guard await port.description(of: id) != nil else { return nil }
    do { return try await port.value(of: id) } catch {
      if case .notReadable = error { return nil }
      throw error
    }
  }
}

// MARK: State

/// The state that each copy of a camera has for itself.
private struct CameraState: Sendable {
  var reading = PictureReading()
  var options = CameraOptions()
  var knowledge = CameraKnowledge()
  var operation = CameraOperation()
}

/// The settings for reading pictures, and the settings at which the card was neutral.
private struct PictureReading: Sendable {
  var estimator = GrayCardEstimator()
  var transfer: TransferFunction?
  var blackLevel: Double?
  var whiteLevel: Double?
  var meteringRegion = GrayCardEstimator.Region.center(1)
  var focusRegion = GrayCardEstimator.Region.center(0.5)
  var neutral: [ControlValue] = []
}

/// Facts about a camera that the caller states, since no picture shows them.
private struct CameraOptions: Sendable {
  var verificationFrames = 60
  var lensTravel = 90
  var isNearAtMaximum = true
}

/// The parts that all copies of a camera share.
private final class SharedCamera: Sendable {
  let port: any CameraPort
  let feed: FrameFeed
  let turns = CameraTurns()
  let pictures = PicturePool()

  init(_ port: any CameraPort) {
    self.port = port
    feed = FrameFeed(port)
  }
}

/// The operation that a camera takes part in, if any.
private struct CameraOperation: Sendable {
  var view: FrameFeed.View?
  var turn: CameraTurns.Turn?
}

extension Camera {
  /// The device.
  public var port: any CameraPort { shared.port }

  /// Everything that its pictures have shown.
  var knowledge: CameraKnowledge {
    get { state.knowledge }
    set { state.knowledge = newValue }
  }

  /// The estimator of the gray-card region.
  public var estimator: GrayCardEstimator {
    get { state.reading.estimator }
    set { state.reading.estimator = newValue }
  }

  /// The picture's transfer function, if it is known better than the frames state it.
  public var transfer: TransferFunction? {
    get { state.reading.transfer }
    set { state.reading.transfer = newValue }
  }

  /// The code of black, if it is known better than the frames state it.
  public var blackLevel: Double? {
    get { state.reading.blackLevel }
    set { state.reading.blackLevel = newValue }
  }

  /// The code of white, if it is known better than the frames state it.
  public var whiteLevel: Double? {
    get { state.reading.whiteLevel }
    set { state.reading.whiteLevel = newValue }
  }

  /// The region whose light determines the exposure; the whole picture by default.
  public var meteringRegion: GrayCardEstimator.Region {
    get { state.reading.meteringRegion }
    set { state.reading.meteringRegion = newValue }
  }

  /// The region whose sharpness determines the focus; the centered half of width and height by
  /// default.
  public var focusRegion: GrayCardEstimator.Region {
    get { state.reading.focusRegion }
    set { state.reading.focusRegion = newValue }
  }

  /// The number of frames during which the picture of a setting is observed for stability; 60 by
  /// default. With 0, neither this nor a longer observation for an unknown `persistence` takes
  /// place, and an automatic that returns goes unnoticed.
  public var verificationFrames: Int {
    get { state.options.verificationFrames }
    set { state.options.verificationFrames = newValue }
  }

  /// The number of frames in which the lens moves through its whole range; 90 by default.
  public var lensTravel: Int {
    get { state.options.lensTravel }
    set { state.options.lensTravel = newValue }
  }

  /// `true` if the largest value of `ControlID.focusPosition` is the nearest, as V4L2 defines it;
  /// no sweep can determine this.
  public var isNearAtMaximum: Bool {
    get { state.options.isNearAtMaximum }
    set { state.options.isNearAtMaximum = newValue }
  }

  /// Returns this camera with what the pictures of another one have shown, which is the same device
  /// opened before.
  package func withKnowledge(of other: Camera) -> Camera {
    var camera = self
    (camera.knowledge, camera.transfer) = (other.knowledge, other.transfer)
    return camera
  }

  /// The latency of a setting in frames, if it is known.
  public var latency: Int? {
    get { knowledge.latency }
    set { knowledge.latency = newValue }
  }

  /// The settling rate, if it is known: the fraction of the remaining change that shows in each
  /// frame; 1 if new gains show at once.
  public var settlingRate: Double? {
    get { knowledge.settlingRate }
    set { knowledge.settlingRate = newValue }
  }

  /// The laws of exposure time and gain, if they were measured; otherwise the unit that V4L2
  /// defines for the exposure time applies.
  public var exposureLaws: ExposureLaws? {
    get { knowledge.exposureLaws }
    set { knowledge.exposureLaws = newValue }
  }

  /// The persistence of settings, if it is known; otherwise operations that set the white balance
  /// determine it, which takes some seconds.
  public var persistence: SettingPersistence? {
    get { knowledge.persistence }
    set { knowledge.persistence = newValue }
  }

  /// The times at which automatic white balance is turned off.
  package var automaticOffPolicy: AutomaticOffPolicy {
    get { knowledge.automaticOffPolicy }
    set { knowledge.automaticOffPolicy = newValue }
  }

  /// The tone curve and the law of the exposure time from pictures at several times, if measured.
  package var exposureSeries: ExposureSeries? {
    get { knowledge.exposureSeries }
    set { knowledge.exposureSeries = newValue }
  }

  /// The latency of an exposure in frames, once it was observed.
  var exposureLatency: Int? {
    get { knowledge.exposureLatency }
    set { knowledge.exposureLatency = newValue }
  }

  /// `true` if the light was seen to flicker.
  var flickers: Bool {
    get { knowledge.flickers }
    set { knowledge.flickers = newValue }
  }

  /// `true` if controls are set from below, because their effect depends on the direction.
  var approachesFromBelow: Bool {
    get { knowledge.approachesFromBelow }
    set { knowledge.approachesFromBelow = newValue }
  }

  /// The settings at which the card was neutral under the current light; empty if it was not
  /// neutralized. If there are any, `flickers` has been determined, too.
  var neutral: [ControlValue] {
    get { state.reading.neutral }
    set { state.reading.neutral = newValue }
  }

  /// The channel mixing after the gains, if it is known.
  var mixing: ChannelMixing? {
    get { knowledge.mixing }
    set { knowledge.mixing = newValue }
  }

  var feed: FrameFeed { shared.feed }
  var turns: CameraTurns { shared.turns }
  var pictures: PicturePool { shared.pictures }

  /// This camera's view of the frames; `nil` outside an operation.
  var view: FrameFeed.View? { state.operation.view }

  /// The operation that this camera takes part in; `nil` outside an operation.
  var turn: CameraTurns.Turn? { state.operation.turn }
}
