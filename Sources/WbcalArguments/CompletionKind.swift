/// How a shell completes an argument's value.
package struct CompletionKind: Sendable {
  enum Candidates {
    case none
    case words([String])
    /// Of any name where there are no extensions.
    case files(extensions: [String])
  }

  let candidates: Candidates

  /// A file, of one of the given extensions if there are any.
  package static func file(extensions: [String] = []) -> CompletionKind {
    CompletionKind(candidates: .files(extensions: extensions))
  }
}

/// A shell for which completion scripts can be written.
enum CompletionShell: String, CaseIterable { case zsh, bash, fish }
