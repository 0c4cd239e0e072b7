import Synchronization

/// What lets somebody in: the token, tokens that let in once, and the cookie that both are traded
/// for.
package final class Passes: Sendable {
  /// The token of the address that is printed, which programs show as their bearer.
  let token: String
  /// What the cookie holds. A browser sends cookies to every port of a host, so that it is worth
  /// nothing as a token.
  let cookie: String
  /// The folder of the page, without slashes. Browsers send the cookie to addresses in it alone,
  /// and other servers of this computer do not know it.
  let folder: String
  private let onces = Mutex<Set<String>>([])

  package init(token: String, cookie: String, folder: String) {
    (self.token, self.cookie, self.folder) = (token, cookie, folder)
  }

  /// Lets somebody in once who shows a token.
  package func allowOnce(_ token: String) { onces.withLock { _ = $0.insert(token) } }

  /// Whether a text lets in, which a token that does so once never does again.
  func letsIn(_ text: String) -> Bool {
    if Self.areSame(text, token) { return true }
    return onces.withLock { onces in
      guard let once = onces.first(where: { Self.areSame(text, $0) }) else { return false }
      onces.remove(once)
      return true
    }
  }

  /// Compares in a time that does not depend on where the texts differ.
  static func areSame(_ text: String, _ secret: String) -> Bool {
    text.utf8.count == secret.utf8.count
      && zip(text.utf8, secret.utf8).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
