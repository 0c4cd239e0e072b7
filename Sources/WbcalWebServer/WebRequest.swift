/// A request that has passed every check of the server.
package struct WebRequest: Sendable {
  /// `GET`, `HEAD` or `POST`. `HEAD` is answered like `GET`, but the body is not sent.
  package let method: String
  /// The path, such as `/api/1/camera`, decoded and without empty segments, `.` and `..`.
  package var path: String { target.path }
  /// The body of a `POST`.
  package internal(set) var body: [UInt8] = []
  /// The address of the peer, such as `127.0.0.1`.
  package let client: String
  let target: RequestTarget
  let headers: RequestHeaders

  /// Returns the decoded value of the first parameter with a name.
  package func query(_ name: String) -> String? { target.query.first { $0.name == name }?.value }

  /// Returns the value of the first header with a name, in any case.
  package func header(_ name: String) -> String? { headers.values(name).first }
}

/// The headers of a request, in their order.
package struct RequestHeaders: Sendable {
  private var fields: [(name: String, value: String)] = []

  package init() {}

  package mutating func append(_ name: String, _ value: String) {
    fields.append((name.lowercased(), value))
  }

  /// Returns the values of all headers with a name.
  func values(_ name: String) -> [String] {
    let name = name.lowercased()
    return fields.filter { $0.name == name }.map(\.value)
  }
}
