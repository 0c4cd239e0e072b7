public import CameraProfiles
public import WhiteBalance

/// The number, time and layout of a frame.
public typealias FrameInfo = WhiteBalance.FrameInfo

/// The rate of a camera's frames.
public typealias FrameRate = WhiteBalance.FrameRate

/// A pixel format that a camera offers.
public typealias OfferedFormat = WhiteBalance.OfferedFormat

/// The interface between this package and a camera: controls and frames.
///
/// Controls are identified by their function, not by a driver's numbers or names. An adapter is an
/// actor, so it may block in the operating system without blocking others.
///
/// A control that the camera does not have throws `CameraError.noControl`. After the camera was
/// disconnected, each call for a value, flags, a setting or a frame throws `CameraError.vanished`,
/// and those that end a stream or a reservation return.
///
/// The laws of the module `CameraTestSupport` check an adapter against this documentation.
public protocol CameraPort: Actor {
  /// The camera's identity, which stays the same, also if the camera is opened again.
  var identity: CameraIdentity { get }
  /// The camera's controls, each with the values that turn its automatic mode on and off, if any.
  ///
  /// Setting a control may change the limits and the default of another: these are the current
  /// ones. Each control has its own identifier, and its default is a value that can be set.
  var controls: [ControlDescription] { get }
  /// The number of damaged frames that were skipped since the camera was opened, which never falls.
  ///
  /// A port whose frames are never damaged uses the default implementation.
  var damagedFrames: Int { get async }

  /// Returns the rate at which the camera delivers frames; `nil` if it does not report one.
  func frameRate() async throws(CameraError) -> FrameRate?

  /// Returns the formats that the camera offers, with their sizes and rates.
  ///
  /// A port without a choice uses the default implementation, which returns none.
  func offeredFormats() async throws(CameraError) -> [OfferedFormat]

  /// Returns the current restrictions of a control; another control's value may change them.
  func flags(of control: ControlID) async throws(CameraError) -> ControlFlags

  /// Returns the value that the camera reports for a control: one that can be set, unless the
  /// control is volatile or inactive.
  ///
  /// - Throws: `CameraError.notReadable` if the control is write-only or the camera refuses.
  func value(of control: ControlID) async throws(CameraError) -> Int

  /// Sets controls, in as few transactions as the driver allows: an automatic mode is turned off
  /// before the controls that it governs are set, and turned on after them; the others are set in
  /// the given order.
  ///
  /// Values are not clamped: if one is outside its control's range, off its step or not an item of
  /// its menu, `CameraError.valueOutOfRange` is thrown and nothing is set; nor is anything set if
  /// the camera does not have one of the controls. If the camera refuses one, `CameraError.notSet`
  /// lists those written before it; a read-only control is always refused. If the camera reports
  /// another value than it was given, `CameraError.settingNotKept` states it, after all have been
  /// written. Setting no control changes nothing.
  func set(_ values: [ControlValue]) async throws(CameraError)

  /// Waits for the next frame and passes it to `body` without a copy.
  ///
  /// Frames that the driver marks as broken are skipped. While nobody waits, frames are dropped,
  /// except for the few in the camera's buffers, the oldest of which come next. Several tasks may
  /// wait at once; each gets a frame of its own.
  ///
  /// Sequence numbers and timestamps grow from frame to frame, sequence numbers also after the
  /// stream was stopped. All frames of a stream have the same size and format. There are at least
  /// as many bytes as the layout needs; they stay the same while `body` runs, which it does once.
  ///
  /// - Throws: `CameraError.stalled` if no frame comes within the port's time limit; `cancelled`,
  ///   within a second, if the task is cancelled while it waits.
  func withNextFrame<Result: Sendable>(
    _ body: @Sendable (FrameInfo, Span<UInt8>) -> Result
  ) async throws(CameraError) -> Result

  /// Waits for the next frame and passes it to `body` if it is wanted; returns `nil` if not, so
  /// that a frame that only passes need not be decoded.
  ///
  /// A port whose frames cost nothing to decode uses the default implementation.
  func withNextFrame<Result: Sendable>(
    where isWanted: @Sendable (FrameInfo) -> Bool,
    _ body: @Sendable (FrameInfo, Span<UInt8>) -> Result
  ) async throws(CameraError) -> Result?

  /// Ends the stream of frames. Requesting the next frame starts it again, which makes some cameras
  /// lose their settings.
  ///
  /// A port without a stream uses the default implementation.
  func stopStreaming() async

  /// Reserves the camera's configuration: other programs that respect reservations do not change it
  /// until `endConfiguration()` has been called as often as this function.
  ///
  /// A port that no other program can use keeps the default implementation.
  ///
  /// - Throws: `CameraError.busy` if another program has reserved it, with its name if known.
  func beginConfiguration() async throws(CameraError)

  /// Releases the camera's configuration.
  func endConfiguration() async

  /// The changes of controls by other programs, this one or the camera itself.
  ///
  /// The sequence ends when the camera is disconnected. A slow consumer gets the latest changes.
  func changes() -> AsyncStream<ControlValue>
}

extension CameraPort {
  /// Zero.
  public var damagedFrames: Int { 0 }

  /// Returns `nil`.
  public func frameRate() -> FrameRate? { nil }

  /// Returns none.
  public func offeredFormats() -> [OfferedFormat] { [] }

  /// Does nothing.
  public func stopStreaming() {}

  /// Does nothing.
  public func beginConfiguration() {}

  /// Does nothing.
  public func endConfiguration() {}

  /// Waits for the next frame and passes it to `body` if it is wanted; returns `nil` if not.
  public func withNextFrame<Result: Sendable>(
    where isWanted: @Sendable (FrameInfo) -> Bool,
    _ body: @Sendable (FrameInfo, Span<UInt8>) -> Result
  ) async throws(CameraError) -> Result? {
    try await withNextFrame { info, bytes in isWanted(info) ? body(info, bytes) : nil }
  }

  /// Returns the description of a control; `nil` if the camera does not have it.
  public func description(of control: ControlID) -> ControlDescription? {
    controls.first { $0.id == control }
  }

  /// Returns the description of a control, or throws `CameraError.noControl`.
  package func required(_ control: ControlID) throws(CameraError) -> ControlDescription {
    guard let found = description(of: control) else {
      throw .noControl(control, camera: identity.name)
    }
    return found
  }
}
