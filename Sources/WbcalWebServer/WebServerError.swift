/// Why a server did not start, in sentences that say what to do.
package struct WebServerError: Error, CustomStringConvertible {
  /// Whose turn it is.
  package enum Kind: Sendable {
    /// What was asked for makes no sense.
    case usage
    /// It is not done without being asked for plainly.
    case refused
    /// The system did not let it happen.
    case unavailable
  }

  package let kind: Kind
  package let description: String

  init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }
}
