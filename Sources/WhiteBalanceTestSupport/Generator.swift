/// Where the values of a test come from: edge cases that are always tried, random values that a
/// seed determines, and for each the simpler ones to try where it fails.
///
/// What is made from a generator (`map`, `filter`, `zip`) shrinks as well.
public struct Generator<Value: Sendable>: Sendable {
  /// What every run tries before anything random.
  public let edgeCases: [Shrinkable<Value>]
  /// Draws one value.
  public let draw: @Sendable (inout SeededRandom) -> Shrinkable<Value>

  /// A generator from its parts.
  public init(
    edgeCases: [Shrinkable<Value>] = [],
    draw: @escaping @Sendable (inout SeededRandom) -> Shrinkable<Value>
  ) {
    self.edgeCases = edgeCases
    self.draw = draw
  }

  /// What a function makes of the values.
  public func map<Result: Sendable>(
    _ transform: @escaping @Sendable (Value) -> Result
  ) -> Generator<Result> {
    Generator<Result>(edgeCases: edgeCases.map { $0.map(transform) }) {
      draw(&$0).map(transform)
    }
  }

  /// Those of the values that meet a condition, which most of them must.
  public func filter(_ isIncluded: @escaping @Sendable (Value) -> Bool) -> Generator {
    Generator(
      edgeCases: edgeCases.filter { isIncluded($0.value) }.map { $0.filter(isIncluded) }
    ) { random in
      for _ in 0..<1000 {
        let drawn = draw(&random)
        if isIncluded(drawn.value) { return drawn.filter(isIncluded) }
      }
      preconditionFailure("of 1000 random values none met the condition")
    }
  }

  /// The same with further edge cases, tried first.
  public func always(_ values: Value...) -> Generator {
    Generator(edgeCases: values.map { Shrinkable($0) } + edgeCases, draw: draw)
  }

  /// The same without edge cases, for what takes long to check.
  public var withoutEdgeCases: Generator { Generator(draw: draw) }

  /// One value.
  public static func just(_ value: Value) -> Generator { Generator { _ in Shrinkable(value) } }

  /// Values of several generators, each as often as the others; the first one's count as simplest.
  public static func oneOf(_ generators: Generator...) -> Generator {
    precondition(!generators.isEmpty, "one of no generators")
    return Generator(edgeCases: generators.flatMap(\.edgeCases)) { random in
      generators[Int.random(in: generators.indices, using: &random)].draw(&random)
    }
  }

  /// The elements of a list, which become simpler towards its start.
  public static func element(of values: [Value]) -> Generator {
    precondition(!values.isEmpty, "an element of nothing")
    return Generator<Int>.integer(in: 0...values.count - 1, simplest: 0).map { values[$0] }
  }
}

/// The pairs of two generators' values, their edge cases each with each, or where that makes more
/// than 256 pairs each with some.
public func zip<A: Sendable, B: Sendable>(
  _ a: Generator<A>, _ b: Generator<B>
) -> Generator<(A, B)> {
  // One side's edges must also meet something ordinary.
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

/// The triples of three generators' values, as pairs of pairs.
public func zip<A: Sendable, B: Sendable, C: Sendable>(
  _ a: Generator<A>, _ b: Generator<B>, _ c: Generator<C>
) -> Generator<(A, B, C)> {
  zip(zip(a, b), c).map { ($0.0, $0.1, $1) }
}
