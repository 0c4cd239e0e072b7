/// The first directory of a TIFF file. Only the requested fields are read, and their types and
/// counts are checked.
///
/// No other directory is followed, so that a cycle of directories is not a problem, and no memory
/// is allocated for more bytes than the file has.
struct TIFFDirectory {
  private let bytes: [UInt8]
  private let isBigEndian: Bool
  private(set) var offset = 0
  /// The offsets of the entries, by tag.
  private var entries: [UInt16: Int] = [:]

  /// Reads the directory of a DNG file (`II*`, `MM*`) or of a camera profile (`IIRC`, `MMCR`).
  init(_ bytes: [UInt8]) throws(DNGProfileError) {
    let isDNG = bytes.starts(with: [0x49, 0x49, 42, 0]) || bytes.starts(with: [0x4D, 0x4D, 0, 42])
    let isProfile =
      bytes.starts(with: Self.profileHeader) || bytes.starts(with: [0x4D, 0x4D, 0x43, 0x52])
    guard isDNG || isProfile else {
      throw DNGProfileError(field: "header", offset: 0, defect: .notProfile)
    }
    self.bytes = bytes
    isBigEndian = bytes[0] == 0x4D
    offset = Int(try number(at: 4, size: 4, "header"))
    let count = Int(try number(at: offset, size: 2, "directory"))
    for entry in (0..<count).map({ offset + 2 + 12 * $0 }) {
      try check(entry, 12, "directory")
      guard let field = DNGField(rawValue: UInt16(try number(at: entry, size: 2, "directory")))
      else { continue }
      guard entries.updateValue(entry, forKey: field.rawValue) == nil else {
        throw DNGProfileError(field, at: entry, .duplicate)
      }
    }
  }

  /// `IIRC`, the header of a little-endian camera profile.
  static let profileHeader: [UInt8] = [0x49, 0x49, 0x52, 0x43]

  /// Indicates whether there is a field.
  func has(_ field: DNGField) -> Bool { entries[field.rawValue] != nil }

  /// Returns the values of a field, checked; `nil` if there is no such field.
  func values(
    of field: DNGField, _ types: [TIFFType], count: Int? = nil
  ) throws(DNGProfileError) -> Values? {
    guard let entry = entries[field.rawValue] else { return nil }
    func fail(_ defect: DNGProfileError.Defect) -> DNGProfileError {
      DNGProfileError(field, at: entry, defect)
    }
    let number = UInt16(try self.number(at: entry + 2, size: 2, field.name))
    guard let type = TIFFType(rawValue: number), types.contains(type) else {
      throw fail(.type(number))
    }
    let found = Int(try self.number(at: entry + 4, size: 4, field.name))
    guard found > 0, found == count ?? found else { throw fail(.count(found)) }
    let length = found * type.size
    let start = length <= 4 ? entry + 8 : Int(try self.number(at: entry + 8, size: 4, field.name))
    try check(start, length, field.name)
    return Values(directory: self, field: field, type: type, range: start..<start + length)
  }

  /// The values of a field, which all lie inside the file.
  struct Values {
    let directory: TIFFDirectory
    let field: DNGField
    let type: TIFFType
    let range: Range<Int>

    /// The bytes up to the first zero as UTF-8, with invalid ones replaced.
    var text: String { String(decoding: directory.bytes[range].prefix { $0 != 0 }, as: UTF8.self) }

    func numbers() throws(DNGProfileError) -> [Double] {
      try stride(from: 0, to: range.count, by: type.size).map { (place) throws(DNGProfileError) in
        try number(at: place, type)
      }
    }

    /// Returns the number of a type at a position, in bytes from the first value.
    func number(at position: Int, _ type: TIFFType) throws(DNGProfileError) -> Double {
      let place = range.lowerBound + position
      func part(_ offset: Int, _ size: Int) throws(DNGProfileError) -> UInt32 {
        try directory.number(at: place + offset, size: size, field.name)
      }
      guard type == .rational || type == .signedRational else {
        return Double(try part(0, type.size))
      }
      let (numerator, denominator) = (try part(0, 4), try part(4, 4))
      guard denominator != 0 else { throw DNGProfileError(field, at: place, .zeroDenominator) }
      return type == .rational
        ? Double(numerator) / Double(denominator)
        : Double(Int32(bitPattern: numerator)) / Double(Int32(bitPattern: denominator))
    }
  }

  private func check(_ place: Int, _ length: Int, _ field: String) throws(DNGProfileError) {
    guard place <= bytes.count - length else {
      throw DNGProfileError(field: field, offset: place, defect: .truncated(length: bytes.count))
    }
  }

  private func number(at place: Int, size: Int, _ field: String) throws(DNGProfileError) -> UInt32 {
    try check(place, size, field)
    return (0..<size).reduce(0) { number, index in
      number << 8 | UInt32(bytes[place + (isBigEndian ? index : size - 1 - index)])
    }
  }
}
