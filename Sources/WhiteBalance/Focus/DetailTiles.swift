import CWbcalFrameKernels

/// Sums of the squares and products of two pictures' gradients (by Sobel's operator) and of their
/// second differences, over tiles of 16×16 samples.
struct DetailTiles {
  /// The sums of a tile.
  struct Tile {
    /// The sums of gradients; the operator gives 8 times the gradient.
    var gradient = Sums()
    /// The sums of second differences; the operator gives 4 times the difference.
    var curvature = Sums()
  }

  struct Sums {
    var product = 0.0
    var squares = (0.0, 0.0)
  }

  /// The tiles that have at least one valid gradient.
  private(set) var tiles: [Tile] = []
  /// The number of valid gradients.
  private(set) var count = 0
  /// The mean of each picture's samples that have a valid gradient.
  private(set) var means = (0.0, 0.0)

  private static let side = 16

  /// Sums up two pictures.
  ///
  /// - Precondition: both pictures have `width` × `height` samples, and both sides are at least 3.
  init(_ first: [Float], _ second: [Float], width: Int, height: Int) {
    let inner = width - 2
    var sums = [Float](repeating: 0, count: 9 * inner)
    for row in 1..<height - 1 {
      unsafe first.withUnsafeBufferPointer { first in
        unsafe second.withUnsafeBufferPointer { second in
          unsafe wb_sum_detail(
            first.baseAddress! + row * width, second.baseAddress! + row * width, width, &sums)
        }
      }
      guard row % Self.side == 0 || row == height - 2 else { continue }
      for start in stride(from: 0, to: inner, by: Self.side) {
        var tile = Tile()
        var used = 0
        for column in start..<min(start + Self.side, inner) {
          tile.gradient.product += Double(sums[column])
          tile.gradient.squares.0 += Double(sums[inner + column])
          tile.gradient.squares.1 += Double(sums[2 * inner + column])
          tile.curvature.product += Double(sums[6 * inner + column])
          tile.curvature.squares.0 += Double(sums[7 * inner + column])
          tile.curvature.squares.1 += Double(sums[8 * inner + column])
          used += Int(sums[3 * inner + column])
          means.0 += Double(sums[4 * inner + column])
          means.1 += Double(sums[5 * inner + column])
        }
        if used > 0 { tiles.append(tile) }
        count += used
      }
      for index in sums.indices { sums[index] = 0 }
    }
    means = (means.0 / Double(count), means.1 / Double(count))
  }
}
