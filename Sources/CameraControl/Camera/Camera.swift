public import ColorScience
public import WhiteBalance

/// A camera whose white balance is set by its controls and verified in its pictures.
///
/// Every wait is counted in frames and bounded. A task's cancellation ends a wait with
/// `CameraError.cancelled`; `restore(_:)` still works then.
public struct Camera: Sendable {
  /// The device.
  public let port: any CameraPort
  /// What is looked at.
  public var estimator: GrayCardEstimator
  /// The picture's tone curve, where it is known better than the frames tell.
  public var curve: TransferFunction?
  /// The stored values of no light and of white, where they are known better than the frames tell.
  public var blackLevel, whiteLevel: Double?
  /// Frames after which a setting shows, where it is known.
  public var latency: Int?

  /// A camera behind a port.
  public init(
    _ port: any CameraPort, estimator: GrayCardEstimator = GrayCardEstimator(),
    curve: TransferFunction? = nil, blackLevel: Double? = nil, whiteLevel: Double? = nil,
    latency: Int? = nil
  ) {
    self.port = port
    self.estimator = estimator
    self.curve = curve
    self.blackLevel = blackLevel
    self.whiteLevel = whiteLevel
    self.latency = latency
  }

  /// Frames within which a setting must show: known pipelines are half as deep.
  public static let latencyBound = 12
  /// Frames that a picture may take to come to rest, and a setting to be seen.
  static let patience = 90
  /// Frames that must agree before a picture counts as being at rest.
  static let agreeing = 4

  /// Frames to let pass after a setting.
  var delay: Int { latency.map { $0 + 2 } ?? Self.latencyBound }

  /// The estimate from the next frame.
  public func nextEstimate() async throws(CameraError) -> (FrameInfo, GrayCardEstimate) {
    let estimator = estimator
    return try await nextFrame { _, layout, bytes throws(FrameError) in
      try estimator.estimate(bytes, layout: layout)
    }
  }

  /// The mean estimate of several frames.
  public func estimate(frames: Int = 8) async throws(CameraError) -> GrayCardEstimate {
    var estimates: [GrayCardEstimate] = []
    for _ in 0..<frames { estimates.append(try await nextEstimate().1) }
    return GrayCardEstimate(averaging: estimates)
  }

  /// Waits until the color of the region is at rest, after at least `first` frames.
  public func settle(after first: Int = 0) async throws(CameraError) {
    var last: [SIMD2<Double>] = []
    var unseen = 0
    for frame in 0..<first + Self.patience {
      let (_, mean) = try await nextMean()
      guard frame >= first else { continue }
      guard let ratios = mean.ratios else {
        // A single one is a broken frame.
        unseen += 1
        if unseen == Self.agreeing { throw .nothingToSee(mean.refusals) }
        continue
      }
      unseen = 0
      last.append(ratios)
      if last.count > Self.agreeing { last.removeFirst() }
      if last.count == Self.agreeing,
        Self.spread(last) < max(0.002, 6 * mean.standardError)
      {
        return
      }
    }
    throw .notSettled(frames: Self.patience)
  }

  /// Lets frames pass.
  func skipFrames(_ count: Int) async throws(CameraError) {
    for _ in 0..<count {
      if Task.isCancelled { throw .cancelled }
      try await port.withNextFrame { _, _ in }
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

  /// Sets controls and checks that the camera reports them.
  func setAndReadBack(_ values: [ControlValue]) async throws(CameraError) {
    try await port.set(values)
    try await readBack(values)
  }

  /// Checks that the camera reports controls as they were set.
  func readBack(_ values: [ControlValue]) async throws(CameraError) {
    for value in values {
      let reported = try await port.value(of: value.id)
      guard reported == value.value else { throw .notHeld(value, reported: reported) }
    }
  }

  static func spread(_ values: [SIMD2<Double>]) -> Double {
    guard let first = values.first else { return 0 }
    var (low, high) = (first, first)
    for value in values {
      low = pointwiseMin(low, value)
      high = pointwiseMax(high, value)
    }
    return (high - low).max()
  }
}
