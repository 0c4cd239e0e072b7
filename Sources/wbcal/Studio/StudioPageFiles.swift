import WbcalStudioPage

/// The files of the page, which are a part of the program.
enum StudioPageFiles {
  /// Returns a file by its name, with its content type; `nil` if there is none.
  static func file(named name: String) -> (bytes: [UInt8], contentType: String)? {
    for index in 0..<wb_page_file_count() {
      let file = unsafe wb_page_file_at(index)
      guard unsafe String(cString: file.name) == name else { continue }
      let bytes = unsafe Array(UnsafeBufferPointer(start: file.bytes, count: file.count))
      let kind = name.split(separator: ".").last.map(String.init)
      return (bytes, kind.flatMap { contentTypes[$0] } ?? "application/octet-stream")
    }
    return nil
  }

  private static let contentTypes = [
    "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8", "svg": "image/svg+xml",
  ]
}
