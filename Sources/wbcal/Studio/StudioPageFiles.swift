/// The files of the page, which are a part of the program.
enum StudioPageFiles {
  static func file(named name: String) -> (bytes: [UInt8], contentType: String)? {
    nil
  }
}
