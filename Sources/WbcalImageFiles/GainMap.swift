/// A DNG file's gains over a picture, such as what makes up for a lens's and a filter's shading.
///
/// Telephones write one for each color of the filter array, so that the colors of a picture differ
/// before and after. Source: Digital Negative Specification 1.7.1, chapter 7, GainMap.
struct GainMap {
  /// The rows and columns to which it applies.
  private let rows: StrideTo<Int>
  private let columns: StrideTo<Int>
  /// The samples of a pixel to which it applies.
  let planes: Range<Int>
  private let points: (vertical: Int, horizontal: Int)
  private let spacing: (vertical: Double, horizontal: Double)
  private let origin: (vertical: Double, horizontal: Double)
  private let mapPlanes: Int
  private let gains: [Float]

  /// The gain maps of a list of opcodes, in order.
  ///
  /// - Parameter list: the list's number: those of the first apply to samples as they are stored.
  /// - Throws: where an opcode changes colors in another way. Those that move pixels, mend single
  ///   ones or brighten all colors alike leave a gray card's color as it is.
  static func list(_ bytes: [UInt8], list: Int) throws(ImageFileProblem) -> [GainMap] {
    guard !bytes.isEmpty else { return [] }
    var reader = Reader(bytes: bytes[...])
    var maps: [GainMap] = []
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
        maps.append(map)
      } else if let name = changing[code] {
        throw .unsupported(.raw, "its samples are to be changed by \(name) (OpcodeList\(list))")
      } else if !harmless.contains(code), !isOptional {
        throw .unsupported(.raw, "it has an unknown opcode, \(code) (OpcodeList\(list))")
      }
    }
    return maps
  }

  private static let changing = [
    7: "a table", 8: "a polynomial", 9: "gains before linearization", 10: "offsets of rows",
    11: "offsets of columns", 12: "gains of rows", 13: "gains of columns",
  ]
  /// WarpRectilinear, WarpFisheye, FixVignetteRadial, FixBadPixelsConstant, FixBadPixelsList,
  /// TrimBounds, WarpRectilinear2.
  private static let harmless: Set = [1, 2, 3, 4, 5, 6, 14]

  private static func damaged(_ list: Int) -> ImageFileProblem {
    .corrupt(.raw, "its OpcodeList\(list) is damaged")
  }

  private init?(_ content: ArraySlice<UInt8>) {
    var reader = Reader(bytes: content)
    let area = (0..<10).compactMap { _ in reader.whole() }
    let pair = (0..<4).compactMap { _ in reader.double() }
    // top, left, bottom, right, plane, planes, row pitch, column pitch, points down and across
    guard area.count == 10, pair.count == 4, let mapPlanes = reader.whole(), mapPlanes > 0,
      area[6] > 0, area[7] > 0, area[8] > 0, area[9] > 0, area[2] <= 1 << 20, area[3] <= 1 << 20,
      pair.allSatisfy(\.isFinite), area[8] * area[9] <= 1 << 24, mapPlanes <= 16
    else { return nil }
    gains = (0..<min(area[8] * area[9] * mapPlanes, reader.bytes.count / 4))
      .compactMap { _ in reader.whole().map { Float(bitPattern: UInt32($0)) } }
    guard gains.count == area[8] * area[9] * mapPlanes,
      gains.allSatisfy({ $0.isFinite && $0 > 0 })
    else { return nil }
    rows = stride(from: area[0], to: area[2], by: area[6])
    columns = stride(from: area[1], to: area[3], by: area[7])
    planes = area[4]..<area[4] + area[5]
    points = (area[8], area[9])
    spacing = (pair[0], pair[1])
    origin = (pair[2], pair[3])
    self.mapPlanes = mapPlanes
  }

  /// Calls `body` with a pixel and the gain of a plane there, for every pixel that it applies to.
  ///
  /// Between its points a map is bilinear, and beyond them constant; the middle of a picture's
  /// first pixel is half a pixel from its edge.
  func forEachGain(
    width: Int, height: Int, plane: Int, _ body: (_ row: Int, _ column: Int, Float) -> Void
  ) {
    func place(_ index: Int, _ size: Int, _ spacing: Double, _ origin: Double, _ points: Int) -> (
      Int, Float
    ) {
      let relative = (Double(index) + 0.5) / Double(size) - origin
      let position = spacing > 0 ? min(max(relative / spacing, 0), Double(points - 1)) : 0
      let first = min(Int(position), max(points - 2, 0))
      return (first, Float(position - Double(first)))
    }
    let mapPlane = min(plane - planes.lowerBound, mapPlanes - 1)
    func gain(_ v: Int, _ h: Int) -> Float {
      let (v, h) = (min(v, points.vertical - 1), min(h, points.horizontal - 1))
      return gains[(v * points.horizontal + h) * mapPlanes + mapPlane]
    }
    let across = columns.lazy.filter { $0 < width }.map {
      ($0, place($0, width, spacing.horizontal, origin.horizontal, points.horizontal))
    }
    let places = Array(across)
    for row in rows where row < height {
      let (v, down) = place(row, height, spacing.vertical, origin.vertical, points.vertical)
      for (column, (h, right)) in places {
        let top = gain(v, h) * (1 - right) + gain(v, h + 1) * right
        let bottom = gain(v + 1, h) * (1 - right) + gain(v + 1, h + 1) * right
        body(row, column, top * (1 - down) + bottom * down)
      }
    }
  }

  /// Opcodes are big-endian in every file.
  private struct Reader {
    var bytes: ArraySlice<UInt8>

    mutating func whole() -> Int? {
      guard bytes.count >= 4 else { return nil }
      defer { bytes = bytes.dropFirst(4) }
      return bytes.prefix(4).reduce(0) { $0 << 8 | Int($1) }
    }

    mutating func double() -> Double? {
      guard let high = whole(), let low = whole() else { return nil }
      return Double(bitPattern: UInt64(high) << 32 | UInt64(low))
    }
  }
}
