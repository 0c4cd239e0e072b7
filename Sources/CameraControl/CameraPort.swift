public import WhiteBalance

/// What a camera is to this package: controls, and frames.
///
/// Controls are known by what they do, not by a driver's numbers or names. An adapter is an actor of
/// its own, so that it may block in the operating system without holding anybody else up.
public protocol CameraPort: Actor {
  /// Which camera this is.
  var identity: CameraIdentity { get }
  /// What it can be told.
  var controls: [ControlDescription] { get }

  /// The value that the camera reports of a control.
  func value(of control: ControlID) async throws(CameraError) -> Int

  /// Sets controls in the order given, in one transaction where the camera has such.
  ///
  /// Values are not clamped: one outside a control's range or off its step is
  /// `CameraError.valueOutOfRange`, and nothing is set then. Where setting fails in the middle, the
  /// earlier values stay set.
  func set(_ values: [ControlValue]) async throws(CameraError)

  /// Waits for the next frame and hands it to `body` without a copy.
  func withNextFrame<Result: Sendable>(
    _ body: @Sendable (FrameInfo, Span<UInt8>) -> Result
  ) async throws(CameraError) -> Result
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

/// A control, by what it does.
public enum ControlID: String, CaseIterable, Hashable, Sendable, Codable {
  /// On (1) the camera chooses red and blue balance, off (0) they stay.
  case autoWhiteBalance = "white_balance_automatic"
  /// How strong red is; the unit is the driver's own.
  case redBalance = "red_balance"
  /// How strong blue is; the unit is the driver's own.
  case blueBalance = "blue_balance"
}

/// What a control may be set to.
public struct ControlDescription: Hashable, Sendable, Codable {
  /// What it does.
  public let id: ControlID
  /// The smallest value.
  public let minimum: Int
  /// The largest value.
  public let maximum: Int
  /// The distance between values, counted from the smallest.
  public let step: Int
  /// The value after power-up.
  public let defaultValue: Int

  /// A control's limits.
  ///
  /// - Precondition: minimum ≤ default ≤ maximum, within 32 bits, and the step is positive.
  public init(id: ControlID, minimum: Int, maximum: Int, step: Int = 1, defaultValue: Int) {
    precondition(
      Self.areValid(minimum, maximum, step, defaultValue),
      "limits must be in order, the step positive")
    self.id = id
    self.minimum = minimum
    self.maximum = maximum
    self.step = step
    self.defaultValue = defaultValue
  }

  private enum CodingKeys: String, CodingKey {
    case id
    case minimum
    case maximum
    case step
    case defaultValue
  }

  /// Decodes and checks a control's limits.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    id = try values.decode(ControlID.self, forKey: .id)
    minimum = try values.decode(Int.self, forKey: .minimum)
    maximum = try values.decode(Int.self, forKey: .maximum)
    step = try values.decode(Int.self, forKey: .step)
    defaultValue = try values.decode(Int.self, forKey: .defaultValue)
    guard Self.areValid(minimum, maximum, step, defaultValue) else {
      throw DecodingError.dataCorruptedError(
        forKey: .step, in: values, debugDescription: "the limits of a control are out of order")
    }
  }

  /// 32 bits are all that drivers have, and their sums cannot overflow.
  private static func areValid(_ minimum: Int, _ maximum: Int, _ step: Int, _ value: Int) -> Bool {
    minimum >= Int(Int32.min) && minimum <= value && value <= maximum
      && maximum <= Int(UInt32.max) && step > 0
  }

  /// The largest value that can be set: the last step may end before `maximum`.
  public var largest: Int { maximum - (maximum - minimum) % step }

  /// Whether a value can be set as it is.
  public func accepts(_ value: Int) -> Bool {
    value >= minimum && value <= maximum && (value - minimum) % step == 0
  }

  /// The nearest value that can be set.
  ///
  /// - Precondition: the value is not NaN.
  public func snapped(_ value: Double) -> Int {
    let last = (maximum - minimum) / step
    let steps = ((value - Double(minimum)) / Double(step)).rounded()
    return minimum + step * Int(min(max(steps, 0), Double(last)))
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
