internal import ColorScience
internal import WhiteBalance

/// Readings of a camera's white balance, one for each frame that is asked for.
///
/// Every consumer sees every frame, whoever else watches. Frames are pulled: while nobody asks, the
/// camera's are dropped. The sequence ends with its consumer, or throws when the camera goes away.
public struct WhiteBalanceReadings: AsyncSequence, Sendable {
  /// A reading.
  public typealias Element = WhiteBalanceReading
  /// Why there are no more.
  public typealias Failure = CameraError

  let camera: Camera
  let laws: ControlLaws?
  let perSecond: Double?

  /// Starts reading.
  public func makeAsyncIterator() -> Iterator {
    Iterator(camera: camera, laws: laws, pace: FramePace(perSecond: perSecond))
  }

  /// Reads frame after frame.
  public struct Iterator: AsyncIteratorProtocol {
    private var camera: Camera
    private let laws: ControlLaws?
    private var pace: FramePace
    private var detector = SettleDetector()
    private var framesSinceReading = 0
    private var isAutomatic = false
    private var values: [ControlValue] = []

    /// The frames between two readings of the controls, which cost an exchange over the bus.
    private static let controlsInterval = 10

    init(camera: Camera, laws: ControlLaws?, pace: FramePace) {
      self.camera = camera
      self.laws = laws
      self.pace = pace
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
      camera = await camera.watching()
      if framesSinceReading % Self.controlsInterval == 0 {
        isAutomatic = try await camera.isAutomatic
        values = []
        for id in ControlID.balanceSettings {
          if let value = try await camera.value(of: id) { values.append(ControlValue(id, value)) }
        }
      }
      framesSinceReading += 1
      let (info, statistics) = try await pace.next(of: camera) {
        layout, bytes throws(FrameError) in try FrameStatistics(bytes, layout: layout)
      }
      let missing = Gains(
        neutralizing: camera.mixing.map { $0.unmixed(statistics.mean) } ?? statistics.mean)
      let ratios = missing.map { LinearRGB($0.vector).logRatios }
      let isAtRest = ratios.flatMap { detector.add(red: $0.x, blue: $0.y) }
      let device = laws?.gains(at: values)
      return WhiteBalanceReading(
        frame: info, isAutomatic: isAutomatic, isAdjusting: isAtRest == nil, values: values,
        deviceGains: device.flatMap { $0.arePositiveAndFinite ? $0.normalized() : nil },
        missingGains: missing, pixels: statistics.pixels)
    }
  }
}

extension Camera {
  /// The white balance frame by frame; of a probed camera also the device's gains.
  ///
  /// - Parameter perSecond: readings a second; the frames between pass unread.
  public func readings(perSecond: Double? = nil) -> WhiteBalanceReadings {
    WhiteBalanceReadings(camera: self, laws: nil, perSecond: perSecond)
  }
}
