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
///   let camera = try await Camera(port).probed()
///   return try await camera.lock(at: gains)  // returns when the picture shows it
/// }
/// ```
///
/// A camera and its copies do one thing at a time: what sets controls waits until what was asked
/// for earlier has ended, and other programs that ask as well (`withConfiguration(_:)`). Of two
/// operations that decide the white balance, the newer one supersedes the older, which ends with
/// `CameraError.superseded`. Whoever reads frames sees every frame, also while others read them.
/// Both hold for the copies of one `Camera`; make only one from a port.
///
/// Every wait is counted in frames and bounded. A cancelled task ends a wait with
/// `CameraError.cancelled`, never with `CancellationError`; `restore(_:)` still works then.
public struct Camera: Sendable {
  private let shared: SharedCamera
  @Indirect private var state = CameraState()

  /// A camera behind a port.
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

  /// The number of frames after which a setting shows in nearly any camera: known pipelines are
  /// half as deep.
  public static let latencyBound = 12
  /// The number of frames after which a camera of unknown latency counts as not having changed.
  static let longestLatency = ExposureLaws.longestLatency
  /// The number of frames within which a picture must come to rest, and a setting be seen.
  static let frameLimit = 90
  /// The number of successive frames that must agree before a picture counts as being at rest.
  static let agreeingFrames = PictureWatch.agreeingFrames

  /// The number of frames to let pass after a setting: all but 0.1 % of the way is gone then.
  var delay: Int {
    (latency.map { $0 + 2 } ?? Self.latencyBound)
      + (pace.map { $0 < 1 ? Int(-6.9 / logarithm(1 - $0)) : 0 } ?? 0)
  }

  /// Runs several operations as one: no other one of this program, and of programs that ask for
  /// the camera's configuration none at all, comes between them.
  ///
  /// Every operation that sets controls takes the configuration while it runs, so this is for those
  /// that belong together. It must be the camera that `body` is given that does them: another copy
  /// waits until `body` has returned.
  ///
  /// - Throws: what `body` throws; `busy`, which names the program that has the configuration.
  public func withConfiguration<Result>(
    _ body: (Camera) async throws(CameraError) -> Result
  ) async throws(CameraError) -> Result {
    try await performing { camera async throws(CameraError) in
      try await camera.turns.configure(port)
      return try await body(camera)
    }
  }

  /// Runs an operation that sets controls, when it is its turn.
  ///
  /// The operation gets a camera of its own, which sees every frame from then on, and whose
  /// operations are parts of this one.
  ///
  /// Functions that wait and take closures are `dynamic` here: the compiler would make a copy of
  /// each for every closure.
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

  /// The camera with a view of its own, so that it misses no frame.
  func watching() async -> Camera {
    if view != nil { return self }
    var camera = self
    camera.state.operation.view = await feed.view()
    return camera
  }

  /// Ends an operation that nobody waits for any more.
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

  /// Stops the stream; the next frame starts it anew, which may turn the automatic on.
  package func stopStreaming() async {
    await port.stopStreaming()
    await turns.noteOff(since: nil)
  }

  /// The number of frames that this camera and its copies have taken.
  package var framesTaken: Int { get async { await feed.taken } }

  /// The number of frames since the automatic was turned off last; 0 where it may be on again.
  var framesSinceOff: Int {
    get async {
      guard let start = await turns.offSince else { return 0 }
      return await feed.taken - start
    }
  }

  /// The value of a control; `nil` where the camera has no such control, or does not tell.
  func value(of id: ControlID) async throws(CameraError) -> Int? {
    guard await port.description(of: id) != nil else { return nil }
    do { return try await port.value(of: id) } catch {
      if case .notReadable = error { return nil }
      throw error
    }
  }
}

// MARK: What it holds

/// Everything that one copy of a camera has for itself.
private struct CameraState: Sendable {
  var reading = PictureReading()
  var options = CameraOptions()
  var knowledge = CameraKnowledge()
  var operation = CameraOperation()
}

/// The settings by which pictures are read, and where the card in them was neutral.
private struct PictureReading: Sendable {
  var estimator = GrayCardEstimator()
  var transfer: TransferFunction?
  var blackLevel: Double?
  var whiteLevel: Double?
  var meteringRegion = GrayCardEstimator.Region.center(1)
  var focusRegion = GrayCardEstimator.Region.center(0.5)
  var neutral: [ControlValue] = []
}

/// Facts about a camera that the caller states, since no picture tells them.
private struct CameraOptions: Sendable {
  var watchedFrames = 60
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

/// The operation that a camera takes part in, if it does.
private struct CameraOperation: Sendable {
  var view: FrameFeed.View?
  var turn: CameraTurns.Turn?
}

extension Camera {
  /// The device.
  public var port: any CameraPort { shared.port }

