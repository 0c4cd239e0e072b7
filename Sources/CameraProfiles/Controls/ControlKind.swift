/// What the values of a control are.
public enum ControlKind: Hashable, Sendable, Codable {
  /// Numbers in steps.
  case integer
  /// 0 or 1.
  case boolean
  /// No value; any write triggers it.
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

  /// The items of a menu; none of other kinds.
  package var items: [Item] {
    if case .menu(let items) = self { return items }
    return []
  }
}
