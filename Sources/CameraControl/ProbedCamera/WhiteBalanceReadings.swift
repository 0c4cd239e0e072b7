internal import ColorScience
public import WhiteBalance

/// The white balance at one frame.
public struct WhiteBalanceReading: Hashable, Sendable {
  /// The frame.
  public let frame: FrameInfo
  /// Whether the camera chooses the white balance by itself.
  public let isAutomatic: Bool
  /// Whether the color of the scene still moves: because of an automatic, or of the light.
  public let isAdjusting: Bool
  /// What the balance controls are set to; with an automatic on, what it has chosen, a few frames
  /// ago.
  public let values: [ControlValue]
  /// The gains that the values mean, the smallest 1; `nil` where no law is known.
  public let deviceGains: Gains?
  /// The gains, on top of the device's, that would make the mean of the whole frame neutral, the
  /// smallest 1; `nil` where no pixel can be used.
  public let missingGains: Gains?
  /// The counts of pixels behind them.
  public let pixels: PixelCounts

  /// The gains from the controls' reference on that would make the mean of the whole frame neutral,
  /// the smallest 1: AVFoundation's `grayWorldDeviceWhiteBalanceGains`; `nil` where a law or a mean
  /// is missing.
  public var grayWorldGains: Gains? {
    guard let deviceGains, let missingGains else { return nil }
    return Gains(vector: deviceGains.vector * missingGains.vector).normalized()
  }
}

/// Readings of a camera's white balance, one for each frame that is asked for.
///
/// Frames are pulled: while nobody asks, the camera's are dropped. The sequence ends with its
/// consumer, or throws when the camera goes away.
public struct WhiteBalanceReadings: AsyncSequence, Sendable {
  /// A reading.
  public typealias Element = WhiteBalanceReading
  /// Why there are no more.
  public typealias Failure = CameraError

  let camera: Camera
  let controls: WhiteBalanceControls?
  let perSecond: Double?

  /// Starts reading.
  public func makeAsyncIterator() -> Iterator {
    Iterator(
      camera: camera, controls: controls,
      interval: perSecond.map { .seconds(1 / $0) } ?? .zero)
  }

  /// Reads frame after frame.
  public struct Iterator: AsyncIteratorProtocol {
    let camera: Camera
    let controls: WhiteBalanceControls?
    private let interval: Duration
    private var due: Duration?
    private var detector = SettleDetector()
    private var framesSinceReading = 0
    private var isAutomatic = false
    private var values: [ControlValue] = []

    /// Frames between two looks at the controls: a look costs the camera an exchange over its bus.
    private static let untilLook = 10

    init(camera: Camera, controls: WhiteBalanceControls?, interval: Duration) {
      self.camera = camera
      self.controls = controls
      self.interval = interval
    }

    /// The next frame's reading.
    public mutating func next() async throws(CameraError) -> WhiteBalanceReading? {
      try await next(isolation: #isolation)
    }

    /// The next frame's reading.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(CameraError) -> WhiteBalanceReading? {
      if Task.isCancelled { throw .cancelled }
      if framesSinceReading % Self.untilLook == 0 {
        isAutomatic = try await camera.isAutomatic
        values = try await camera.balanceValues()
      }
      framesSinceReading += 1
      let (info, statistics) = try await camera.nextStatistics(from: due)
      // From the frame before, not from the plan: nothing is caught up with.
      due = info.timestamp + interval - interval / 20
      let missing = Gains(neutralizing: statistics.mean)
      let isAtRest =
        missing.map {
          detector.add(red: logarithm($0.red / $0.green), blue: logarithm($0.blue / $0.green))
        }
        ?? nil
      let device = controls?.gains(at: values)
      return WhiteBalanceReading(
        frame: info, isAutomatic: isAutomatic, isAdjusting: isAtRest == nil, values: values,
        deviceGains: device.flatMap { $0.arePositiveAndFinite ? $0.normalized() : nil },
        missingGains: missing,
        pixels: statistics.pixels)
    }
  }
}

extension Camera {
  /// The white balance frame by frame; with the laws of the controls, also the device's gains.
  ///
  /// - Parameters:
  ///   - controls: the laws, as `probeControls(progress:)` found them.
  ///   - perSecond: readings a second, of a camera that delivers more; the frames between pass
  ///     unread.
  public func whiteBalance(
    controls: WhiteBalanceControls? = nil, perSecond: Double? = nil
  ) -> WhiteBalanceReadings {
    WhiteBalanceReadings(camera: self, controls: controls, perSecond: perSecond)
  }

  /// What the controls of the white balance are set to.
  func balanceValues() async throws(CameraError) -> [ControlValue] {
    var values: [ControlValue] = []
    for id in [
      ControlID.redBalance, .greenBalance, .blueBalance, .whiteBalanceTemperature,
      .whiteBalancePreset,
    ] {
      if let value = try await value(of: id) { values.append(ControlValue(id, value)) }
    }
    return values
  }

  /// The statistics of the first frame that is no earlier than a time.
  fileprivate func nextStatistics(
    from due: Duration?
  ) async throws(CameraError) -> (FrameInfo, FrameStatistics) {
    while true {
      let (info, statistics) = try await nextFrame {
        info, layout, bytes throws(FrameError) -> FrameStatistics? in
        if let due, info.timestamp < due { return nil }
        return try FrameStatistics(bytes, layout: layout)
      }
      if let statistics { return (info, statistics) }
    }
  }
}
