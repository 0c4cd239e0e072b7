/// What the values of a control are.
public enum ControlKind: Hashable, Sendable, Codable {
  /// Numbers in steps.
  case integer
  /// 0 or 1.
  case boolean
  /// None: setting it, to whatever, starts something.
  case button
  /// A choice; between its values there may be gaps.
  case menu([Item])

  /// A choice of a menu.
  public struct Item: Hashable, Sendable, Codable {
    /// What it is set to.
    public var value: Int
    /// What the driver calls it.
    public var name: String

    /// A value and its name.
    public init(value: Int, name: String) {
      self.value = value
      self.name = name
    }
  }
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
  /// The value that the driver calls its default.
  public let defaultValue: Int
  /// What its values are.
  public let kind: ControlKind

  /// A control's limits.
  ///
  /// - Precondition: minimum ≤ default ≤ maximum, within 32 bits, and the step is positive.
  public init(
    id: ControlID, minimum: Int, maximum: Int, step: Int = 1, defaultValue: Int,
    kind: ControlKind = .integer
  ) {
    precondition(
      Self.areValid(minimum, maximum, step, defaultValue),
      "limits must be in order, the step positive")
    self.id = id
    self.minimum = minimum
    self.maximum = maximum
    self.step = step
    self.defaultValue = defaultValue
    self.kind = kind
  }

  private enum CodingKeys: String, CodingKey {
    case id
    case minimum
    case maximum
    case step
    case defaultValue
    case kind
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
        forKey: .step, in: values, debugDescription: "the limits of a control are out of order")
    }
  }

  /// 32 bits are all that drivers have, and their sums cannot overflow.
  private static func areValid(_ minimum: Int, _ maximum: Int, _ step: Int, _ value: Int) -> Bool {
    minimum >= Int(Int32.min) && minimum <= value && value <= maximum
      && maximum <= Int(UInt32.max) && 1...Int(UInt32.max) ~= step
  }

  /// The largest value that can be set: the last step may end before `maximum`.
  public var largest: Int { maximum - (maximum - minimum) % step }

  /// Whether a value can be set as it is.
  public func accepts(_ value: Int) -> Bool {
    value >= minimum && value <= maximum && (value - minimum) % step == 0
      && (items.isEmpty || items.contains { $0.value == value })
  }

  /// The items of a menu; none of other controls.
  public var items: [ControlKind.Item] {
    if case .menu(let items) = kind { return items }
    return []
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
