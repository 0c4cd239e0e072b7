/// A property that the documentation of `CameraPort` requires of every implementation.
///
/// ```swift
/// for law in CameraLaw.all { print("\(law.name): \(law.statement)") }
/// ```
public struct CameraLaw: Sendable, CustomStringConvertible {
  /// A short name, which stays the same in later versions.
  public let name: String
  /// A sentence that states the property.
  public let statement: String
  let effect: Effect
  let check: @Sendable (isolated CameraSession) async throws -> Outcome

  /// The state in which a check leaves the camera.
  enum Effect: Sendable {
    /// Nothing is changed.
    case none
    /// Settings are changed.
    case settings
    /// The port cannot be used any more.
    case port
  }

  /// The result of checking a law.
  public enum Outcome: Hashable, Sendable {
    /// The law is kept; the text states what was checked.
    case kept(String)
    /// The law is broken; the text states the evidence.
    case broken(String)
    /// The law says nothing about this camera, for the given reason.
    case notApplicable(String)
    /// The law could not be checked, for the given reason.
    case notChecked(String)
  }

  init(
    _ name: String, _ statement: String, _ effect: Effect = .none,
    check: @escaping @Sendable (isolated CameraSession) async throws -> Outcome
  ) {
    self.name = name
    self.statement = statement
    self.effect = effect
    self.check = check
  }

  /// The name.
  public var description: String { name }

  /// All laws, in the order in which they are checked.
  public static let all: [CameraLaw] =
    descriptions + readings + frames + configuration + settings + modes + changes + endings
}

/// The reason that a law is broken.
struct BrokenLaw: Error {
  let evidence: String
  init(_ evidence: String) { self.evidence = evidence }
}

/// The reason that a law cannot be checked.
struct Unchecked: Error {
  let reason: String
  init(_ reason: String) { self.reason = reason }
}
