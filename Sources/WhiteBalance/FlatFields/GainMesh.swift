/// Gains of red, green and blue over a picture: those at the points of a mesh, bilinear between
/// them.
///
/// The points are evenly spaced from edge to edge, row by row from the upper left. This is the form
/// of DNG's opcode GainMap.
public struct GainMesh: Hashable, Sendable {
  /// The number of points in a row, at least 2.
  public let columns: Int
  /// The number of rows of points, at least 2.
  public let rows: Int
  /// The gains of red.
  public let red: [Float]
  /// The gains of green.
  public let green: [Float]
  /// The gains of blue.
  public let blue: [Float]

  /// The largest number of points on a side.
  public static let largestSide = 1024

  /// Creates a mesh; `nil` unless each channel has a positive, finite gain at each point.
  public init?(columns: Int, rows: Int, red: [Float], green: [Float], blue: [Float]) {
    let sides = 2...Self.largestSide
    guard sides.contains(columns), sides.contains(rows),
      [red, green, blue].allSatisfy({ gains in
        gains.count == columns * rows && gains.allSatisfy { $0 > 0 && $0.isFinite }
      })
    else { return nil }
    self.columns = columns
    self.rows = rows
    self.red = red
    self.green = green
    self.blue = blue
  }

  /// The gains of a channel: 0 is red, 1 green and 2 blue.
  package subscript(channel: Int) -> [Float] {
    switch channel {
    case 0: red
    case 1: green
    default: blue
    }
  }

  /// Returns the gains at a position: 0 is the left or upper edge, 1 the right or lower edge.
  public func gains(x: Double, y: Double) -> Gains {
    let right = MeshInterval(x * Double(columns - 1), points: columns)
    let down = MeshInterval(y * Double(rows - 1), points: rows)
    func gain(_ channel: Int) -> Double {
      let gains = self[channel]
      return Double(MeshInterval.value(down, right) { gains[$0 * columns + $1] })
    }
    return Gains(red: gain(0), green: gain(1), blue: gain(2))
  }
}

extension GainMesh: Codable {
  private enum CodingKeys: CodingKey { case columns, rows, red, green, blue }

  /// Decodes and checks a mesh.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    func channel(_ key: CodingKeys) throws -> [Float] {
      try values.decode([Float].self, forKey: key)
    }
    guard
      let mesh = GainMesh(
        columns: try values.decode(Int.self, forKey: .columns),
        rows: try values.decode(Int.self, forKey: .rows), red: try channel(.red),
        green: try channel(.green), blue: try channel(.blue))
    else {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: decoder.codingPath,
          debugDescription: "a mesh needs a positive gain of each channel at each of its points"))
    }
    self = mesh
  }
}
