#if canImport(Testing)
public import Testing

/// Expects all values of a generator to have a property. If one does not, the test fails with the
/// simplest such value, the steps that led to it, and the code that reproduces it.
///
/// ```swift
/// import Testing
/// import WhiteBalance
///
/// @Test func normalizingKeepsTheRatioOfRedAndBlue() {
///   forAll(.gains(in: 1...4)) { gains in
///     let normalized = gains.normalized(to: .smallest)
///     return abs(normalized.red / normalized.blue - gains.red / gains.blue) < 1e-14
///   }
/// }
/// ```
public func forAll<Value: Sendable>(
  _ values: Generator<Value>, trials: Trials = .standard,
  sourceLocation: SourceLocation = #_sourceLocation, _ property: (Value) throws -> Bool
) {
  let found = values.counterexample(trials) { value in
    do { return try property(value) ? nil : "the property does not hold" } catch {
      return "the property throws: \(error)"
    }
  }
  if let found { Issue.record("\(found)", sourceLocation: sourceLocation) }
}

/// Expects all values of a generator to have a property that is checked asynchronously.
public func forAll<Value: Sendable>(
  _ values: Generator<Value>, trials: Trials = .standard,
  isolation: isolated (any Actor)? = #isolation,
  sourceLocation: SourceLocation = #_sourceLocation, _ property: (Value) async throws -> Bool
) async {
  let found = await values.counterexample(trials) { value -> String? in
    do { return try await property(value) ? nil : "the property does not hold" } catch {
      return "the property throws: \(error)"
    }
  }
  if let found { Issue.record("\(found)", sourceLocation: sourceLocation) }
}

/// Expects an implementation to keep laws; the test fails once for each law that it breaks.
public func expect<Subject: Sendable>(
  _ subject: Subject, keeps laws: [Law<Subject>], trials: Trials = .standard,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  for law in laws {
    if let violation = law.violation(by: subject, trials) {
      Issue.record("\(violation)", sourceLocation: sourceLocation)
    }
  }
}
#endif
