/// Why a file is not a room that can be read.
enum RoomError: Error, Hashable, CustomStringConvertible {
  /// Another kind of file.
  case notARoom(format: String?)
  /// A version that this program does not know.
  case version(Int)

  /// One sentence that says what is wrong.
  var description: String {
    switch self {
    case .notARoom(let format):
      "it is not a room of matched cameras"
        + (format.map { " (its format is '\($0)')" } ?? " (it names no format)")
    case .version(let version):
      "it is a room of version \(version), and this program reads version \(Room.version)"
    }
  }
}
