import WbcalFoundation
import WbcalSystem

/// A file beside a photograph that tells another program how to develop it: fixed lines around a
/// few figures.
struct Sidecar {
  /// The program that reads it.
  var reader: String
  /// What is appended to the photograph's name.
  var ending: String
  /// What stands before and after the figures, in every such file.
  var head, tail: String
  /// The figures, in letters, digits, points, `=` and line ends.
  var figures: String

  var data: Data { Data((head + figures + tail).utf8) }

  /// Writes the file beside a photograph, and returns its name.
  ///
  /// - Throws: code 65 where there is a file that this program did not write; it stays as it is.
  func write(beside photograph: String) throws -> String {
    let path = photograph + ending
    var status = stat()
    if unsafe stat(path.systemName, &status) == 0 || errno != ENOENT {
      // Reading a pipe could wait for ever.
      guard status.st_mode & S_IFMT == S_IFREG, differsInFiguresAtMost(from: try readFile(path))
      else {
        throw Failure.badData(
          "\(path) holds more than a white balance of wbcal's, and is not replaced; move it away, "
            + "or set the white balance in \(reader)")
      }
    }
    try replaceFile(path, with: data)
    return path
  }

  /// Whether this program could have written a file to the last byte.
  ///
  /// The programs that read it write it anew, with all that they know, when somebody works on the
  /// photograph.
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
