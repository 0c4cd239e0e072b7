import WbcalFoundation
import WbcalSystem

/// A file next to a photograph from which another program reads how to develop it: fixed lines
/// around a few figures.
struct Sidecar {
  /// The program that reads it.
  var reader: String
  /// The suffix that is appended to the photograph's name.
  var ending: String
  /// The text before and after the figures, the same in every such file.
  var head, tail: String
  /// The figures, in letters, digits, points, `=` and line ends.
  var figures: String

  var data: Data { Data((head + figures + tail).utf8) }

  /// Writes the file next to a photograph, and returns its name.
  ///
  /// - Throws: code 65 if there is a file that this program did not write; that file stays as it
  ///   is.
  func write(nextTo photograph: String) throws -> String {
    let path = photograph + ending
    var status = stat()
    if unsafe stat(path.systemName, &status) == 0 || errno != ENOENT {
      // Reading a pipe could wait forever.
      guard status.st_mode & S_IFMT == S_IFREG, differsInFiguresAtMost(from: try readFile(path))
      else {
        throw Failure.badData(
          "\(path) contains more than a white balance from wbcal, and is not replaced; move it "
            + "away, or set the white balance in \(reader)")
      }
    }
    try replaceFile(path, with: data)
    return path
  }

  /// Indicates whether every byte of a file could have been written by this program.
  ///
  /// The programs that read the file write it again, with all of their settings, when a user works
  /// on the photograph.
  func differsInFiguresAtMost(from other: Data) -> Bool {
    let (head, tail) = (Data(head.utf8), Data(tail.utf8))
    guard other.count >= head.count + tail.count, other.starts(with: head),
      other.suffix(tail.count) == tail
    else { return false }
    let figures = other.dropFirst(head.count).dropLast(tail.count)
    return figures.count < 64 && figures.allSatisfy { Self.alphabet.contains($0) }
  }

  private static let alphabet = Set(
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz.=\n".utf8)
}
