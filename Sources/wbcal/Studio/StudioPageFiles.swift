import WbcalStudioPage

/// The files of the page, which are a part of the program.
enum StudioPageFiles {
  /// Returns a file by its name, with its content type; `nil` if there is none.
  static func file(named name: String) -> (bytes: [UInt8], contentType: String)? {
    for index in 0..<wb_page_file_count() {
      let file = unsafe wb_page_file_at(index)
      guard unsafe String(cString: file.name) == name else { continue }
      let bytes = unsafe Array(UnsafeBufferPointer(start: file.bytes, count: file.count))
      return (bytes, contentType(of: name))
    }
    return nil
  }

  private static func contentType(of name: String) -> String {
    switch name.split(separator: ".").last {
    case "html": "text/html; charset=utf-8"
    case "css": "text/css; charset=utf-8"
    case "js": "text/javascript; charset=utf-8"
    case "svg": "image/svg+xml"
    default: "application/octet-stream"
    }
  }
}
