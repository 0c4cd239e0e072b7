import ColorScience
import Pairs
import WhiteBalance

/// A scene as a camera renders it, in any format of the tables.
///
/// Bayer formats have linear codes, all others sRGB; chroma is the mean of the pixels that share
/// it.
struct CameraScene {
  /// Returns the description of the scene for the tables.
  static func description(noise: Double) -> String {
    """
    The frame is a rendered scene: a wall and a floor under light that falls off, a window, which is clipped and a \
    tenth of the frame, and 150 rectangles and ellipses of one color each with sharp edges. The lens darkens the \
    corners by a third; every channel has shot and read noise, with a deviation of \(noise) codes at sRGB's code 118.
    """
  }

  private struct Object {
    var x, y, width, height: Double
    var isEllipse: Bool
    var color: SIMD3<Double>

    func covers(_ column: Double, _ row: Double) -> Bool {
      let (u, v) = ((column - x) / width, (row - y) / height)
      return isEllipse ? u * u + v * v < 1 : abs(u) < 1 && abs(v) < 1
    }
  }

  /// The largest index of `encoded`.
  private static let steps = 8192

  let width, height: Int
  private var objects: [Object] = []
  /// The codes of sRGB, up to 255, for linear values from 0 to 1.
  private let encoded = (0...Self.steps).map {
    Float(255 * TransferFunction.sRGB.encoded(Double($0) / Double(Self.steps)))
  }
  /// The variance of read noise, and that of shot noise for a linear value of 1.
  private let read, shot: Double

  /// - Parameter noise: the standard deviation of a channel at code 118, in codes of sRGB.
  init(width: Int, height: Int, noise: Double) {
    (self.width, self.height) = (width, height)
    let gray = TransferFunction.sRGB.linear(118.0 / 255)
    let step = TransferFunction.sRGB.linear(119.0 / 255) - gray
    let variance = noise * noise * step * step
    (read, shot) = (0.1 * variance, 0.9 * variance / gray)
    var random = Generator(state: 17)
    let side = Double(height)
    for _ in 0..<150 {
      // There are many small ones and few large ones.
      let size = side * (0.01 + 0.2 * random.uniform() * random.uniform() * random.uniform())
      let shade = 0.03 + 0.6 * random.uniform()
      objects.append(
        Object(
          x: Double(width) * random.uniform(), y: side * random.uniform(),
          width: size * (0.5 + random.uniform()), height: size * (0.5 + random.uniform()),
          isEllipse: random.next() % 2 == 0,
          color: shade * SIMD3(0.6 + 0.8 * random.uniform(), 1, 0.4 + 0.9 * random.uniform())))
    }
    objects.append(
      Object(
        x: Double(width) * 0.83, y: side * 0.15, width: Double(width) * 0.17, height: side * 0.15,
        isEllipse: false, color: SIMD3(repeating: 8)))
  }

  /// Returns the linear values of a row; 1 is a saturated sensor.
  private func row(_ row: Int, _ random: inout Generator) -> [SIMD3<Float>] {
    let y = Double(row)
    let near = objects.filter { abs(y - $0.y) < $0.height }
    let ground =
      row < height * 3 / 4 ? SIMD3(0.42, 0.40, 0.36) : SIMD3(0.25, 0.19, 0.13)
    let fall = 0.7 + 0.6 * y / Double(height)
    return (0..<width).map { column in
      let x = Double(column)
      let color = near.last { $0.covers(x, y) }?.color ?? ground
      let (u, v) = (2 * x / Double(width) - 1, 2 * y / Double(height) - 1)
      let light = color * (fall - 0.4 * x / Double(width)) * (1 - (u * u + v * v) / 6)
      let noise = SIMD3(random.normal(), random.normal(), random.normal())
      let seen = light + noise * (read + shot * light).squareRoot()
      return SIMD3<Float>(seen.clamped(lowerBound: .zero, upperBound: SIMD3(repeating: 1)))
    }
  }

