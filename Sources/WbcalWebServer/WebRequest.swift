/// A request that has passed every check of the server.
package struct WebRequest: Sendable {
  /// `GET`, `HEAD` or `POST`. `HEAD` is answered like `GET`; the body is left out on its way.
  package let method: String
  /// Decoded, without empty segments, `.` and `..` inside, such as `/api/1/camera`.
  package var path: String { target.path }
  /// What came with a `POST`.
  package internal(set) var body: [UInt8] = []
  /// The address of the other side, such as `127.0.0.1`.
  package let client: String
  let target: RequestTarget
  let headers: RequestHeaders

  /// The decoded value of the first parameter of a name behind the path's question mark.
  package func query(_ name: String) -> String? { target.query.first { $0.name == name }?.value }

  /// The value of the first header of a name, in whatever case.
  package func header(_ name: String) -> String? { headers.values(name).first }
}

/// The headers of a request, in their order.
package struct RequestHeaders: Sendable {
  private var fields: [(name: String, value: String)] = []

  package init() {}

  package mutating func append(_ name: String, _ value: String) {
    fields.append((name.lowercased(), value))
  }

  /// The values of all headers of a name.
  func values(_ name: String) -> [String] {
    let name = name.lowercased()
    return fields.filter { $0.name == name }.map(\.value)
  }
}
