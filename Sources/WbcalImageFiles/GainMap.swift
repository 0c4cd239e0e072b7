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

  /// Calls `body` with the position and the gain of every pixel of a plane to which the map
  /// applies.
  ///
  /// The map is bilinear between its points, and constant beyond them; the center of a picture's
  /// first pixel is half a pixel from its edge.
  func forEachGain(
    width: Int, height: Int, plane: Int, _ body: (_ row: Int, _ column: Int, Float) -> Void
  ) {
    func place(
      _ index: Int, _ size: Int, _ spacing: Double, _ origin: Double, _ points: Int
    ) -> MeshInterval {
      let relative = (Double(index) + 0.5) / Double(size) - origin
      return MeshInterval(spacing > 0 ? relative / spacing : 0, points: points)
    }
    let mapPlane = min(plane - planes.lowerBound, mapPlanes - 1)
    let across = columns.lazy.filter { $0 < width }.map {
      ($0, place($0, width, spacing.horizontal, origin.horizontal, points.horizontal))
    }
    let places = Array(across)
    for row in rows where row < height {
      let down = place(row, height, spacing.vertical, origin.vertical, points.vertical)
      for (column, right) in places {
        let gain = MeshInterval.value(down, right) { row, column in
          gains[(row * points.horizontal + column) * mapPlanes + mapPlane]
        }
        body(row, column, gain)
      }
    }
  }
}
