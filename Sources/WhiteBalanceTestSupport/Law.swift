/// A property that every implementation of an interface must have, for checking any of them.
///
/// ```swift
/// import ColorScience
///
/// let conversion = TemperatureTintConversion(
///   reading: { TemperatureAndTint($0) }, chromaticity: { Chromaticity($0) })
/// for law in Law<TemperatureTintConversion>.all {
///   if let violation = law.violation(by: conversion) { print(violation) }
/// }
///
/// let positive = Law<@Sendable (Double) -> Double>(
///   "positive", "no result is negative", for: { _ in .number(in: 0...1, simplest: 0) }
/// ) { function, input in
///   function(input) < 0 ? "the result is \(function(input))" : nil
/// }
/// print(positive.violation(by: { 0.1 - $0 }) ?? "kept")
/// ```
public struct Law<Subject: Sendable>: Sendable, CustomStringConvertible {
  /// A short name.
  public let name: String
  /// A sentence that states the property.
  public let statement: String
  private let check: @Sendable (Subject, Trials) -> String?

  /// Creates a law that is checked with the values of a generator.
  ///
  /// - Parameters:
  ///   - name: a short name.
  ///   - statement: a sentence that states the property.
  ///   - values: returns the generator for a subject, within the subject's claims.
  ///   - check: returns a text that states the failure for a value, or `nil` if there is none.
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

  /// Returns a text that describes a violation of the law: the law's name and statement, the
  /// simplest counterexample found, and the way to reproduce it; `nil` if the law holds in all
  /// trials.
  public func violation(by subject: Subject, _ trials: Trials = .standard) -> String? {
    check(subject, trials).map { "broken law “\(name)”: \(statement)\n\($0)" }
  }

  /// The name.
  public var description: String { name }
}
