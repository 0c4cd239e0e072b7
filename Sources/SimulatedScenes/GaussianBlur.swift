internal import ColorScience

/// A Gaussian blur of pictures with three channels.
enum GaussianBlur {
  /// Blurs a picture, beyond whose edges their pixels are repeated; `sigma`, the standard deviation
  /// in pixels, is above 0.
  static func blurred(_ picture: [Float], width: Int, height: Int, sigma: Double) -> [Float] {
    let reach = Int((3 * sigma).rounded(.up))
    var weights = (-reach...reach).map {
      Float(exponential(-Double($0 * $0) / (2 * sigma * sigma)))
    }
    let sum = weights.reduce(0, +)
    for index in weights.indices { weights[index] /= sum }
    let length = 3 * width
    var across = picture
    var row = [Float](repeating: 0, count: length + 6 * reach)
    for start in stride(from: 0, to: picture.count, by: length) {
      for index in row.indices {
        let pixel = min(max(index / 3 - reach, 0), width - 1)
        row[index] = picture[start + 3 * pixel + index % 3]
      }
      var result = [Float](repeating: 0, count: length)
      for (tap, weight) in weights.enumerated() {
        accumulate(row.span.extracting(3 * tap..<3 * tap + length), weight, in: &result)
      }
      across.replaceSubrange(start..<start + length, with: result)
    }
    var down: [Float] = []
    down.reserveCapacity(picture.count)
    for line in 0..<height {
      var result = [Float](repeating: 0, count: length)
      for (tap, weight) in weights.enumerated() {
        let from = min(max(line + tap - reach, 0), height - 1) * length
        accumulate(across.span.extracting(from..<from + length), weight, in: &result)
      }
      down += result
    }
    return down
  }

  private static func accumulate(_ row: Span<Float>, _ weight: Float, in sum: inout [Float]) {
    var sum = sum.mutableSpan
    for index in sum.indices { sum[index] += weight * row[index] }
  }
}
