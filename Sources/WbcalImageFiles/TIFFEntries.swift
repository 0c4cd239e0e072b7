/// The entries of one directory of a TIFF file or of Exif data, by their tags.
///
/// Entries that are damaged or extend beyond the end of the bytes count as missing.
struct TIFFEntries {
  private let bytes: [UInt8]
  let isBigEndian: Bool
  /// The number of entries that are damaged.
  private(set) var damaged = 0
  private var entries: [Int: (type: Int, range: Range<Int>)] = [:]

  /// Reads the directory at an offset, or the first; `nil` if there is none. BigTIFF is not read.
  init?(_ bytes: [UInt8], at offset: Int? = nil) {
    isBigEndian = bytes.starts(with: [0x4D, 0x4D, 0, 42])
    guard isBigEndian || bytes.starts(with: [0x49, 0x49, 42, 0]) else { return nil }
    self.bytes = bytes
    guard let start = offset ?? number(at: 4, size: 4), let count = number(at: start, size: 2)
    else { return nil }
    for entry in (0..<count).map({ start + 2 + 12 * $0 }) {
      guard let tag = number(at: entry, size: 2), let type = number(at: entry + 2, size: 2),
        let size = Self.sizes[type], let values = number(at: entry + 4, size: 4),
        let place = values * size <= 4 ? entry + 8 : number(at: entry + 8, size: 4),
        place + values * size <= bytes.count
      else {
        damaged += 1
        continue
      }
      entries[tag] = (type, place..<place + values * size)
    }
  }

  /// The size of a value in bytes by type, from 1 (BYTE) to 13 (IFD), and 129, Exif's UTF-8.
  static let sizes = [
    1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 1, 7: 1, 8: 2, 9: 4, 10: 8, 11: 4, 12: 8, 13: 4, 129: 1,
  ]

  var tags: some Sequence<Int> { entries.keys }

  /// Returns the type of a field and the range of its values.
  func place(of tag: Int) -> (type: Int, range: Range<Int>)? { entries[tag] }

  /// Returns the text up to its first zero, without leading and trailing blanks; `nil` if it is
  /// empty.
  func text(_ tag: Int) -> String? {
    guard let range = entries[tag]?.range else { return nil }
    let text = String(decoding: bytes[range].prefix { $0 != 0 }, as: UTF8.self)
      .drop { $0 == " " }
    let end = text.lastIndex { $0 != " " }
    return end.map { String(text[...$0]) }
  }

  /// Returns integers and fractions; empty if the values have another type, or are far too many.
  func numbers(_ tag: Int) -> [Double] {
    guard let (type, range) = entries[tag], range.count <= 1 << 22, let size = Self.sizes[type],
      [1, 3, 4, 5, 10, 13].contains(type)
    else { return [] }
    return stride(from: range.lowerBound, to: range.upperBound, by: size).compactMap { place in
      guard type == 5 || type == 10 else { return number(at: place, size: size).map(Double.init) }
      guard let numerator = number(at: place, size: 4), let divisor = number(at: place + 4, size: 4)
      else { return nil }
      return type == 5
        ? Double(numerator) / Double(divisor)
        : Double(Int32(truncatingIfNeeded: numerator)) / Double(Int32(truncatingIfNeeded: divisor))
    }
  }

  /// Returns numbers of type DOUBLE; empty if the values have another type, or are far too many.
  func doubles(_ tag: Int) -> [Double] {
    guard let (type, range) = entries[tag], type == 12, range.count <= 1 << 10 else { return [] }
    return stride(from: range.lowerBound, to: range.upperBound, by: 8).compactMap { place in
      number(at: place, size: 8).map { Double(bitPattern: UInt64(truncatingIfNeeded: $0)) }
    }
  }

  /// Returns the first value if it is an integer; `nil` otherwise.
  func whole(_ tag: Int) -> Int? { numbers(tag).first.flatMap { Int(exactly: $0) } }

  /// Returns the unchanged bytes of the values.
  func bytes(_ tag: Int) -> [UInt8] { entries[tag].map { Array(bytes[$0.range]) } ?? [] }

  private func number(at offset: Int, size: Int) -> Int? {
    Self.number(in: bytes, at: offset, size: size, isBigEndian)
  }

  /// Returns a number; `nil` if it is not inside the bytes.
  static func number(in bytes: [UInt8], at offset: Int, size: Int, _ isBigEndian: Bool) -> Int? {
    guard offset >= 0, offset <= bytes.count - size else { return nil }
    return (0..<size).reduce(0) { number, index in
      number << 8 | Int(bytes[offset + (isBigEndian ? index : size - 1 - index)])
    }
  }
}
