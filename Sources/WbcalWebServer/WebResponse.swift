/// The response to a request.
package struct WebResponse: Sendable {
  package var status: Int
  package var contentType: String
  /// The headers in addition to the security headers of every response.
  package var headers: [(name: String, value: String)]
  package var body: Body

  /// The bytes after the headers.
  package enum Body: Sendable {
    case bytes([UInt8])
    case stream(Stream)
  }

  /// A body that is produced while it is sent.
  package struct Stream: Sendable {
    let next: @Sendable () async -> [UInt8]?
    let ended: @Sendable () async -> Void

    /// Creates a stream.
    ///
    /// - Parameters:
    ///   - next: returns the next piece; `nil` ends the response. It is called only when the
    ///     network has accepted the previous piece, and its task is cancelled when the client
    ///     leaves or the server stops.
    ///   - ended: is called once, when no more pieces are needed, for whatever reason.
    package init(
      next: @escaping @Sendable () async -> [UInt8]?,
      ended: @escaping @Sendable () async -> Void = {}
    ) {
      self.next = next
      self.ended = ended
    }
  }

  package init(
    status: Int = 200, contentType: String, headers: [(name: String, value: String)] = [],
    body: Body
  ) {
    self.status = status
    self.contentType = contentType
    self.headers = headers
    self.body = body
  }

  /// Returns a response in JSON.
  package static func json(_ bytes: [UInt8], status: Int = 200) -> WebResponse {
    WebResponse(status: status, contentType: "application/json", body: .bytes(bytes))
  }

  /// Returns a response that is produced while it is sent; see ``Stream``.
  package static func stream(
    contentType: String, next: @escaping @Sendable () async -> [UInt8]?,
    ended: @escaping @Sendable () async -> Void = {}
  ) -> WebResponse {
    WebResponse(contentType: contentType, body: .stream(Stream(next: next, ended: ended)))
  }

  /// Returns a response with an error, in the JSON that the command-line tool writes too.
  package static func failure(
    _ status: Int, error: String, exitCode: Int, reasons: [String]
  ) -> WebResponse {
    let texts = reasons.map(quoted).joined(separator: ",")
    let text =
      #"{"version":1,"error":\#(quoted(error)),"exitCode":\#(exitCode),"reasons":[\#(texts)]}"#
    return json(Array(text.utf8), status: status)
  }

  /// Returns a plain page of one sentence, which must need no escapes.
  static func page(_ status: Int, _ sentence: String) -> WebResponse {
    let text = """
      <!doctype html>
      <html lang="en"><meta charset="utf-8"><title>wbcal studio</title>
      <p>\(sentence)</p></html>

      """
    return WebResponse(
      status: status, contentType: "text/html; charset=utf-8", body: .bytes(Array(text.utf8)))
  }

  private static func quoted(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "\"") { result, scalar in
      switch scalar {
      case "\"", "\\": result += "\\\(scalar)"
      case ..<" ":
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    } + "\""
  }
}
