/// A large value behind one pointer. What contains it is copied in a few instructions, where the
/// compiler would write a copy of every field into each type that contains the value.
@propertyWrapper
struct Indirect<Value: Hashable & Sendable>: Hashable, Sendable {
  private final class Box: Sendable {
    let value: Value
    init(_ value: Value) { self.value = value }
  }
  private var box: Box

  init(wrappedValue: Value) { box = Box(wrappedValue) }

  var wrappedValue: Value {
    get { box.value }
    set { box = Box(newValue) }
  }

  static func == (one: Self, other: Self) -> Bool {
    one.box === other.box || one.box.value == other.box.value
  }

  func hash(into hasher: inout Hasher) { hasher.combine(box.value) }
}
