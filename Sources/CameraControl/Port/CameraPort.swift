public import WhiteBalance

/// What a camera is to this package: controls, and frames.
///
/// Controls are known by what they do, not by a driver's numbers or names. An adapter is an actor
/// of its own, so that it may block in the operating system without holding anybody else up.
public protocol CameraPort: Actor {
  /// Which camera this is.
  var identity: CameraIdentity { get }
  /// What it can be told.
  var controls: [ControlDescription] { get }

  /// What holds of a control now; another control's value may change it.
  func flags(of control: ControlID) async throws(CameraError) -> ControlFlags

  /// The value that the camera reports of a control.
  func value(of control: ControlID) async throws(CameraError) -> Int

  /// Sets controls, in as few transactions as the driver bears: an automatic mode that is turned
  /// off goes before what it governs, one that is turned on after it, the others in the order
  /// given.
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

  /// Changes of controls, by whomever: other programs, this one, the camera itself.
  ///
  /// The sequence ends when the camera goes away. Of a consumer that lags, only the latest changes
  /// are kept.
  func changes() -> AsyncStream<ControlValue>
}

extension CameraPort {
  /// The description of a control, if the camera has it.
  public func description(of control: ControlID) -> ControlDescription? {
    controls.first { $0.id == control }
  }
}

/// Which camera this is.
public struct CameraIdentity: Hashable, Sendable, Codable {
  /// The driver, or `simulated`.
  public var driver: String
  /// The name a person knows it by.
  public var name: String
  /// What tells it from others of its kind: a bus path, a serial number.
  public var id: String

  /// An identity from its parts.
  public init(driver: String, name: String, id: String) {
    self.driver = driver
    self.name = name
    self.id = id
  }
}

/// A control and what it is set to.
public struct ControlValue: Hashable, Sendable, Codable {
  /// The control.
  public var id: ControlID
  /// Its value.
  public var value: Int

  /// A control and its value.
  public init(_ id: ControlID, _ value: Int) {
    self.id = id
    self.value = value
  }
}

/// Which frame this is, and how its bytes lie.
public struct FrameInfo: Hashable, Sendable {
  /// Counts the frames of the device, also those that were dropped.
  public var sequence: Int
  /// When the frame was taken, on the device's clock.
  public var timestamp: Duration
  /// Geometry and meaning of the bytes.
  public var layout: FrameLayout

  /// A frame's number, time and layout.
  public init(sequence: Int, timestamp: Duration, layout: FrameLayout) {
    self.sequence = sequence
    self.timestamp = timestamp
    self.layout = layout
  }
}
