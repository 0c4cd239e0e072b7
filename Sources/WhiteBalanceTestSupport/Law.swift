/// Something that must hold for every implementation of one thing, ready to be pointed at any.
public struct Law<Subject: Sendable>: Sendable, CustomStringConvertible {
  /// A short name.
  public let name: String
  /// What must hold.
  public let statement: String
  private let check: @Sendable (Subject, Trials) -> String?

  /// A law about the values of a generator, checked one by one.
  ///
  /// - Parameters:
  ///   - name: a short one.
  ///   - statement: what must hold, in a sentence.
  ///   - values: of an implementation, by what it claims.
  ///   - check: what is wrong with a value, `nil` where nothing is.
  public init<Value: Sendable>(
    _ name: String, _ statement: String,
    for values: @escaping @Sendable (Subject) -> Generator<Value>,
    check: @escaping @Sendable (Subject, Value) -> String?
  ) {
    self.name = name
    self.statement = statement
    self.check = { subject, trials in
      values(subject).counterexample(trials) { check(subject, $0) }?.description
    }
  }

  /// How an implementation breaks the law: the law's name and statement, a counterexample as simple
  /// as was found, and how to see it again; `nil` where it keeps the law in all trials.
  public func violation(by subject: Subject, _ trials: Trials = .standard) -> String? {
    check(subject, trials).map { "broken law “\(name)”: \(statement)\n\($0)" }
  }

  /// The name.
  public var description: String { name }
}
