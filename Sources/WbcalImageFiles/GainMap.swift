import WhiteBalance

/// A DNG file's gains over a picture, for example to compensate for the shading of a lens or a
/// filter.
///
/// Telephones write one for each color of the filter array, so that it changes the colors of a
/// picture. Source: Digital Negative Specification 1.7.1, chapter 7, GainMap.
struct GainMap {
  /// The rows and columns to which the map applies.
  private let rows: StrideTo<Int>
  private let columns: StrideTo<Int>
  /// The samples of a pixel to which the map applies.
  let planes: Range<Int>
  private let points: (vertical: Int, horizontal: Int)
  private let spacing: (vertical: Double, horizontal: Double)
  private let origin: (vertical: Double, horizontal: Double)
  private let mapPlanes: Int
  private let gains: [Float]

  /// Reads a map; `nil` if the content is damaged.
  init?(_ content: ArraySlice<UInt8>) {
    var reader = OpcodeReader(bytes: content)
    let area = (0..<10).compactMap { _ in reader.whole() }
    let pair = (0..<4).compactMap { _ in reader.double() }
    // top, left, bottom, right, plane, planes, row pitch, column pitch, points down and across
    guard area.count == 10, pair.count == 4, let mapPlanes = reader.whole(), mapPlanes > 0,
      area[6] > 0, area[7] > 0, area[8] > 0, area[9] > 0, area[2] <= 1 << 20, area[3] <= 1 << 20,
      pair.allSatisfy(\.isFinite), max(area[8], area[9]) <= 1 << 12, mapPlanes <= 16
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

  /// Calls `body` with each row of a plane to which the map applies, its columns, and their gains.
  ///
  /// The map is bilinear between its points, and constant beyond them; the center of a picture's
  /// first pixel is half a pixel from its edge.
  func forEachRow(
    width: Int, height: Int, plane: Int,
    _ body: (_ row: Int, _ columns: [Int], _ gains: [Float]) -> Void
  ) {
    func place(
      _ index: Int, _ size: Int, _ spacing: Double, _ origin: Double, _ points: Int
    ) -> MeshInterval {
      let relative = (Double(index) + 0.5) / Double(size) - origin
      return MeshInterval(spacing > 0 ? relative / spacing : 0, points: points)
    }
    let mapPlane = min(plane - planes.lowerBound, mapPlanes - 1)
    let columns = columns.filter { $0 < width }
    let places = columns.map {
      place($0, width, spacing.horizontal, origin.horizontal, points.horizontal)
    }
    // The rows of pixels between two rows of points share what is interpolated along these.
    func line(_ row: Int) -> [Float] {
      func gain(_ column: Int) -> Float {
        gains[(row * points.horizontal + column) * mapPlanes + mapPlane]
      }
      return places.map { $0.value(gain($0.first), gain($0.second)) }
    }
    var lines: (first: [Float], second: [Float]) = ([], [])
    var firstOfLines: Int?
    var gainsOfRow = [Float](repeating: 1, count: columns.count)
    for row in rows where row < height {
      let down = place(row, height, spacing.vertical, origin.vertical, points.vertical)
      if down.first != firstOfLines {
        (lines, firstOfLines) = ((line(down.first), line(down.second)), down.first)
      }
      let share = down.share
      for index in gainsOfRow.indices {
        // As `MeshInterval.value`, whose calls would take most of the time.
        gainsOfRow[index] = lines.first[index] * (1 - share) + lines.second[index] * share
      }
      body(row, columns, gainsOfRow)
    }
  }
}
