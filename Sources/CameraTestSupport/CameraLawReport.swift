public import CameraProfiles

/// The outcomes of the laws for a camera.
public struct CameraLawReport: Sendable, CustomStringConvertible {
  /// A law with its outcome.
  public struct Entry: Sendable, CustomStringConvertible {
    /// The law.
    public let law: CameraLaw
    /// Its outcome.
    public let outcome: CameraLaw.Outcome

    /// A line with the outcome and the name; for a broken law also the statement.
    public var description: String {
      switch outcome {
      case .kept(let checked): "kept “\(law.name)”: \(checked)"
      case .broken(let evidence):
        "broken law “\(law.name)”: \(law.statement)\n  \(evidence)"
      case .notApplicable(let reason): "not applicable “\(law.name)”: \(reason)"
      case .notChecked(let reason): "not checked “\(law.name)”: \(reason)"
      }
    }
  }

  /// The camera's identity; `nil` if it could not be opened.
  public let identity: CameraIdentity?
  /// The outcomes, in the order of `CameraLaw.all`.
  public let entries: [Entry]
  /// The controls that do not read as they did before the laws were checked, with the values that
  /// they had.
  public let unrestored: [ControlValue]

  /// The laws that are broken.
  public var broken: [Entry] {
    entries.filter { if case .broken = $0.outcome { true } else { false } }
  }

  /// The laws that could not be checked.
  public var unchecked: [Entry] {
    entries.filter { if case .notChecked = $0.outcome { true } else { false } }
  }

  /// The laws that say nothing about this camera.
  public var notApplicable: [Entry] {
    entries.filter { if case .notApplicable = $0.outcome { true } else { false } }
  }

  /// `true` if no law is broken, none was left unchecked, and all settings were put back. A law
  /// that is not applicable has not been kept: `notApplicable` names those.
  public var isKept: Bool { broken.isEmpty && unchecked.isEmpty && unrestored.isEmpty }

  /// The outcome of a law by its name; `nil` if there is no such law among those checked.
  public subscript(name: String) -> CameraLaw.Outcome? {
    entries.first { $0.law.name == name }?.outcome
  }

  /// The numbers of outcomes, then the broken laws, those that were not checked, those that are not
  /// applicable and those that are kept, each on a line.
  public var description: String {
    let kept = entries.filter { if case .kept = $0.outcome { true } else { false } }
    var lines = [
      "\(identity.map { "\($0)" } ?? "a camera that was not opened"): of \(entries.count) laws, "
        + "\(kept.count) kept, \(broken.count) broken, \(notApplicable.count) not applicable, "
        + "\(unchecked.count) not checked"
    ]
    if !unrestored.isEmpty {
      lines.append(
        "not put back: " + unrestored.map(\.description).joined(separator: ", "))
    }
    lines += (broken + unchecked + notApplicable + kept).map(\.description)
    return lines.joined(separator: "\n")
  }
}

extension CameraUnderTest {
  /// Checks laws, puts the settings back, and returns the outcomes.
  ///
  /// Settings are put back after each law, also if it is broken, before the camera is disconnected
  /// and after it was connected again. If the task is cancelled, the remaining laws are not
  /// checked, and the settings are put back.
  ///
  /// - Parameter laws: The laws to check; all by default. Their order is that of `CameraLaw.all`.
  public func report(_ laws: [CameraLaw] = CameraLaw.all) async -> CameraLawReport {
    let laws = CameraLaw.all.filter { law in laws.contains { $0.name == law.name } }
    let session: CameraSession
    do { session = try await CameraSession(self) } catch {
      let reason = "the camera could not be opened: \(error)"
      return CameraLawReport(
        identity: nil, entries: laws.map { .init(law: $0, outcome: .notChecked(reason)) },
        unrestored: [])
    }
    var entries: [CameraLawReport.Entry] = []
    for law in laws {
      let outcome =
        Task.isCancelled
        ? .notChecked("the task was cancelled") : await session.outcome(of: law)
      entries.append(.init(law: law, outcome: outcome))
    }
    let unrestored = await session.end()
    return CameraLawReport(
      identity: session.identity, entries: entries, unrestored: unrestored)
  }
}
