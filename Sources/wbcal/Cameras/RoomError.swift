/// The reason that a file cannot be read as a room.
enum RoomError: Error, Hashable, CustomStringConvertible {
  /// The file is of another kind.
  case notARoom(format: String?)
  /// The file has a version that this program does not know.
  case version(Int)

  /// A sentence that states the reason.
  var description: String {
    switch self {
    case .notARoom(let format):
      "it is not a room of matched cameras"
        + (format.map { " (its format is '\($0)')" } ?? " (it states no format)")
    case .version(let version):
      "it is a room of version \(version), but this program reads version \(Room.version)"
    }
  }
}
