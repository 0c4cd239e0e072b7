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
  /// What an automatic mode is turned off and on by; `nil` of a control that decides nothing.
  ///
  /// It is what the driver says today, and not coded.
  public private(set) var automatic: Automatic?

  /// The values of a control at which the camera leaves other controls alone, and at which it
  /// chooses for them.
  public struct Automatic: Hashable, Sendable {
    /// The other controls count; `nil` where no value says so.
    public var off: Int?
    /// The camera chooses; `nil` where no value says so.
    public var on: Int?

    /// An automatic mode's values.
    public init(off: Int?, on: Int?) {
      self.off = off
      self.on = on
    }
  }

  /// A control's limits. Of an automatic mode's values those that cannot be set are left out.
  ///
  /// - Precondition: minimum ≤ default ≤ maximum, within 32 bits, and the step is positive.
  public init(
    id: ControlID, minimum: Int, maximum: Int, step: Int = 1, defaultValue: Int,
    kind: ControlKind = .integer, automatic: Automatic? = nil
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
    func accepted(_ value: Int?) -> Int? { value.flatMap { accepts($0) ? $0 : nil } }
    self.automatic = automatic.map { Automatic(off: accepted($0.off), on: accepted($0.on)) }
  }

  private enum CodingKeys: String, CodingKey {
    case id, minimum, maximum, step, defaultValue, kind
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

  /// The control's limits.
  package var range: ClosedRange<Int> { minimum...maximum }

  /// The largest value that can be set: the last step may end before `maximum`.
  public var largest: Int { maximum - (maximum - minimum) % step }

  /// Whether a value can be set as it is.
  public func accepts(_ value: Int) -> Bool {
    range.contains(value) && (value - minimum) % step == 0
      && (items.isEmpty || items.contains { $0.value == value })
  }

  /// The items of a menu; none of other controls.
  public var items: [ControlKind.Item] { kind.items }

  /// Whether a value leaves to the user what the control would choose; `nil` if it decides nothing.
  package func turnsAutomaticOff(_ value: Int) -> Bool? { automatic.map { value == $0.off } }

  /// The nearest value that can be set.
  ///
  /// - Precondition: the value is not NaN.
  public func snapped(_ value: Double) -> Int {
    let last = (maximum - minimum) / step
    let steps = ((value - Double(minimum)) / Double(step)).rounded()
    return minimum + step * Int(min(max(steps, 0), Double(last)))
  }

  /// The nearest value that can be set to a share of the range, 0…1.
  package func value(atShare share: Double) -> Int {
    snapped(Double(minimum) + share * Double(maximum - minimum))
  }
}

extension ControlDescription {
  /// What a menu has to choose from: not what leaves the decision to something else.
  package var choices: [Int] {
    items.map(\.value).filter { $0 != automatic?.off && $0 != automatic?.on }
  }
}
