package import CameraProfiles
internal import ColorScience
package import WhiteBalance

/// The readings of a camera's white balance, one for each requested frame.
///
/// Every consumer gets every frame, also while others read them. Frames are pulled: those that
/// nobody requests are dropped. The sequence ends with its consumer, or throws when the camera is
/// disconnected.
public struct WhiteBalanceReadings: AsyncSequence, Sendable {
  /// A reading.
  public typealias Element = WhiteBalanceReading
  /// The error that ends the sequence.
  public typealias Failure = CameraError

  let camera: Camera
  let laws: ControlLaws?
  let perSecond: Double?

  /// Starts reading.
  public func makeAsyncIterator() -> Iterator {
    Iterator(camera: camera, laws: laws, pace: FramePace(perSecond: perSecond))
  }

  /// Reads the frames one after the other.
  public struct Iterator: AsyncIteratorProtocol {
    private var reader: WhiteBalanceReader
    private var pace: FramePace

    init(camera: Camera, laws: ControlLaws?, pace: FramePace) {
      reader = WhiteBalanceReader(camera, laws: laws)
      self.pace = pace
    }

    /// Returns the next frame's reading.
    public mutating func next() async throws(CameraError) -> WhiteBalanceReading? {
      try await next(isolation: #isolation)
    }

    /// Returns the next frame's reading.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(CameraError) -> WhiteBalanceReading? {
      if Task.isCancelled { throw .cancelled }
      reader.camera = await reader.camera.watching()
      let (info, light) = try await pace.next(of: reader.camera) {
        layout, bytes throws(FrameError) in try FrameLight(bytes, layout: layout)
      }
      try await reader.readControls()
      return reader.reading(of: info, light)
    }
  }
}

/// Makes readings of frames from any source.
package struct WhiteBalanceReader: Sendable {
  fileprivate var camera: Camera
  private let laws: ControlLaws?
  private var detector = SettleDetector()
  /// The range from the first frame since the controls were read to the last one.
  private var frames: ClosedRange<Int>?
  private var isAutomatic = false
  private var isAdjusting = true
  private var values: [ControlValue] = []
  private var lightChanges = ConfirmedLightChanges()

  /// The number of frames between two readings of settled controls, each of which costs a transfer
  /// over the bus. Controls that an automatic moves are read with each frame: older values with a
  /// newer picture would indicate another light.
  private static let controlsInterval = 10

  /// Creates a reader without frames.
  package init(_ camera: Camera, laws: ControlLaws?) {
    self.camera = camera
    self.laws = laws
  }

  /// Reads the controls if it is time to, after a frame has come: an automatic may move them while
  /// the frame is awaited.
  ///
  /// - Returns: `true` if they were read.
  @discardableResult package mutating func readControls() async throws(CameraError) -> Bool {
    let isTime =
      (isAutomatic && isAdjusting) || (frames?.count ?? .max) >= Self.controlsInterval
      || lightChanges.isUnconfirmed
    if isTime {
      let before = (isAutomatic, values)
      frames = nil
      isAutomatic = try await camera.isAutomatic
      values = []
      for id in ControlID.balanceSettings {
        if let value = try await camera.value(of: id) { values.append(ControlValue(id, value)) }
      }
      if isAutomatic || before != (isAutomatic, values) { lightChanges = ConfirmedLightChanges() }
    }
    return isTime
  }

  /// Returns the reading of a frame.
  package mutating func reading(
    of info: FrameInfo, _ light: FrameLight
  ) -> WhiteBalanceReading {
    let statistics = light.statistics
    let mixing = laws?.mixing ?? camera.mixing
    let missing = Gains(
      neutralizing: mixing.map { $0.unmixed(statistics.mean) } ?? statistics.mean)
    let ratios = missing.map { LinearRGB($0.vector).logRatios }
    let settled = ratios.flatMap { detector.add(red: $0.x, blue: $0.y) }
    isAdjusting = settled == nil
    let first = min(frames?.lowerBound ?? info.sequence, info.sequence)
    frames = first...info.sequence
    let device = laws?.gains(at: values)
    return WhiteBalanceReading(
      frame: info, isAutomatic: isAutomatic, isAdjusting: isAdjusting, values: values,
      deviceGains: device.flatMap { $0.arePositiveAndFinite ? $0.normalized(to: .smallest) : nil },
      missingGains: missing, pixels: statistics.pixels,
      lightChange: isAutomatic ? nil : lightChanges.add(light))
  }
}

extension Camera {
  /// Returns readings of each frame's white balance; for the device's gains, use a probed camera.
  ///
  /// - Parameter perSecond: The number of readings per second; the frames in between are skipped.
  public func readings(perSecond: Double? = nil) -> WhiteBalanceReadings {
    WhiteBalanceReadings(camera: self, laws: nil, perSecond: perSecond)
  }
}
