/// A TIFF file with one directory, valid or malformed, in either byte order.
struct TestFile {
  var isBigEndian = false
  var header: [UInt8]?
  private var entries: [(tag: UInt16, type: UInt16, count: UInt32, value: [UInt8])] = []

  /// Creates the smallest file that makes a profile.
  init(isBigEndian: Bool = false, colorMatrix1: Bool = true) {
    self.isBigEndian = isBigEndian
    if colorMatrix1 { addFractions(50721, Self.matrix) }
  }

  static let matrix: [(Int, Int)] = [
    (5309, 10000), (-229, 10000), (-336, 10000), (-6241, 10000), (13265, 10000), (3337, 10000),
    (-817, 10000), (1215, 10000), (6664, 10000),
  ]

  mutating func add(_ tag: UInt16, type: UInt16, count: Int, _ value: [UInt8]) {
    entries.append((tag, type, UInt32(count), value))
  }

  mutating func addShort(_ tag: UInt16, _ value: UInt16) {
    add(tag, type: 3, count: 1, bytes(value))
  }

  mutating func addFractions(_ tag: UInt16, type: UInt16 = 10, _ fractions: [(Int, Int)]) {
    add(
      tag, type: type, count: fractions.count,
      fractions.flatMap {
        bytes(UInt32(truncatingIfNeeded: $0.0)) + bytes(UInt32(truncatingIfNeeded: $0.1))
      })
  }

  func bytes(_ number: some FixedWidthInteger & UnsignedInteger) -> [UInt8] {
    let little = (0..<number.bitWidth / 8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    return isBigEndian ? little.reversed() : little
  }

  /// Returns the offset of the entry with an index; `values` is the offset of the values.
  func entry(_ index: Int) -> Int { 10 + 12 * index }
  var values: Int { entry(entries.count) + 4 }

  /// The bytes of the file. Its next directory is this one again.
  var contents: [UInt8] {
    let magic: [UInt8] = isBigEndian ? [0x4D, 0x4D, 0, 42] : [0x49, 0x49, 42, 0]
    var directory = (header ?? magic) + bytes(UInt32(8)) + bytes(UInt16(entries.count))
    var outside: [UInt8] = []
    for entry in entries {
      directory += bytes(entry.tag) + bytes(entry.type) + bytes(entry.count)
      if entry.value.count <= 4 {
        directory += entry.value + [UInt8](repeating: 0, count: 4 - entry.value.count)
      } else {
        directory += bytes(UInt32(values + outside.count))
        outside += entry.value
      }
    }
    return directory + bytes(UInt32(8)) + outside
  }
}
