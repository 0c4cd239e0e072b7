/// The kind of a control's values.
public enum ControlKind: Hashable, Sendable, Codable {
  /// Integers in steps.
  case integer
  /// 0 or 1.
  case boolean
  /// No value; any write triggers it.
  case button
  /// A choice from a list; its values may have gaps.
  case menu([Item])

  /// An item of a menu.
  public struct Item: Hashable, Sendable, Codable {
    /// The value that selects the item.
    public var value: Int
    /// The driver's name of the item.
    public var name: String

    /// Creates an item from a value and its name.
    public init(value: Int, name: String) {
      self.value = value
      self.name = name
    }
  }

  /// The items of a menu; none for other kinds.
  package var items: [Item] {
    if case .menu(let items) = self { return items }
    return []
  }
}