  /// Returns the frame's bytes.
  func bytes(_ layout: FrameLayout) -> [UInt8] {
    var random = Generator(state: 7)
    var bytes = [UInt8](repeating: 255, count: layout.byteCount)
    var sums = [SIMD3<Float>](repeating: .zero, count: width)
    for y in 0..<height {
      let linear = row(y, &random)
      let start = y * layout.bytesPerRow
      if case .bayer(let pattern) = layout.format.arrangement {
        let red = pattern.redPosition
        let codes = linear.enumerated().map { x, color in
          let channel = (y & 1 == red.row ? 0 : 1) + (x & 1 == red.column ? 0 : 1)
          return Int((color[channel] * Float(layout.format.maximumValue)).rounded())
        }
        Self.store(codes, layout.format, in: &bytes, from: start)
        continue
      }
      let codes = linear.map { value in
        SIMD3(code(value.x), code(value.y), code(value.z))
      }
      switch layout.format.arrangement {
      case .interleaved(let red, let green, let blue, let step):
        for (x, code) in codes.enumerated() {
          bytes[start + step * x + red] = UInt8(code.x.rounded())
          bytes[start + step * x + green] = UInt8(code.y.rounded())
          bytes[start + step * x + blue] = UInt8(code.z.rounded())
        }
      case .subsampled(let chroma):
        let coded = codes.map(Self.lumaAndChroma)
        for x in 0..<width {
          sums[x] = chroma == .nv12 && y % 2 == 1 ? sums[x] + coded[x] : coded[x]
        }
        let rows: Float = chroma == .nv12 && y % 2 == 1 ? 4 : 2
        for x in 0..<width {
          let pair = (sums[x & ~1] + sums[x | 1]) / rows
          let value = UInt8((x % 2 == 0 ? pair.y : pair.z).rounded())
          let luma = UInt8(coded[x].x.rounded())
          if chroma == .nv12 {
            bytes[start + x] = luma
            bytes[layout.chroma[0].offset + y / 2 * layout.chroma[0].bytesPerRow + x] = value
          } else {
            bytes[start + 2 * x] = luma
            bytes[start + 2 * x + 1] = value
          }
        }
      case .gray, .bayer: preconditionFailure("a format of the tables")
      }
    }
    return bytes
  }

  private func code(_ linear: Float) -> Float {
    encoded[Int(linear * Float(Self.steps))]
  }

  /// Converts to BT.601 with limited range, the default of a layout.
  private static func lumaAndChroma(_ code: SIMD3<Float>) -> SIMD3<Float> {
    let y = (code * SIMD3(0.299, 0.587, 0.114)).sum()
    return SIMD3(
      16 + 219.0 / 255 * y, 128 + 224.0 / 255 * (code.z - y) / 1.772,
      128 + 224.0 / 255 * (code.x - y) / 1.402)
  }

  private static func store(
    _ codes: [Int], _ format: PixelFormat, in bytes: inout [UInt8], from start: Int
  ) {
    for x in stride(from: 0, to: codes.count, by: 2) {
      let (a, b) = (codes[x], codes[x + 1])
      if format.sample == .packed(bits: 12) {
        bytes[start + x / 2 * 3] = UInt8(a >> 4)
        bytes[start + x / 2 * 3 + 1] = UInt8(b >> 4)
        bytes[start + x / 2 * 3 + 2] = UInt8(a & 15 | (b & 15) << 4)
      } else {
        for (index, code) in [a, b].enumerated() {
          bytes[start + 2 * (x + index)] = UInt8(code & 255)
          bytes[start + 2 * (x + index) + 1] = UInt8(code >> 8)
        }
      }
    }
  }
}

extension Generator {
  /// Returns a nearly normal number with a standard deviation of 1, from eight dice of 256 sides.
  fileprivate mutating func normal() -> Double {
    var (bits, sum) = (next(), 0.0)
    for _ in 0..<8 {
      sum += Double(bits & 255)
      bits >>= 8
    }
    return (sum - 1020) / 209.03
  }
}
