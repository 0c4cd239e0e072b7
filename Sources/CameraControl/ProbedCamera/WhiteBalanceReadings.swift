package import CameraProfiles
internal import ColorScience
package import WhiteBalance

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
    private var reader: WhiteBalanceReader
    private var pace: FramePace

    init(camera: Camera, laws: ControlLaws?, pace: FramePace) {
      reader = WhiteBalanceReader(camera, laws: laws)
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
      reader.camera = await reader.camera.watching()
      let (info, statistics) = try await pace.next(of: reader.camera) {
        layout, bytes throws(FrameError) in try FrameStatistics(bytes, layout: layout)
      }
      try await reader.readControls()
      return reader.reading(of: info, statistics)
    }
  }
}

/// Makes readings of frames, whoever takes them from the camera.
package struct WhiteBalanceReader: Sendable {
  fileprivate var camera: Camera
  private let laws: ControlLaws?
  private var detector = SettleDetector()
  /// The first frame since the controls were read, and the last one.
  private var frames: ClosedRange<Int>?
  private var isAutomatic = false
  private var isAdjusting = true
  private var values: [ControlValue] = []

  /// The frames between two readings of controls that stay, as they cost an exchange over the bus.
  /// What an automatic moves is read with each frame: older values with a newer picture would tell
  /// of another light.
  private static let controlsInterval = 10

  /// A reader that has seen no frame.
  package init(_ camera: Camera, laws: ControlLaws?) {
    self.camera = camera
    self.laws = laws
  }

  /// Reads the controls where it is time to, when a frame has come: an automatic may move them
  /// while it is waited for.
  ///
  /// - Returns: whether they were read.
  @discardableResult package mutating func readControls() async throws(CameraError) -> Bool {
    let isTime = (isAutomatic && isAdjusting) || (frames?.count ?? .max) >= Self.controlsInterval
    if isTime {
      frames = nil
      isAutomatic = try await camera.isAutomatic
      values = []
      for id in ControlID.balanceSettings {
        if let value = try await camera.value(of: id) { values.append(ControlValue(id, value)) }
      }
    }
    return isTime
  }

  /// What that frame says.
  package mutating func reading(
    of info: FrameInfo, _ statistics: FrameStatistics
  ) -> WhiteBalanceReading {
    let mixing = laws?.mixing ?? camera.mixing
    let missing = Gains(
      neutralizing: mixing.map { $0.unmixed(statistics.mean) } ?? statistics.mean)
    let ratios = missing.map { LinearRGB($0.vector).logRatios }
    let isAtRest = ratios.flatMap { detector.add(red: $0.x, blue: $0.y) }
    isAdjusting = isAtRest == nil
    let first = min(frames?.lowerBound ?? info.sequence, info.sequence)
    frames = first...info.sequence
    let device = laws?.gains(at: values)
    return WhiteBalanceReading(
      frame: info, isAutomatic: isAutomatic, isAdjusting: isAdjusting, values: values,
      deviceGains: device.flatMap { $0.arePositiveAndFinite ? $0.normalized() : nil },
      missingGains: missing, pixels: statistics.pixels)
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
