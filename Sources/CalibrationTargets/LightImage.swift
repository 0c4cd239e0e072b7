import WhiteBalance

/// The linear light of a frame at a reduced size.
struct LightImage {
  let width, height: Int
  /// Pixels of the frame across one of the image.
  let scale: Double
  /// Red, green and blue, and the share of samples that are clipped, row by row.
  private(set) var pixels: [SIMD4<Float>]

  /// A frame whose pixels are `bytes`, at most about `longestSide` pixels wide and high.
  ///
  /// Complexity: O(pixels of the frame); of more than four samples a pixel only every other one, in
  /// columns and rows, is read.
  init(_ bytes: Span<UInt8>, layout: FrameLayout, longestSide: Int) throws(FrameError) {
    let samples = try LinearSamples(of: bytes, layout: layout, region: nil)
    let side = (max(samples.columns, samples.rows) + longestSide - 1) / longestSide
    let step = side > 2 ? 2 : 1
    scale = Double(side * (samples.pixelsPerSample == 4 ? 2 : 1))
    (width, height) = (samples.columns / side, samples.rows / side)
    pixels = []
    pixels.reserveCapacity(width * height)
    for row in 0..<height {
      for column in 0..<width {
        var sum = SIMD4<Float>.zero
        var count: Float = 0
        for y in stride(from: row * side, to: (row + 1) * side, by: step) {
          for x in stride(from: column * side, to: (column + 1) * side, by: step) {
            let sample = samples.sample(bytes, column: x, row: y)
            sum += SIMD4(sample.light, sample.isClipped ? 1 : 0)
            count += 1
          }
        }
        pixels.append(sum / count)
      }
    }
  }

  private init(width: Int, height: Int, scale: Double) {
    (self.width, self.height, self.scale) = (width, height, scale)
    pixels = [SIMD4<Float>](repeating: .zero, count: width * height)
  }

  /// The image at half its size.
  func halved() -> LightImage {
    var half = LightImage(width: width / 2, height: height / 2, scale: 2 * scale)
    for y in 0..<half.height {
      for x in 0..<half.width {
        let start = 2 * (y * width + x)
        half.pixels[y * half.width + x] =
          (pixels[start] + pixels[start + 1] + pixels[start + width] + pixels[start + width + 1]) / 4
      }
    }
    return half
  }

  /// The mean of 5 × 5 places in the middle two fifths of a square of a grid; `nil` if one is not
  /// in the image.
  func mean(of square: SIMD2<Double>, _ grid: Homography) -> SIMD4<Double>? {
    var sum = SIMD4<Double>.zero
    for v in -2...2 {
      for u in -2...2 {
        let place = grid.apply(square + 0.5 + 0.1 * SIMD2(Double(u), Double(v)))
        guard place.x >= 0, place.y >= 0, place.x < Double(width), place.y < Double(height) else {
          return nil
        }
        sum += SIMD4<Double>(pixels[Int(place.y) * width + Int(place.x)])
      }
    }
    return sum / 25
  }
}
