import WbcalReports

/// The files of the page, which are a part of the program.
enum StudioPageFiles {
  /// Returns a file by its name, with its content type; `nil` if there is none.
  static func file(named name: String) -> (bytes: [UInt8], contentType: String)? {
    guard let bytes = EmbeddedFile.bytes(named: name) else { return nil }
    let kind = name.split(separator: ".").last.map(String.init)
    return (bytes, kind.flatMap { contentTypes[$0] } ?? "application/octet-stream")
  }

  private static let contentTypes = [
    "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8", "svg": "image/svg+xml",
  ]
}
