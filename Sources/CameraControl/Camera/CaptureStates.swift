internal import CameraProfiles
internal import ColorScience
public import WhiteBalance

/// What a camera's exposure and its lens are, as of one frame.
public struct CaptureState: Hashable, Sendable {
  /// The frame.
  public let frame: FrameInfo
  /// Who chooses the exposure.
  public let exposureMode: ExposureMode
  /// The exposure time in seconds; `nil` where there is no control of it, its unit is not known, or
  /// the camera chooses it and does not tell.
  public let duration: Double?
  /// The amplification beside the smallest; `nil` where there is no control of it, what its numbers
  /// mean is not known (`Camera.exposureLaws`), or the camera chooses it and does not tell.
  public let amplification: Double?
  /// What the camera's own choice aims at beside what it takes for right, in stops; `nil` where it
  /// has no such control.
  public let bias: Double?
  /// How the metered part of the picture is exposed.
  public let exposure: ExposureReading
  /// Whether the light of the picture has changed in the last frames.
  public let isAdjustingExposure: Bool
  /// Who moves the lens; `nil` where nobody can.
  public let focusMode: FocusMode?
  /// Where the lens is set, 0 the nearest, 1 the farthest; `nil` where there is no control of it,
  /// or the camera moves it and does not tell.
  public let lensPosition: Double?
  /// Whether the camera says that it moves the lens; `nil` where it does not tell.
  public let isAdjustingFocus: Bool?
}

/// The states of a camera, one for each frame that is asked for.
///
/// ```swift
/// func follow(_ camera: Camera) async throws {
///   for try await position in camera.captureStates(perSecond: 10).map(\.lensPosition) {
///     print(position ?? "unknown")
///   }
/// }
/// ```
///
/// Frames are pulled as by `WhiteBalanceReadings`. The controls are read with each state, since no
/// driver tells of all that a camera moves by itself.
public struct CaptureStates: AsyncSequence, Sendable {
  /// A state.
  public typealias Element = CaptureState
  /// Why there are no more.
  public typealias Failure = CameraError

  let camera: Camera
  let perSecond: Double?

  /// Starts reading.
  public func makeAsyncIterator() -> Iterator {
    Iterator(camera: camera, pace: FramePace(perSecond: perSecond))
  }

  /// Reads frame after frame.
  public struct Iterator: AsyncIteratorProtocol {
    private var camera: Camera
    private var pace: FramePace
    private var levels: [Double] = []

    init(camera: Camera, pace: FramePace) {
      self.camera = camera
      self.pace = pace
    }

    /// The next frame's state.
    public mutating func next() async throws(CameraError) -> CaptureState? {
      try await next(isolation: #isolation)
    }

    /// The next frame's state.
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
      let isAtRest =
        levels.count == Camera.agreeingFrames && levels.max()! / levels.min()! < 1.02
      return try await camera.state(info, ExposureReading(light), isAdjusting: !isAtRest)
    }
  }
}

extension Camera {
  /// The camera's exposure and lens frame by frame.
  ///
  /// - Parameter perSecond: states a second; the frames between pass unread.
  public func captureStates(perSecond: Double? = nil) -> CaptureStates {
    CaptureStates(camera: self, perSecond: perSecond)
  }

  /// The exposure time in seconds and the amplification beside the smallest, as far as they are
  /// known: see `CaptureState`.
  package var exposureSetting: (duration: Double?, amplification: Double?) {
    get async throws(CameraError) {
      let laws = try? await lawsOfExposure()
      let (time, gain) = (laws?.time?.control.id, laws?.gain?.control.id)
      return (
        try await told(time).flatMap { laws?.duration(at: $0) },
        try await told(gain).flatMap { laws?.amplification(at: $0) }
      )
    }
  }

  /// The exposure times in seconds and the amplifications that can be set, as far as they are
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
    let place = try await told(.focusPosition)
    return CaptureState(
      frame: info, exposureMode: try await exposureMode,
      duration: duration, amplification: amplification,
      bias: try await told(bias?.id).flatMap { bias?.stops(at: $0) },
      exposure: exposure, isAdjustingExposure: isAdjusting,
      focusMode: await supportedFocusModes.isEmpty ? nil : try await focusMode,
      lensPosition: place.flatMap { place in lens.map { lensPosition(place, $0) } },
      isAdjustingFocus: try await told(.autoFocusStatus).map { $0 & 1 != 0 })
  }

  /// What a control is at; `nil` where there is none, or the camera moves it and its driver tells
  /// what was set by hand last.
  private func told(_ id: ControlID?) async throws(CameraError) -> Int? {
    guard let id, let value = try await value(of: id) else { return nil }
    let flags = try await port.flags(of: id)
    return flags.contains(.inactive) && !flags.contains(.volatile) ? nil : value
  }
}
