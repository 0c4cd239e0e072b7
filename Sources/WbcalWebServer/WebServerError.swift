/// The reason that a server did not start, in sentences that state a remedy.
package struct WebServerError: Error, CustomStringConvertible {
  /// The kind of the error.
  package enum Kind: Sendable {
    /// The configuration is invalid.
    case usage
    /// The configuration must be requested explicitly.
    case refused
    /// The system refused the operation.
    case unavailable
  }

  package let kind: Kind
  package let description: String

  init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }
}
