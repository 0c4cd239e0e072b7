#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Bionic)
import Bionic
#elseif canImport(ucrt)
import ucrt
#elseif canImport(WASILibc)
import WASILibc
#endif

/// The number of values to try: the edge cases of a generator, then some random values.
public struct Trials: Hashable, Sendable {
  /// The number of random values, in addition to the edge cases.
  public var count: Int
  /// The seed that determines the random values.
  public var seed: UInt64

  /// Creates trials from a number of random values and their seed.
  public init(count: Int = 1000, seed: UInt64 = 1) {
    self.count = count
    self.seed = seed
  }

  /// 1000 values of seed 1, so that a test always passes or fails the same way. The environment
  /// variables `TRIALS` and `SEED` change that, for example for a long run.
  public static var standard: Trials {
    func text(_ variable: String) -> String? {
      unsafe getenv(variable).map { unsafe String(cString: $0) }
    }
    return Trials(
      count: text("TRIALS").flatMap { Int($0) } ?? 1000,
      seed: text("SEED").flatMap { UInt64($0) } ?? 1)
  }
}

/// The simplest value found for which a property does not hold.
public struct Counterexample<Value: Sendable>: Sendable, CustomStringConvertible {
  /// The value.
  public let value: Value
  /// A text that states the failure.
  public let reason: String
  /// The values from the first one found to `value`, each simpler than the one before.
  public let path: [Value]
  /// The trials whose first random value is this one; `nil` for an edge case, which every run
  /// tries.
  public let trials: Trials?

  /// The value, the reason, the steps that led to it and the way to reproduce it, each on a line.
  public var description: String {
    let steps = path.count > 8 ? path.prefix(6) + path.suffix(2) : path[...]
    var shown = steps.map { exactly($0) }
    if path.count > 8 { shown.insert("… \(path.count - 8) more …", at: 6) }
    return """
      counterexample: \(exactly(value))
      \(reason)
      \(path.count > 1 ? "simplified: \(shown.joined(separator: " → "))" : "not simplified")
      \(trials.map { "to reproduce it: trials: Trials(count: 1, seed: \($0.seed))" }
        ?? "to reproduce it: it is an edge case, which every run tries")
      """
  }
}

extension Generator {
  /// Searches for a value that fails a check and simplifies it as far as possible.
  ///
  /// Complexity: one check for each trial, and up to 10,000 to simplify.
  ///
  /// - Parameters:
  ///   - trials: the number of values to try.
  ///   - check: returns a text that states the failure for a value, or `nil` if there is none.
  /// - Returns: The simplest counterexample found; `nil` if there is none.
  public func counterexample(
    _ trials: Trials = .standard, _ check: (Value) -> String?
  ) -> Counterexample<Value>? {
    var search = CounterexampleSearch(generator: self, trials: trials)
    while let value = search.next() { search.record(check(value)) }
    return search.found
  }

  /// Searches for a counterexample to an asynchronous check, for example of cameras.
  public func counterexample(
    _ trials: Trials = .standard, isolation: isolated (any Actor)? = #isolation,
    _ check: (Value) async -> String?
  ) async -> Counterexample<Value>? {
    var search = CounterexampleSearch(generator: self, trials: trials)
    while let value = search.next() { await search.record(check(value)) }
    return search.found
  }
}

extension Generator {
  /// Returns the value with the largest error among the edge cases and the random values; `nil` if
  /// none was tried. This is a way to find the error bound to claim. NaN counts as an infinite
  /// error.
  public func worst(
    _ trials: Trials = .standard, by error: (Value) -> Double
  ) -> (value: Value, error: Double)? {
    var worst: (value: Value, error: Double)?
    _ = counterexample(trials) { value in
      let found = error(value)
      let size = found.isNaN ? .infinity : found
      if size > worst?.error ?? -.infinity { worst = (value, size) }
      return nil
    }
    return worst
  }
}

/// The search for a counterexample; chooses the value to check next from the results so far.
private struct CounterexampleSearch<Value: Sendable> {
  let generator: Generator<Value>
  let trials: Trials
  private(set) var found: Counterexample<Value>?
  private var index = 0
  private var checking: (value: Shrinkable<Value>, trials: Trials?)?
  private var simpler: [Shrinkable<Value>] = []
  private var checks = 0

  init(generator: Generator<Value>, trials: Trials) {
    self.generator = generator
    self.trials = trials
  }

  mutating func next() -> Value? {
    if let found {
      checks += 1
      checking = checks > 10_000 ? nil : simpler.popLast().map { ($0, found.trials) }
    } else if index < generator.edgeCases.count {
      checking = (generator.edgeCases[index], nil)
    } else if index - generator.edgeCases.count < trials.count {
      let seed = trials.seed &+ UInt64(index - generator.edgeCases.count)
      var random = SeededRandom(seed: seed)
      checking = (generator.draw(&random), Trials(count: 1, seed: seed))
    } else {
      checking = nil
    }
    index += 1
    return checking?.value.value
  }

  mutating func record(_ reason: String?) {
    guard let reason, let checking else { return }
    found = Counterexample(
      value: checking.value.value, reason: reason,
      path: (found?.path ?? []) + [checking.value.value], trials: checking.trials)
    simpler = checking.value.simpler().reversed()
  }
}
