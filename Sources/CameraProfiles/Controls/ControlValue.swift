/// A setting: a control with a value.
public struct ControlValue: Hashable, Sendable, Codable, CustomStringConvertible {
  /// The control.
  public var id: ControlID
  /// Its value.
  public var value: Int

  /// Creates a setting from a control and its value.
  public init(_ id: ControlID, _ value: Int) {
    self.id = id
    self.value = value
  }

  /// The control and its value, such as "red_balance 512".
  public var description: String { "\(id) \(value)" }
}

extension [ControlValue] {
  /// The value of a control, if it is among these.
  public subscript(id: ControlID) -> Int? { first { $0.id == id }?.value }

  /// The values by their controls; for a control that occurs twice, the last.
  package var byControl: [ControlID: Int] {
    Dictionary(map { ($0.id, $0.value) }, uniquingKeysWith: { $1 })
  }

  /// The settings with the value of one control replaced.
  package func replacing(_ id: ControlID, by value: Int) -> [ControlValue] {
    map { $0.id == id ? ControlValue(id, value) : $0 }
  }

  /// The settings with those replaced that occur among others.
  package func replacing(with others: [ControlValue]) -> [ControlValue] {
    map { ControlValue($0.id, others[$0.id] ?? $0.value) }
  }
}

extension Array {
  /// Groups settings in the order of writing: automatic modes that are turned off are written
  /// before the controls that they govern, those that are turned on after them.
  package func inOrderOfWriting(
    _ turnsAutomaticOff: (Element) -> Bool?
  ) -> (off: [Element], others: [Element], on: [Element]) {
    (
      filter { turnsAutomaticOff($0) == true }, filter { turnsAutomaticOff($0) == nil },
      filter { turnsAutomaticOff($0) == false }
    )
  }
}
