internal import CameraProfiles
internal import ColorScience
public import WhiteBalance

/// The state of a camera's exposure and lens at one frame.
public struct CaptureState: Hashable, Sendable {
  /// The frame.
  public let frame: FrameInfo
  /// The exposure mode.
  public let exposureMode: ExposureMode
  /// The exposure time in seconds; `nil` if there is no control of it, its unit is unknown, or the
  /// camera chooses it and does not report it.
  public let duration: Double?
  /// The gain relative to the smallest; `nil` if there is no control of it, its law is unknown
  /// (`Camera.exposureLaws`), or the camera chooses it and does not report it.
  public let amplification: Double?
  /// The exposure compensation of automatic exposure, in stops; `nil` if there is no such control.
  public let bias: Double?
  /// The exposure of the metered region.
  public let exposure: ExposureReading
  /// Indicates whether the light of the picture has changed in the last frames.
  public let isAdjustingExposure: Bool
  /// The focus mode; `nil` if the lens cannot be moved.
  public let focusMode: FocusMode?
  /// The focus position, from 0 (nearest) to 1 (farthest); `nil` if there is no control of it, or
  /// the camera moves the lens and does not report its position.
  public let lensPosition: Double?
  /// Indicates whether the camera reports that it is moving the lens; `nil` if it does not report
  /// that.
  public let isAdjustingFocus: Bool?
}

/// The states of a camera, one for each requested frame.
///
/// ```swift
/// func follow(_ camera: Camera) async throws {
///   for try await position in camera.captureStates(perSecond: 10).map(\.lensPosition) {
///     print(position ?? "unknown")
///   }
/// }
/// ```
///
/// Frames are pulled, as by `WhiteBalanceReadings`. The controls are read with each state, since no
/// driver reports every change that a camera makes itself.
public struct CaptureStates: AsyncSequence, Sendable {
  /// A state.
  public typealias Element = CaptureState
  /// The error that ends the sequence.
  public typealias Failure = CameraError

  let camera: Camera
  let perSecond: Double?

  /// Starts reading.
  public func makeAsyncIterator() -> Iterator {
    Iterator(camera: camera, pace: FramePace(perSecond: perSecond))
  }

  /// Reads the frames one after the other.
  public struct Iterator: AsyncIteratorProtocol {
    private var camera: Camera
    private var pace: FramePace
    private var levels: [Double] = []

    init(camera: Camera, pace: FramePace) {
      self.camera = camera
      self.pace = pace
    }

    /// Returns the next frame's state.
    public mutating func next() async throws(CameraError) -> CaptureState? {
      try await next(isolation: #isolation)
    }

    /// Returns the next frame's state.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(CameraError) -> CaptureState? {
      if Task.isCancelled { throw .cancelled }
      camera = await camera.watching()
      let finder = GrayCardEstimator(region: camera.meteringRegion)
      let (info, light) = try await pace.next(of: camera) { layout, bytes throws(FrameError) in
        try PictureLight(bytes, layout: layout, region: finder.rectangle(in: layout))
      }
      levels = (levels + [Swift.max(light.level, 1e-6)]).suffix(Camera.agreeingFrames)
      let isSettled =
        levels.count == Camera.agreeingFrames && levels.max()! / levels.min()! < 1.02
      return try await camera.state(info, ExposureReading(light), isAdjusting: !isSettled)
    }
  }
}

extension Camera {
  /// Returns the states of the camera's exposure and lens, frame by frame.
  ///
  /// - Parameter perSecond: The number of states per second; the frames in between are skipped.
  public func captureStates(perSecond: Double? = nil) -> CaptureStates {
    CaptureStates(camera: self, perSecond: perSecond)
  }

  /// The exposure time in seconds and the gain relative to the smallest, as far as they are known:
  /// see `CaptureState`.
  package var exposureSetting: (duration: Double?, amplification: Double?) {
    get async throws(CameraError) {
      let laws = try? await lawsOfExposure()
      let (time, gain) = (laws?.time?.control.id, laws?.gain?.control.id)
      return (
        try await reportedValue(time).flatMap { laws?.duration(at: $0) },
        try await reportedValue(gain).flatMap { laws?.amplification(at: $0) }
      )
    }
  }

  /// The exposure times in seconds and the relative gains that can be set, as far as they are
  /// known.
  package var exposureRanges: (durations: ClosedRange<Double>?, gains: ClosedRange<Double>?) {
    get async {
      let laws = try? await lawsOfExposure()
      return (laws?.durations, laws?.gain == nil ? nil : laws?.amplifications)
    }
  }

  fileprivate func state(
    _ info: FrameInfo, _ exposure: ExposureReading, isAdjusting: Bool
  ) async throws(CameraError) -> CaptureState {
    let (duration, amplification) = try await exposureSetting
    let bias = await port.description(of: .exposureBias)
    let lens = await port.description(of: .focusPosition)
    let position = try await reportedValue(.focusPosition)
    return CaptureState(
      frame: info, exposureMode: try await exposureMode,
      duration: duration, amplification: amplification,
      bias: try await reportedValue(bias?.id).flatMap { bias?.stops(at: $0) },
      exposure: exposure, isAdjustingExposure: isAdjusting,
      focusMode: await supportedFocusModes.isEmpty ? nil : try await focusMode,
      lensPosition: position.flatMap { position in lens.map { lensPosition(position, $0) } },
      isAdjustingFocus: try await reportedValue(.autoFocusStatus).map { $0 & 1 != 0 })
  }

  /// Returns the value of a control; `nil` if there is none, or if the camera sets it and its
  /// driver reports the last manual value.
  private func reportedValue(_ id: ControlID?) async throws(CameraError) -> Int? {
    guard let id, let value = try await value(of: id) else { return nil }
    let flags = try await port.flags(of: id)
    return flags.contains(.inactive) && !flags.contains(.volatile) ? nil : value
  }
}
