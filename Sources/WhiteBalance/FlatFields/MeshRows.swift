import ColorScience

/// The gains of a mesh, multiplied by gains of the whole picture, for the rows of a picture.
struct MeshRows: Sendable {
  /// Each column's share of the distance between its points.
  let shares: [Float]
  /// The first column of each interval between points, and the number of columns after the last.
  let starts: [UInt32]

  private let mesh: GainMesh
  private let gains: SIMD3<Float>
  private let height: Int

  /// The number of intervals between the points of a row.
  var intervals: Int { mesh.columns - 1 }

  init(_ mesh: GainMesh, times gains: Gains, width: Int, height: Int) {
    self.mesh = mesh
    self.gains = SIMD3<Float>(gains.vector)
    self.height = height
    let places = (0..<width).map {
      MeshInterval(
        (Double($0) + 0.5) / Double(width) * Double(mesh.columns - 1), points: mesh.columns)
    }
    shares = places.map(\.share)
    starts = (0..<mesh.columns).map { point in
      UInt32(places.firstIndex { $0.first >= point } ?? places.count)
    }
  }

  /// Returns the gains of a channel in a row, at the points' columns.
  func points(_ channel: Int, row: Int) -> [Float] {
    let all = mesh[channel]
    let down = MeshInterval(
      (Double(row) + 0.5) / Double(height) * Double(mesh.rows - 1), points: mesh.rows)
    let gain = gains[channel]
    return (0..<mesh.columns).map {
      gain * down.value(all[down.first * mesh.columns + $0], all[down.second * mesh.columns + $0])
    }
  }

  /// Writes the gains of a channel for the pixels of a row, from an index on.
  func fill(_ factors: inout [Float], from first: Int = 0, channel: Int, row: Int) {
    precondition(first + shares.count <= factors.count, "a row must fit")
    let points = points(channel, row: row)
    unsafe factors.withUnsafeMutableBufferPointer { factors in
      unsafe shares.withUnsafeBufferPointer { shares in
        for interval in 0..<intervals {
          let (left, right) = (points[interval], points[interval + 1])
          for column in Int(starts[interval])..<Int(starts[interval + 1]) {
            unsafe factors[first + column] = MeshInterval.value(
              left, right, share: shares[column])
          }
        }
      }
    }
  }
}
