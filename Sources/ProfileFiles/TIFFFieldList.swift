import ColorScience

/// The fields of a TIFF directory that is being written, little-endian.
struct TIFFFieldList {
  private var fields: [UInt16: (type: TIFFType, bytes: [UInt8])] = [:]

  /// Adds a field, or replaces its values.
  mutating func add(_ field: some TIFFTag, _ type: TIFFType, _ bytes: [UInt8]) {
    fields[field.rawValue] = (type, bytes)
  }

  mutating func add(_ field: some TIFFTag, short numbers: [UInt16]) {
    add(field, .short, numbers.flatMap { Self.bytes($0) })
  }

  mutating func add(_ field: some TIFFTag, long numbers: [UInt32]) {
    add(field, .long, numbers.flatMap { Self.bytes($0) })
  }

  /// Adds a text, unless it is `nil`. Text that is not ASCII is UTF-8 of type BYTE.
  mutating func add(_ field: some TIFFTag, text: String?) throws(DNGProfileError) {
    guard let text else { return }
    let bytes = Array(text.utf8)
    guard !bytes.contains(0) else { throw DNGProfileError(field, .zeroInText) }
    add(field, bytes.allSatisfy { $0 < 128 } ? .ascii : .byte, bytes + [0])
  }

  mutating func add(_ field: some TIFFTag, _ matrix: Matrix3x3?) throws(DNGProfileError) {
    guard let matrix else { return }
    add(field, .signedRational, try Self.fractions(matrix.elements, field))
  }

  mutating func add(_ field: some TIFFTag, positive numbers: [Double]) throws(DNGProfileError) {
    add(field, .rational, try Self.fractions(numbers, field, least: 0))
  }

  /// The size of the directory and of the values that do not fit into it, in bytes.
  var size: Int {
    fields.values.reduce(2 + 12 * fields.count + 4) { $0 + Self.outside($1.bytes).count }
  }

  /// The place in the directory of a field's value of at most 4 bytes.
  func valuePlace(of field: some TIFFTag) -> Int {
    2 + 12 * fields.keys.count { $0 < field.rawValue } + 8
  }

  /// Returns the directory, and the values that do not fit into it.
  ///
  /// - Parameter offset: the place of the directory in the file, which is even.
  func encoded(at offset: Int) -> [UInt8] {
    var directory = Self.bytes(UInt16(fields.count))
    var values: [UInt8] = []
    let end = offset + 2 + 12 * fields.count + 4
    for (tag, (type, bytes)) in fields.sorted(by: { $0.key < $1.key }) {
      directory += Self.bytes(tag) + Self.bytes(type.rawValue)
      directory += Self.bytes(UInt32(bytes.count / type.size))
      if bytes.count <= 4 {
        directory += bytes + [UInt8](repeating: 0, count: 4 - bytes.count)
      } else {
        directory += Self.bytes(UInt32(end + values.count))
        values += Self.outside(bytes)
      }
    }
    return directory + Self.bytes(UInt32(0)) + values
  }

  /// Returns the bytes that a field's values take outside the directory. TIFF requires values to
  /// begin at even offsets.
  private static func outside(_ bytes: [UInt8]) -> [UInt8] {
    if bytes.count <= 4 { return [] }
    return bytes.count.isMultiple(of: 2) ? bytes : bytes + [0]
  }

  static func fractions(
    _ numbers: [Double], _ field: some TIFFTag, least: Double = -.infinity
  ) throws(DNGProfileError) -> [UInt8] {
    var result: [UInt8] = []
    for number in numbers {
      guard number >= least, let fraction = Fraction(number) else {
        throw DNGProfileError(field, .notRepresentable(number))
      }
      result += bytes(UInt32(bitPattern: fraction.numerator))
      result += bytes(UInt32(bitPattern: fraction.denominator))
    }
    return result
  }

  static func bytes(_ number: some FixedWidthInteger & UnsignedInteger) -> [UInt8] {
    (0..<number.bitWidth / 8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }
}
