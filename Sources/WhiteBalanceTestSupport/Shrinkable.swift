/// A value, and the simpler values to try if it fails.
public struct Shrinkable<Value: Sendable>: Sendable {
  /// The value.
  public let value: Value
  /// Returns simpler values, the simplest first; none for a value that cannot be simpler.
  ///
  /// Every chain of simpler values must end.
  public let simpler: @Sendable () -> [Shrinkable]

  /// Creates a shrinkable value from a value and the simpler ones.
  public init(_ value: Value, simpler: @escaping @Sendable () -> [Shrinkable] = { [] }) {
    self.value = value
    self.simpler = simpler
  }

  func map<Result: Sendable>(
    _ transform: @escaping @Sendable (Value) -> Result
  ) -> Shrinkable<Result> {
    Shrinkable<Result>(transform(value)) { simpler().map { $0.map(transform) } }
  }

  func filter(_ isIncluded: @escaping @Sendable (Value) -> Bool) -> Shrinkable {
    Shrinkable(value) { simpler().filter { isIncluded($0.value) }.map { $0.filter(isIncluded) } }
  }

  func paired<Other: Sendable>(with other: Shrinkable<Other>) -> Shrinkable<(Value, Other)> {
    Shrinkable<(Value, Other)>((value, other.value)) {
      simpler().map { $0.paired(with: other) } + other.simpler().map { paired(with: $0) }
    }
  }
}
