import Synchronization

/// The secrets that authorize a client: the token, one-time tokens, and the cookie that a client
/// gets in exchange for either.
package final class Passes: Sendable {
  /// The token in the printed address, which programs send as a bearer token.
  let token: String
  /// The value of the cookie. A browser sends cookies to every port of a host, so it is not valid
  /// as a token.
  let cookie: String
  /// The folder of the page, without slashes. Browsers send the cookie only to addresses in it, and
  /// other servers of this computer do not know it.
  let folder: String
  private let oneTimeTokens = Mutex<Set<String>>([])

  package init(token: String, cookie: String, folder: String) {
    (self.token, self.cookie, self.folder) = (token, cookie, folder)
  }

  /// Adds a token that is valid once.
  package func allowOnce(_ token: String) { oneTimeTokens.withLock { _ = $0.insert(token) } }

  /// Indicates whether a token is valid, and invalidates it if it is a one-time token.
  func accepts(_ text: String) -> Bool {
    if Self.areSame(text, token) { return true }
    return oneTimeTokens.withLock { oneTimeTokens in
      guard let once = oneTimeTokens.first(where: { Self.areSame(text, $0) }) else { return false }
      oneTimeTokens.remove(once)
      return true
    }
  }

  /// Compares texts in a time that does not depend on the position of a difference.
  static func areSame(_ text: String, _ secret: String) -> Bool {
    text.utf8.count == secret.utf8.count
      && zip(text.utf8, secret.utf8).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
