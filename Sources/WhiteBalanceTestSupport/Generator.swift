/// A source of test values: edge cases that are always tried, random values determined by a seed,
/// and for each value the simpler values to try if it fails.
///
/// Generators made from others by `map`, `filter` and `zip` shrink as well.
///
/// ```swift
/// import WhiteBalance
///
/// let pairs = zip(.gains(in: 1...4), Generator<Int>.integer(in: 1...9, simplest: 1))
/// let found = pairs.counterexample { gains, count in
///   gains.red * Double(count) > 30 ? "too much red" : nil
/// }
/// print(found.map { "\($0)" } ?? "none")
/// ```
public struct Generator<Value: Sendable>: Sendable {
  /// The values that every run tries before any random one.
  public let edgeCases: [Shrinkable<Value>]
  /// Draws one value.
  public let draw: @Sendable (inout SeededRandom) -> Shrinkable<Value>

  /// Creates a generator from its parts.
  public init(
    edgeCases: [Shrinkable<Value>] = [],
    draw: @escaping @Sendable (inout SeededRandom) -> Shrinkable<Value>
  ) {
    self.edgeCases = edgeCases
    self.draw = draw
  }

  /// Returns a generator of the values that a function returns for the values of this one.
  public func map<Result: Sendable>(
    _ transform: @escaping @Sendable (Value) -> Result
  ) -> Generator<Result> {
    Generator<Result>(edgeCases: edgeCases.map { $0.map(transform) }) {
      draw(&$0).map(transform)
    }
  }

  /// Returns a generator of the values that meet a condition; most values must meet it.
  public func filter(_ isIncluded: @escaping @Sendable (Value) -> Bool) -> Generator {
    Generator(
      edgeCases: edgeCases.filter { isIncluded($0.value) }.map { $0.filter(isIncluded) }
    ) { random in
      for _ in 0..<1000 {
        let drawn = draw(&random)
        if isIncluded(drawn.value) { return drawn.filter(isIncluded) }
      }
      preconditionFailure("none of 1000 random values met the condition")
    }
  }

  /// Returns this generator with further edge cases, which are tried first.
  public func always(_ values: Value...) -> Generator {
    Generator(edgeCases: values.map { Shrinkable($0) } + edgeCases, draw: draw)
  }

  /// This generator without edge cases, for checks that take a long time.
  public var withoutEdgeCases: Generator { Generator(draw: draw) }

  /// Returns a generator of one value.
  public static func just(_ value: Value) -> Generator { Generator { _ in Shrinkable(value) } }

  /// Returns a generator of the values of several generators, chosen equally often.
  public static func oneOf(_ generators: Generator...) -> Generator {
    precondition(!generators.isEmpty, "`generators` must not be empty")
    return Generator(edgeCases: generators.flatMap(\.edgeCases)) { random in
      generators[Int.random(in: generators.indices, using: &random)].draw(&random)
    }
  }

  /// Returns a generator of the elements of a list, of which earlier ones are simpler.
  public static func element(of values: [Value]) -> Generator {
    precondition(!values.isEmpty, "`values` must not be empty")
    return Generator<Int>.integer(in: 0...values.count - 1, simplest: 0).map { values[$0] }
  }
}

/// Returns the pairs of two generators' values. Every edge case of one is paired with every edge
/// case of the other, or only with some of them if there would be more than 256 pairs.
public func zip<A: Sendable, B: Sendable>(
  _ a: Generator<A>, _ b: Generator<B>
) -> Generator<(A, B)> {
  // A generator without edge cases contributes an ordinary value instead.
  func edges<Value>(_ generator: Generator<Value>) -> [Shrinkable<Value>] {
    var random = SeededRandom(seed: 0)
    return generator.edgeCases.isEmpty ? [generator.draw(&random)] : generator.edgeCases
  }
  let (first, second) = (edges(a), edges(b))
  var pairs: [Shrinkable<(A, B)>] = []
  if first.count * second.count <= 256 {
    pairs = first.flatMap { one in second.map { one.paired(with: $0) } }
  } else {
    pairs = (0..<max(first.count, second.count)).map {
      first[$0 % first.count].paired(with: second[$0 % second.count])
    }
  }
  if a.edgeCases.isEmpty && b.edgeCases.isEmpty { pairs = [] }
  return Generator<(A, B)>(edgeCases: pairs) { random in
    let first = a.draw(&random)
    return first.paired(with: b.draw(&random))
  }
}

/// Returns the triples of three generators' values.
public func zip<A: Sendable, B: Sendable, C: Sendable>(
  _ a: Generator<A>, _ b: Generator<B>, _ c: Generator<C>
) -> Generator<(A, B, C)> {
  zip(zip(a, b), c).map { ($0.0, $0.1, $1) }
}
