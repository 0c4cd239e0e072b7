/// The way in which a shell completes an argument's value.
package struct CompletionKind: Sendable {
  enum Candidates {
    case none
    case words([String])
    /// Files with one of the extensions, or with any name if there are none.
    case files(extensions: [String])
  }

  let candidates: Candidates

  /// Returns the completion with a file, which has one of the extensions if any are given.
  package static func file(extensions: [String] = []) -> CompletionKind {
    CompletionKind(candidates: .files(extensions: extensions))
  }
}
