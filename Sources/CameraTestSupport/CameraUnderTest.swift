public import CameraControl
public import CameraProfiles

/// A camera whose port is checked against the laws, and what a test can do to it.
///
/// ```swift
/// import CameraControl
///
/// func lawsAreKept(by open: @escaping @Sendable () async throws -> any CameraPort) async {
///   let report = await CameraUnderTest(open: open).report()
///   if !report.isKept { print(report) }
/// }
/// ```
///
/// Only `open` is necessary. Laws that need one of the other functions are reported as not
/// applicable without it.
public struct CameraUnderTest: Sendable {
  /// Opens the camera.
  public var open: @Sendable () async throws -> any CameraPort
  /// Closes a port, so that the camera can be opened again.
  public var close: (@Sendable (any CameraPort) async -> Void)?
  /// Opens the camera a second time, as another program would, while the first port is in use.
  public var openAnother: (@Sendable () async throws -> any CameraPort)?
  /// Makes the camera deliver no more frames although it still answers. No law is checked with the
  /// port afterwards.
  public var stopFrames: (@Sendable (any CameraPort) async throws -> Void)?
  /// Disconnects the camera.
  public var unplug: (@Sendable (any CameraPort) async throws -> Void)?
  /// Connects the camera again after `unplug`.
  public var plugIn: (@Sendable () async throws -> Void)?
  /// The controls that are never set, for instance because a value could do damage.
  public var untouched: Set<ControlID> = []
  /// The limits of all waits.
  public var limits = Limits()

  /// Creates a camera that can be opened.
  public init(open: @escaping @Sendable () async throws -> any CameraPort) { self.open = open }

  /// The limits of all waits, in frames and in time.
  public struct Limits: Hashable, Sendable {
    /// The number of frames that a law about frames looks at, at least 2.
    public var frames = 12
    /// The time within which a call about controls must return.
    public var call = Duration.seconds(10)
    /// The time within which a call for a frame must return: more than the port's own limit.
    public var frame = Duration.seconds(10)
    /// The time within which a change of a control must be reported.
    public var change = Duration.seconds(3)
    /// The time within which a call must return after its task was cancelled.
    public var cancellation = Duration.seconds(2)
    /// The time within which a waiting call must fail after the camera was disconnected.
    public var vanishing = Duration.seconds(15)
    /// The time within which a function of the test, such as `open`, must return.
    public var function = Duration.seconds(30)
    /// The time for which a frame is kept to check that its bytes stay the same.
    public var holding = Duration.milliseconds(250)

    /// Creates the usual limits.
    public init() {}
  }
}
