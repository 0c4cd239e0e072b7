import WhiteBalance

/// A frame's linear values at a reduced size.
struct LinearImage {
  let width, height: Int
  /// The width of a pixel of the image, in pixels of the frame.
  let scale: Double
  /// Red, green and blue, and the fraction of samples that are clipped, row by row.
  private(set) var pixels: [SIMD4<Float>]
  /// The linear value below which differences do not count.
  private(set) var floor = 0.0

  /// Reduces a frame whose pixels are `bytes` to at most about `longestSide` pixels in width and
  /// height.
  ///
  /// Complexity: O(pixels of the frame). If a pixel of the image covers more than 2 × 2 samples,
  /// only every other column and row of them is read.
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
            sum += SIMD4(sample.linear, sample.isClipped ? 1 : 0)
            count += 1
          }
        }
        pixels.append(sum / count)
      }
    }
    let brightest = sampledPlaces.map { max(pixels[$0].x, pixels[$0].y, pixels[$0].z) }
      .filter(\.isFinite)
    guard !brightest.isEmpty else { return }
    floor = Double(max(1e-4, 0.005 * brightest.orderStatistic(brightest.count * 95 / 100)))
  }

  private init(width: Int, height: Int, scale: Double) {
    (self.width, self.height, self.scale) = (width, height, scale)
    pixels = [SIMD4<Float>](repeating: .zero, count: width * height)
  }

  /// Returns the image at half its size.
  func halved() -> LinearImage {
    var half = LinearImage(width: width / 2, height: height / 2, scale: 2 * scale)
    half.floor = floor
    for y in 0..<half.height {
      for x in 0..<half.width {
        let start = 2 * (y * width + x)
        half.pixels[y * half.width + x] =
          (pixels[start] + pixels[start + 1] + pixels[start + width] + pixels[start + width + 1])
          / 4
      }
    }
    return half
  }

  /// The indices of about 4096 pixels, distributed over the image.
  var sampledPlaces: [Int] {
    Array(stride(from: 0, to: pixels.count - 1, by: max(1, pixels.count / 4096)))
  }

  /// Returns the linear values at a position, interpolated linearly between pixels; `nil` outside.
  func color(at place: SIMD2<Double>) -> SIMD4<Double>? {
    let place = place - 0.5
    guard place.x >= 0, place.y >= 0, place.x < Double(width - 1), place.y < Double(height - 1)
    else { return nil }
    // Neither is negative, so that conversion rounds down; `rounded(.down)` would be a call.
    let (column, row) = (Int(place.x), Int(place.y))
    let start = row * width + column
    let (right, down) = (Float(place.x - Double(column)), Float(place.y - Double(row)))
    let upper = pixels[start] + (pixels[start + 1] - pixels[start]) * right
    let lower =
      pixels[start + width] + (pixels[start + width + 1] - pixels[start + width]) * right
    return SIMD4<Double>(upper + (lower - upper) * down)
  }

  /// Returns the mean of 5 × 5 positions in the middle two fifths of a square of a grid; `nil` if
  /// one of them is outside the image.
  func mean(of middle: SIMD2<Double>, _ grid: Homography) -> SIMD4<Double>? {
    var sum = SIMD4<Double>.zero
    for v in -2...2 {
      for u in -2...2 {
        let offset = 0.1 * SIMD2(Double(u), Double(v))
        guard let color = color(at: grid.apply(middle + offset)) else { return nil }
        sum += color
      }
    }
    return sum / 25
  }
}
