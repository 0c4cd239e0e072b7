/// The range, step, default and kind of a control.
public struct ControlDescription: Hashable, Sendable, Codable {
  /// The identifier of the control.
  public let id: ControlID
  /// The smallest value.
  public let minimum: Int
  /// The largest value.
  public let maximum: Int
  /// The distance between values, counted from the smallest.
  public let step: Int
  /// The driver's default value.
  public let defaultValue: Int
  /// The kind of the values.
  public let kind: ControlKind
  /// The exposure time in seconds that the value 1 means; `nil` for a control of anything else.
  ///
  /// It is 100 µs in V4L2 (`ControlID.exposureTime`). An adapter for cameras with finer exposure
  /// times states a smaller unit.
  public let secondsPerUnit: Double?
  /// The values that turn an automatic mode off and on; `nil` for a control that has none.
  ///
  /// They are what the driver reports at present, and are not encoded.
  public private(set) var automatic: Automatic?

  /// The values of a control at which the camera leaves other controls alone, and at which it
  /// chooses them.
  public struct Automatic: Hashable, Sendable, Codable {
    /// The value at which the other controls have effect; `nil` if there is none.
    public var off: Int?
    /// The value at which the camera chooses; `nil` if there is none.
    public var on: Int?

    /// Creates an automatic mode's values.
    public init(off: Int?, on: Int?) {
      self.off = off
      self.on = on
    }
  }

  /// Creates a description. Values of an automatic mode that cannot be set are dropped. Without
  /// `secondsPerUnit`, an exposure time has V4L2's unit; other controls have none.
  ///
  /// - Precondition: minimum ≤ default ≤ maximum, within 32 bits, and the step is positive.
  public init(
    id: ControlID, minimum: Int, maximum: Int, step: Int = 1, defaultValue: Int,
    kind: ControlKind = .integer, automatic: Automatic? = nil, secondsPerUnit: Double? = nil
  ) {
    precondition(
      Self.areValid(minimum, maximum, step, defaultValue),
      "limits must be in order, and the step must be positive")
    self.id = id
    self.minimum = minimum
    self.maximum = maximum
    self.step = step
    self.defaultValue = defaultValue
    self.kind = kind
    self.secondsPerUnit = Self.unit(of: id, stated: secondsPerUnit)
    func accepted(_ value: Int?) -> Int? { value.flatMap { isValid($0) ? $0 : nil } }
    self.automatic = automatic.map { Automatic(off: accepted($0.off), on: accepted($0.on)) }
  }

  private enum CodingKeys: String, CodingKey {
    case id, minimum, maximum, step, defaultValue, kind, secondsPerUnit
  }

  /// The unit of exposure times that V4L2 defines, in seconds.
  private static let definedUnit = 1e-4

  private static func unit(of id: ControlID, stated: Double?) -> Double? {
    id == .exposureTime ? stated ?? definedUnit : nil
  }

  /// Decodes and checks a control's limits.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    id = try values.decode(ControlID.self, forKey: .id)
    minimum = try values.decode(Int.self, forKey: .minimum)
    maximum = try values.decode(Int.self, forKey: .maximum)
    step = try values.decode(Int.self, forKey: .step)
    defaultValue = try values.decode(Int.self, forKey: .defaultValue)
    kind = try values.decodeIfPresent(ControlKind.self, forKey: .kind) ?? .integer
    guard Self.areValid(minimum, maximum, step, defaultValue) else {
      throw DecodingError.dataCorruptedError(
        forKey: .step, in: values,
        debugDescription: "limits must be in order, and the step must be positive")
    }
    secondsPerUnit = Self.unit(
      of: id, stated: try values.decodeIfPresent(Double.self, forKey: .secondsPerUnit))
    guard secondsPerUnit.map({ $0 > 0 && $0.isFinite }) ?? true else {
      throw DecodingError.dataCorruptedError(
        forKey: .secondsPerUnit, in: values, debugDescription: "a unit must be positive")
    }
  }

  /// Encodes the limits, and the unit of an exposure time if it is not V4L2's.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(id, forKey: .id)
    try values.encode(minimum, forKey: .minimum)
    try values.encode(maximum, forKey: .maximum)
    try values.encode(step, forKey: .step)
    try values.encode(defaultValue, forKey: .defaultValue)
    try values.encode(kind, forKey: .kind)
    if let secondsPerUnit, secondsPerUnit != Self.definedUnit {
      try values.encode(secondsPerUnit, forKey: .secondsPerUnit)
    }
  }

  /// Drivers have no more than 32 bits, and sums of such values cannot overflow.
  private static func areValid(_ minimum: Int, _ maximum: Int, _ step: Int, _ value: Int) -> Bool {
    minimum >= Int(Int32.min) && minimum <= value && value <= maximum
      && maximum <= Int(UInt32.max) && 1...Int(UInt32.max) ~= step
  }

  /// The control's limits.
  package var range: ClosedRange<Int> { minimum...maximum }

  /// The largest valid value: the last step may end before `maximum`.
  public var largest: Int { maximum - (maximum - minimum) % step }

  /// Indicates whether a value is valid.
  public func isValid(_ value: Int) -> Bool {
    range.contains(value) && (value - minimum) % step == 0
      && (items.isEmpty || items.contains { $0.value == value })
  }

  /// The items of a menu; none for other controls.
  public var items: [ControlKind.Item] { kind.items }

  /// Indicates whether a value turns the automatic mode off; `nil` if the control has none.
  package func turnsAutomaticOff(_ value: Int) -> Bool? { automatic.map { value == $0.off } }

  /// Indicates whether the camera chooses what the control governs while it has a value. All but
  /// one of the lights in a menu are chosen by hand.
  package func isAutomatic(at value: Int) -> Bool {
    guard let automatic else { return false }
    guard let off = automatic.off, id != .whiteBalancePreset else { return value == automatic.on }
    return value != off
  }

  /// The control with other values of an automatic mode.
  package func with(_ automatic: Automatic?) -> ControlDescription {
    ControlDescription(
      id: id, minimum: minimum, maximum: maximum, step: step, defaultValue: defaultValue,
      kind: kind, automatic: automatic, secondsPerUnit: secondsPerUnit)
  }

  /// Rounds to the nearest valid value.
  ///
  /// - Precondition: the value is not NaN.
  public func nearestValue(to value: Double) -> Int {
    let last = (maximum - minimum) / step
    let steps = ((value - Double(minimum)) / Double(step)).rounded()
    return minimum + step * Int(min(max(steps, 0), Double(last)))
  }

  /// The valid value nearest to a fraction of the range, 0…1.
  package func value(atShare share: Double) -> Int {
    nearestValue(to: Double(minimum) + share * Double(maximum - minimum))
  }
}

extension ControlDescription {
  /// The choices of a menu, without the values that turn an automatic mode off or on.
  package var choices: [Int] {
    items.map(\.value).filter { $0 != automatic?.off && $0 != automatic?.on }
  }
}
