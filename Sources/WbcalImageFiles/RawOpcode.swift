/// An operation that a DNG file prescribes for its linear samples, in the order of its list.
///
/// Source: Digital Negative Specification 1.7.1, chapter 7.
enum RawOpcode {
  case gains(GainMap)
  case change(SampleChange)

  /// The samples of a pixel to which the opcode applies.
  var planes: Range<Int> {
    switch self {
    case .gains(let map): map.planes
    case .change(let change): change.planes
    }
  }

  /// Indicates whether it changes samples other than by a gain, which requires fine codes.
  var isChange: Bool { if case .change = self { true } else { false } }

  /// Returns the opcodes of a list that change colors.
  ///
  /// - Parameter list: the list's number: opcodes of the first list apply to samples as they are
  ///   stored.
  /// - Throws: an error if an opcode changes colors in an unknown way. Opcodes that move pixels,
  ///   repair single ones or brighten all colors alike do not change a gray card's color.
  static func list(_ bytes: [UInt8], list: Int) throws(ImageFileProblem) -> [RawOpcode] {
    guard !bytes.isEmpty else { return [] }
    var reader = OpcodeReader(bytes: bytes[...])
    var opcodes: [RawOpcode] = []
    guard let count = reader.whole() else { throw damaged(list) }
    for _ in 0..<count {
      guard let code = reader.whole(), reader.whole() != nil, let flags = reader.whole(),
        let length = reader.whole(), length <= reader.bytes.count
      else { throw damaged(list) }
      let content = reader.bytes.prefix(length)
      reader.bytes = reader.bytes.dropFirst(length)
      let isOptional = flags & 1 != 0
      if code == 9, list == 2 {
        guard let map = GainMap(content) else { throw damaged(list) }
        opcodes.append(.gains(map))
      } else if let name = changing[code] {
        guard list == 2 else {
          throw .unsupported(.raw, "its samples must be changed by \(name) (OpcodeList\(list))")
        }
        guard let change = SampleChange(code: code, content) else { throw damaged(list) }
        opcodes.append(.change(change))
      } else if !harmless.contains(code), !isOptional {
        throw .unsupported(.raw, "it has an unknown opcode, \(code) (OpcodeList\(list))")
      }
    }
    return opcodes
  }

  private static let changing = [
    7: "a table", 8: "a polynomial", 9: "gains before linearization", 10: "offsets of rows",
    11: "offsets of columns", 12: "gains of rows", 13: "gains of columns",
  ]
  /// The opcodes WarpRectilinear, WarpFisheye, FixVignetteRadial, FixBadPixelsConstant,
  /// FixBadPixelsList, TrimBounds and WarpRectilinear2.
  private static let harmless: Set = [1, 2, 3, 4, 5, 6, 14]

  private static func damaged(_ list: Int) -> ImageFileProblem {
    .corrupt(.raw, "its OpcodeList\(list) is damaged")
  }
}

/// The opcode MapTable, MapPolynomial, DeltaPerRow, DeltaPerColumn, ScalePerRow or ScalePerColumn.
struct SampleChange {
  enum Kind {
    /// The coefficients, by rising power.
    case polynomial([Double])
    /// The table for samples of 16 bits; the last entry applies to all larger samples.
    case table([UInt16])
    case rowOffsets([Double]), columnOffsets([Double]), rowGains([Double]), columnGains([Double])
  }

  private let rows: StrideTo<Int>
  private let columns: StrideTo<Int>
  let planes: Range<Int>
  let kind: Kind

  /// Reads a change; `nil` if the content is damaged.
  init?(code: Int, _ content: ArraySlice<UInt8>) {
    var reader = OpcodeReader(bytes: content)
    let area = (0..<8).compactMap { _ in reader.whole() }
    // top, left, bottom, right, plane, planes, row pitch, column pitch
    guard area.count == 8, area[6] > 0, area[7] > 0, area[2] <= 1 << 20, area[3] <= 1 << 20,
      let count = reader.whole(), count <= 1 << 20
    else { return nil }
    rows = stride(from: area[0], to: area[2], by: area[6])
    columns = stride(from: area[1], to: area[3], by: area[7])
    planes = area[4]..<area[4] + area[5]
    if code == 7 {
      let entries = (0..<min(count, reader.bytes.count / 2)).compactMap { _ in reader.half() }
      guard entries.count == count, count > 0 else { return nil }
      kind = .table(entries)
      return
    }
    let isPolynomial = code == 8
    let needed = isPolynomial ? count + 1 : count
    let numbers = (0..<min(needed, reader.bytes.count / 4)).compactMap { _ in
      isPolynomial
        ? reader.double() : reader.whole().map { Double(Float(bitPattern: UInt32($0))) }
    }
    guard numbers.count == needed, numbers.allSatisfy(\.isFinite) else { return nil }
    func length(_ places: StrideTo<Int>) -> Int { places.reduce(0) { count, _ in count + 1 } }
    switch code {
    case 8: kind = .polynomial(numbers)
    case 10 where needed >= length(rows): kind = .rowOffsets(numbers)
    case 11 where needed >= length(columns): kind = .columnOffsets(numbers)
    case 12 where needed >= length(rows): kind = .rowGains(numbers)
    case 13 where needed >= length(columns): kind = .columnGains(numbers)
    default: return nil
    }
  }

  /// Indicates whether it applies to every pixel of a picture.
  func isWhole(width: Int, height: Int) -> Bool {
    rows.elementsEqual(0..<max(height, rows.reduce(0) { count, _ in count + 1 }))
      && columns.elementsEqual(0..<max(width, columns.reduce(0) { count, _ in count + 1 }))
  }

  /// Calls `body` with every pixel to which it applies, and with the indices of its row and column
  /// in the lists of rows and columns.
  func forEachPixel(
    width: Int, height: Int,
    _ body: (_ row: Int, _ column: Int, _ numberOfRow: Int, _ numberOfColumn: Int) -> Void
  ) {
    for (i, row) in rows.enumerated() where row < height {
      for (j, column) in columns.enumerated() where column < width { body(row, column, i, j) }
    }
  }

  /// Returns a linear sample, black 0 and white 1, after the change.
  func changed(_ light: Double, row: Int, column: Int) -> Double {
    switch kind {
    case .polynomial(let terms): return terms.reversed().reduce(0) { $0 * light + $1 }
    case .table(let entries):
      let place = min(max((light * 65_535).rounded(), 0), Double(entries.count - 1))
      return Double(entries[Int(place)]) / 65_535
    case .rowOffsets(let offsets): return light + offsets[row]
    case .columnOffsets(let offsets): return light + offsets[column]
    case .rowGains(let gains): return light * gains[row]
    case .columnGains(let gains): return light * gains[column]
    }
  }
}

/// Reads the numbers of opcodes, which are big-endian in every file.
struct OpcodeReader {
  var bytes: ArraySlice<UInt8>

  mutating func whole() -> Int? {
    guard bytes.count >= 4 else { return nil }
    defer { bytes = bytes.dropFirst(4) }
    return bytes.prefix(4).reduce(0) { $0 << 8 | Int($1) }
  }

  mutating func half() -> UInt16? {
    guard bytes.count >= 2 else { return nil }
    defer { bytes = bytes.dropFirst(2) }
    return bytes.prefix(2).reduce(0) { $0 << 8 | UInt16($1) }
  }

  mutating func double() -> Double? {
    guard let high = whole(), let low = whole() else { return nil }
    return Double(bitPattern: UInt64(high) << 32 | UInt64(low))
  }
}
