import WbcalStudioPage

/// A file of the pages that the program shows, which is a part of the program.
package enum EmbeddedFile {
  /// Returns the bytes of a file by its name; `nil` if there is none.
  package static func bytes(named name: String) -> [UInt8]? {
    for index in 0..<wb_page_file_count() {
      let file = unsafe wb_page_file_at(index)
      guard unsafe String(cString: file.name) == name else { continue }
      return unsafe Array(UnsafeBufferPointer(start: file.bytes, count: file.count))
    }
    return nil
  }
}
