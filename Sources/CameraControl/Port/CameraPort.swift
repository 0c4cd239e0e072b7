public import CameraProfiles
public import WhiteBalance

/// The number, time and layout of a frame.
public typealias FrameInfo = WhiteBalance.FrameInfo

/// What a camera is to this package: controls and frames.
///
/// Controls are known by what they do, not by a driver's numbers or names. An adapter is an actor,
/// so that it may block in the operating system without holding anybody else up.
public protocol CameraPort: Actor {
  /// Which camera this is.
  var identity: CameraIdentity { get }
  /// The controls that it has; a port says of each what turns it automatic, if anything does.
  var controls: [ControlDescription] { get }

  /// What a control can be used for now; another control's value may change it.
  func flags(of control: ControlID) async throws(CameraError) -> ControlFlags

  /// The value that the camera reports of a control.
  func value(of control: ControlID) async throws(CameraError) -> Int

  /// Sets controls, in as few transactions as the driver allows: an automatic mode turned off goes
  /// before what it governs, one turned on after it, the others in the order given.
  ///
  /// Values are not clamped: one outside a control's range or off its step is
  /// `CameraError.valueOutOfRange`, and nothing is set then. Where the camera refuses one,
  /// `CameraError.notSet` says which were written before.
  func set(_ values: [ControlValue]) async throws(CameraError)

  /// Waits for the next frame and hands it to `body` without a copy.
  ///
  /// Frames that the driver marks as broken are skipped. While nobody waits the camera's frames are
  /// dropped but for those few that its buffers hold, the oldest of which come next.
  ///
  /// - Throws: `CameraError.stalled` where none comes within the port's bound.
  func withNextFrame<Result: Sendable>(
    _ body: @Sendable (FrameInfo, Span<UInt8>) -> Result
  ) async throws(CameraError) -> Result

  /// Waits for the next frame and hands it to `body` if it is wanted, and returns `nil` if not: a
  /// frame that is only waited for need not be decoded.
  ///
  /// A port whose frames cost nothing to look at leaves this to the extension.
  func withNextFrame<Result: Sendable>(
    where isWanted: @Sendable (FrameInfo) -> Bool,
    _ body: @Sendable (FrameInfo, Span<UInt8>) -> Result
  ) async throws(CameraError) -> Result?

  /// Ends the stream of frames; asking for the next frame starts it anew, by which some cameras
  /// lose their settings.
  ///
  /// A port whose frames are no stream leaves this to the extension.
  func stopStreaming() async

  /// Takes the camera's configuration, so that no other program that asks for it changes it before
  /// as many calls of `endConfiguration()`.
  ///
  /// A port that no other program can reach leaves this to the extension.
  ///
  /// - Throws: `CameraError.busy` where another program has it, with that program's name if it is
  ///   known.
  func beginConfiguration() async throws(CameraError)

  /// Gives the camera's configuration back.
  func endConfiguration() async

  /// Changes of controls, whoever makes them: other programs, this one, or the camera itself.
  ///
  /// The sequence ends when the camera goes away. For a consumer that lags the latest are kept.
  func changes() -> AsyncStream<ControlValue>
}

extension CameraPort {
  /// Does nothing.
  public func stopStreaming() {}

  /// Does nothing.
  public func beginConfiguration() {}

  /// Does nothing.
  public func endConfiguration() {}

  /// Waits for the next frame and hands it to `body` if it is wanted, and returns `nil` if not.
  public func withNextFrame<Result: Sendable>(
    where isWanted: @Sendable (FrameInfo) -> Bool,
    _ body: @Sendable (FrameInfo, Span<UInt8>) -> Result
  ) async throws(CameraError) -> Result? {
    try await withNextFrame { info, bytes in isWanted(info) ? body(info, bytes) : nil }
  }

  /// The description of a control, if the camera has it.
  public func description(of control: ControlID) -> ControlDescription? {
    controls.first { $0.id == control }
  }

  /// The description of a control, or `CameraError.noControl`.
  package func required(_ control: ControlID) throws(CameraError) -> ControlDescription {
    guard let found = description(of: control) else {
      throw .noControl(control, camera: identity.name)
    }
    return found
  }
}
