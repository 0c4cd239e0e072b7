/// A large value behind one pointer. Types that contain it are copied in a few instructions, where
/// the compiler would otherwise write a copy of every field into each such type.
@propertyWrapper
package struct Indirect<Value: Sendable>: Sendable {
  private final class Box: Sendable {
    let value: Value
    init(_ value: Value) { self.value = value }
  }
  private var box: Box

  package init(wrappedValue: Value) { box = Box(wrappedValue) }

  package var wrappedValue: Value {
    get { box.value }
    set { box = Box(newValue) }
  }
}

extension Indirect: Equatable where Value: Equatable {
  package static func == (one: Self, other: Self) -> Bool {
    one.box === other.box || one.box.value == other.box.value
  }
}

extension Indirect: Hashable where Value: Hashable {
  package func hash(into hasher: inout Hasher) { hasher.combine(box.value) }
}
