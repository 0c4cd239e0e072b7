import WbcalFoundation
import WbcalSystem

/// The lines of a table, which end in LF, CR or CRLF, or of a list, which end in one given byte.
/// They are read in large pieces.
struct TableLines {
  enum Line: Equatable {
    case text(String)
    /// The line cannot be a row of the table, for a reason that completes "the line …".
    /// - Parameter text: the line with marks in place of invalid bytes; `nil` if it is too long.
    case unreadable(String, text: String?)

    static let tooLong = Line.unreadable("is longer than 1 MiB", text: nil)
  }

  private let name: String
  private let more: () throws -> [UInt8]
  private var buffer: [UInt8] = []
  private var unread = 0..<0
  private var number = 0
  private var endedInReturn = false
  /// The bytes that end a line.
  private var ends = (UInt8(0x0A), UInt8(0x0D))

  static let longest = 1 << 20

  /// Creates the lines of bytes that arrive in pieces.
  ///
  /// - Parameter more: returns the next piece, an empty one at the end.
  init(name: String, more: @escaping () throws -> [UInt8]) {
    self.name = name
    self.more = more
  }

  /// Creates the lines of bytes that are all present.
  init(_ bytes: [UInt8], name: String) throws {
    self.init(name: name) { [] }
    buffer = bytes
    unread = 0..<bytes.count
    try refuseUTF16()
  }

  /// The byte that ends every line, in place of LF, CR and CRLF.
  var separator: UInt8 {
    get { ends.0 }
    set { ends = (newValue, newValue) }
  }

  /// Returns the first bytes, before any line is read.
  mutating func start() throws -> ArraySlice<UInt8> {
    buffer = try more()
    unread = 0..<buffer.count
    return buffer[...]
  }

  /// Returns the next line with its number, counted from 1; `nil` at the end.
  mutating func next() throws -> (number: Int, line: Line)? {
    var line: [UInt8] = []
    var isTooLong = false
    let ends = ends
    while true {
      if endedInReturn, let first = unread.first {
        if buffer[first] == 0x0A { unread = first + 1..<unread.upperBound }
        endedInReturn = false
      }
      let end = buffer[unread].firstIndex { $0 == ends.0 || $0 == ends.1 }
      let piece = buffer[unread.lowerBound..<(end ?? unread.upperBound)]
      if line.count + piece.count > Self.longest { isTooLong = true }
      if let end {
        endedInReturn = buffer[end] == 0x0D
        unread = end + 1..<unread.upperBound
        number += 1
        return (number, isTooLong ? .tooLong : decoded(line.isEmpty ? piece : (line + piece)[...]))
      }
      if isTooLong { line.removeAll() } else { line.append(contentsOf: piece) }
      unread = 0..<0
      buffer = try more()
      if buffer.isEmpty {
        guard !line.isEmpty || isTooLong else { return nil }
        number += 1
        return (number, isTooLong ? .tooLong : decoded(line[...]))
      }
      let isStart = number == 0 && line.isEmpty && !isTooLong
      unread = 0..<buffer.count
      if isStart { try refuseUTF16() }
    }
  }

  /// Several whole lines.
  struct Piece: Sendable {
    fileprivate var bytes: [UInt8]
    /// The number of lines before these.
    fileprivate var before: Int
  }

  /// Creates the lines of a piece.
  init(_ piece: Piece) {
    self.init(name: "") { [] }
    buffer = piece.bytes
    unread = 0..<buffer.count
    number = piece.before
  }

  /// `true` if a line can be returned without more input.
  var haveMore: Bool { buffer[unread].contains { $0 == 0x0A || $0 == 0x0D } }

  /// Returns the available lines, or else the next line; `nil` at the end. It cannot return the
  /// first line of the table.
  mutating func nextPiece() throws -> Piece? {
    var bytes: [UInt8] = []
    while true {
      if endedInReturn, let first = unread.first {
        if buffer[first] == 0x0A { unread = first + 1..<unread.upperBound }
        endedInReturn = false
      }
      let end = buffer[unread].lastIndex { $0 == 0x0A || $0 == 0x0D }
      if let end {
        bytes += buffer[unread.lowerBound...end]
        endedInReturn = buffer[end] == 0x0D
        unread = end + 1..<unread.upperBound
      } else {
        // A line that is too long is kept to the length that shows this.
        bytes += buffer[unread].prefix(max(0, Self.longest + 1 - bytes.count))
        buffer = try more()
        unread = 0..<buffer.count
        if !buffer.isEmpty { continue }
      }
      if bytes.isEmpty { return nil }
      defer { number += Self.ends(in: bytes) }
      return Piece(bytes: bytes, before: number)
    }
  }

  /// Returns the number of lines that end in some bytes.
  private static func ends(in bytes: [UInt8]) -> Int {
    var count = 0
    var last: UInt8 = 0
    for byte in bytes {
      if byte == 0x0D || byte == 0x0A && last != 0x0D { count += 1 }
      last = byte
    }
    return count
  }

  private func decoded(_ line: ArraySlice<UInt8>) -> Line {
    guard let text = String(validating: line, as: UTF8.self) else {
      return .unreadable(
        "is not UTF-8 text; save the table as UTF-8", text: String(decoding: line, as: UTF8.self))
    }
    return .text(number == 1 && separator != 0 ? withoutByteOrderMark(text) : text)
  }

  /// Returns the next bytes of standard input, none at the end.
  static func standardInput() throws -> [UInt8] {
    var bytes: [UInt8] = []
    var code: Int32 = 0
    let descriptor = Surroundings.current.input
    bytes.append(addingCapacity: 1 << 16) { output in
      unsafe output.withUnsafeMutableBufferPointer { buffer, initialized in
        var count = unsafe read(descriptor, buffer.baseAddress, buffer.count)
        while count < 0, errno == EINTR {
          count = unsafe read(descriptor, buffer.baseAddress, buffer.count)
        }
        code = count < 0 ? errno : 0
        initialized = max(0, count)
      }
    }
    if code != 0 { throw Failure("read", "standard input", errno: code) }
    return bytes
  }

  /// Refuses UTF-16, in which every other byte of a table is 0.
  private func refuseUTF16() throws {
    let first = buffer[unread].prefix(2)
    if first == [0xFF, 0xFE] || first == [0xFE, 0xFF]
      || first.count == 2 && (first[0] == 0) != (first[1] == 0)
    {
      throw Failure.badData("\(name) is UTF-16 text; save it as UTF-8")
    }
  }
}