  /// Everything its pictures have told.
  var knowledge: CameraKnowledge {
    get { state.knowledge }
    set { state.knowledge = newValue }
  }

  /// Reads the gray-card region.
  public var estimator: GrayCardEstimator {
    get { state.reading.estimator }
    set { state.reading.estimator = newValue }
  }

  /// The picture's transfer function, where it is known better than the frames tell.
  public var transfer: TransferFunction? {
    get { state.reading.transfer }
    set { state.reading.transfer = newValue }
  }

  /// The code of no light, where it is known better than the frames tell.
  public var blackLevel: Double? {
    get { state.reading.blackLevel }
    set { state.reading.blackLevel = newValue }
  }

  /// The code of white, where it is known better than the frames tell.
  public var whiteLevel: Double? {
    get { state.reading.whiteLevel }
    set { state.reading.whiteLevel = newValue }
  }

  /// The part of the picture whose light counts in exposing; all of it by default.
  public var meteringRegion: GrayCardEstimator.Region {
    get { state.reading.meteringRegion }
    set { state.reading.meteringRegion = newValue }
  }

  /// The part of the picture whose sharpness counts in focusing; the centered half of width and
  /// height by default.
  public var focusRegion: GrayCardEstimator.Region {
    get { state.reading.focusRegion }
    set { state.reading.focusRegion = newValue }
  }

  /// The frames for which the picture of a setting is watched, whether it stays, once it shows it;
  /// 60 by default. With 0 it is not, nor examined for longer where nothing is known of the
  /// camera's `endurance`: an automatic that comes back then goes unnoticed.
  public var watchedFrames: Int {
    get { state.options.watchedFrames }
    set { state.options.watchedFrames = newValue }
  }

  /// The number of frames in which the lens goes through its whole range; 90 by default.
  public var lensTravel: Int {
    get { state.options.lensTravel }
    set { state.options.lensTravel = newValue }
  }

  /// `true` if the largest value of `ControlID.focusPosition` is the nearest, as V4L2 defines it;
  /// no sweep can tell.
  public var isNearAtMaximum: Bool {
    get { state.options.isNearAtMaximum }
    set { state.options.isNearAtMaximum = newValue }
  }

  /// The number of frames after which a setting shows, where it is known.
  public var latency: Int? {
    get { knowledge.latency }
    set { knowledge.latency = newValue }
  }

  /// The share of the rest of the way to new gains that the picture goes in a frame, where it is
  /// known; 1 where they are there at once.
  public var pace: Double? {
    get { knowledge.pace }
    set { knowledge.pace = newValue }
  }

  /// The laws of exposure time and gain, if they were found; without them the unit that V4L2
  /// promises of the exposure time counts.
  public var exposureLaws: ExposureLaws? {
    get { knowledge.exposureLaws }
    set { knowledge.exposureLaws = newValue }
  }

  /// How long settings last, if that is known; without it operations that set the white balance
  /// find it out, which takes some seconds.
  public var endurance: Endurance? {
    get { knowledge.endurance }
    set { knowledge.endurance = newValue }
  }

  /// `true` if the automatic is turned off once, and not before each setting, so that one that
  /// comes back by itself is seen while settings are tried.
  package var turnsOffOnce: Bool {
    get { knowledge.turnsOffOnce }
    set { knowledge.turnsOffOnce = newValue }
  }

  /// The tone curve and the law of the time from pictures at several exposure times, if they were
  /// looked at.
  package var exposureSeries: ExposureSeries? {
    get { knowledge.exposureSeries }
    set { knowledge.exposureSeries = newValue }
  }

  /// `true` if the light was seen to flicker.
  var flickers: Bool {
    get { knowledge.flickers }
    set { knowledge.flickers = newValue }
  }

  /// `true` if controls are brought to their values from below, because their effect depends on the
  /// side that they come from.
  var comesFromBelow: Bool {
    get { knowledge.comesFromBelow }
    set { knowledge.comesFromBelow = newValue }
  }

  /// The settings at which the card was neutral under the light that is on it; empty before that.
  /// Flicker of that light is known then.
  var neutral: [ControlValue] {
    get { state.reading.neutral }
    set { state.reading.neutral = newValue }
  }

  /// The mixing of the channels behind the gains, if it is known.
  var mixing: ColorMixing? {
    get { knowledge.mixing }
    set { knowledge.mixing = newValue }
  }

  var feed: FrameFeed { shared.feed }
  var turns: CameraTurns { shared.turns }
  var pictures: PicturePool { shared.pictures }

  /// This camera's view of the frames; `nil` outside an state.operation.
  var view: FrameFeed.View? { state.operation.view }

  /// The operation that this camera takes part in; `nil` outside an state.operation.
  var turn: CameraTurns.Turn? { state.operation.turn }
}
