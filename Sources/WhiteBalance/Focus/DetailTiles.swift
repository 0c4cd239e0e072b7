/// Sums over tiles of 16×16 samples of the gradients of two pictures, by Sobel's operator: of their
/// squares, and of their products; and the corresponding sums of second differences.
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
  /// - Precondition: both pictures have `width` × `height` samples, 3 of each at least.
  init(_ first: [Float], _ second: [Float], width: Int, height: Int) {
    let inner = width - 2
    var lines = (Line(width), Line(width))
    var sums = [Float](repeating: 0, count: 9 * inner)
    for row in 1..<height - 1 {
      lines.0.load(first, row, width)
      lines.1.load(second, row, width)
      let centers = row * width + 1..<(row + 1) * width - 1
      Self.add(
        lines.0, lines.1, first.span.extracting(centers), second.span.extracting(centers),
        to: &sums)
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

  /// The sums over three rows, weighted 1, 2, 1, and their first and second differences, for each
  /// column.
  private struct Line {
    var sums, differences, curvatures: [Float]

    init(_ width: Int) {
      sums = [Float](repeating: 0, count: width)
      differences = sums
      curvatures = sums
    }

    mutating func load(_ picture: [Float], _ row: Int, _ width: Int) {
      let picture = picture.span
      let above = picture.extracting((row - 1) * width..<row * width)
      let middle = picture.extracting(row * width..<(row + 1) * width)
      let below = picture.extracting((row + 1) * width..<(row + 2) * width)
      var sums = self.sums.mutableSpan
      for column in 0..<width {
        sums[column] = above[column] + 2 * middle[column] + below[column]
      }
      var differences = self.differences.mutableSpan
      for column in 0..<width { differences[column] = below[column] - above[column] }
      var curvatures = self.curvatures.mutableSpan
      for column in 0..<width {
        curvatures[column] = above[column] - 2 * middle[column] + below[column]
      }
    }
  }

  /// Adds, for each column of a row, the products and squares of gradients, their number, and the
  /// linear values. A gradient next to a sample that is not a number is left out.
  private static func add(
    _ first: Line, _ second: Line, _ lightA: Span<Float>, _ lightB: Span<Float>,
    to sums: inout [Float]
  ) {
    let inner = lightA.count
    let sumA = first.sums.span
    let differenceA = first.differences.span
    let sumB = second.sums.span
    let differenceB = second.differences.span
    var sums = sums.mutableSpan
    for column in 0..<inner {
      let acrossA = sumA[column + 2] - sumA[column]
      let acrossB = sumB[column + 2] - sumB[column]
      let downA = differenceA[column] + 2 * differenceA[column + 1] + differenceA[column + 2]
      let downB = differenceB[column] + 2 * differenceB[column + 1] + differenceB[column + 2]
      let product = acrossA * acrossB + downA * downB
      let isNumber = product + lightA[column] + lightB[column] < .infinity
      sums[column] += isNumber ? product : 0
      sums[inner + column] += isNumber ? acrossA * acrossA + downA * downA : 0
      sums[2 * inner + column] += isNumber ? acrossB * acrossB + downB * downB : 0
      sums[3 * inner + column] += isNumber ? 1 : 0
      sums[4 * inner + column] += isNumber ? lightA[column] : 0
      sums[5 * inner + column] += isNumber ? lightB[column] : 0
    }
    let curvatureA = first.curvatures.span
    let curvatureB = second.curvatures.span
    for column in 0..<inner {
      let acrossA = sumA[column + 2] - 2 * sumA[column + 1] + sumA[column]
      let acrossB = sumB[column + 2] - 2 * sumB[column + 1] + sumB[column]
      let downA = curvatureA[column] + 2 * curvatureA[column + 1] + curvatureA[column + 2]
      let downB = curvatureB[column] + 2 * curvatureB[column + 1] + curvatureB[column + 2]
      let product = acrossA * acrossB + downA * downB
      let isNumber = product + lightA[column] + lightB[column] < .infinity
      sums[6 * inner + column] += isNumber ? product : 0
      sums[7 * inner + column] += isNumber ? acrossA * acrossA + downA * downA : 0
      sums[8 * inner + column] += isNumber ? acrossB * acrossB + downB * downB : 0
    }
  }
}
