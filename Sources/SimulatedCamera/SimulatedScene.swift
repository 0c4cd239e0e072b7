import ColorScience
import Foundation
import WhiteBalance

/// A gray card in front of colored paper, as a sensor sees it: electrons, noise, numbers.
struct SimulatedScene {
  /// The linear response averaged over the picture, on the scale of the full well.
  private(set) var meanResponse = LinearRGB(.zero)

  private let width, height: Int
  /// The surface at every pixel, an index into `surfaces`.
  private var surfaceOfPixel: [UInt8] = []
  /// The linear response of each surface, the full well 1.
  private var surfaces: [SIMD3<Float>] = []
  /// Light falls off towards the corners, by row and column.
  private var falloff: [Float] = []
  private let hotPixels: [Int]
  private let seed: UInt64
  /// Codes of sRGB for linear light in steps of 1/4095.
  private let codes: [UInt8]

  private static let fullWell: Float = 20_000
  private static let readNoise: Float = 4

  init(_ configuration: SimulatedCamera.Configuration) {
    let pixels = configuration.size.width * configuration.size.height
    (width, height) = configuration.size
    seed = configuration.seed
    codes = (0...4095).map {
      UInt8((TransferFunction.sRGB.encoded(Double($0) / 4095) * 255).rounded())
    }
    var random = SplitMix64(state: configuration.seed)
    hotPixels = (0..<pixels / 4000).map { _ in Int(random.next() % UInt64(pixels)) }
    // A unit differs from its kind by a few percent in red and blue.
    let unit = SIMD3(1 + 0.04 * random.nextSigned(), 1, 1 + 0.04 * random.nextSigned())

    let sensor = configuration.sensor
    let spectrum = configuration.lamp.spectrum
    let white = sensor.response(to: spectrum).vector * unit
    // Exposed for the card: its brightest channel at a quarter of the full well.
    let exposure = 0.25 * configuration.faults.exposure / (0.18 * white.max())
    surfaces = Self.reflectances.map {
      SIMD3<Float>(sensor.response(to: spectrum, reflectance: $0).vector * unit * exposure)
    }
    layOut()
  }

  /// Gray card, then colored papers: a smooth reflectance peak each, or its complement.
  private static let reflectances: [@Sendable (Double) -> Double] =
    [{ _ in 0.18 }]
    + [(450, 40), (480, 30), (520, 35), (550, 40), (580, 30), (610, 45), (650, 40)].map {
      peak, spread in { 0.05 + 0.5 * exp(-pow(($0 - peak) / spread, 2) / 2) }
    }
    + [(460, 45), (540, 40), (600, 60)].map { dip, spread in
      { 0.45 - 0.4 * exp(-pow(($0 - dip) / spread, 2) / 2) }
    }

  private mutating func layOut() {
    surfaceOfPixel = [UInt8](repeating: 0, count: width * height)
    falloff = [Float](repeating: 1, count: width * height)
    let papers = surfaces.count - 1
    var sum = SIMD3<Double>.zero
    for row in 0..<height {
      let v = (Float(row) + 0.5) / Float(height) - 0.5
      for column in 0..<width {
        let u = (Float(column) + 0.5) / Float(width) - 0.5
        let index = row * width + column
        falloff[index] = 1 - 0.2 * (u * u + v * v)
        if max(abs(u), abs(v)) > 0.29 {
          surfaceOfPixel[index] = UInt8(
            1 + (column * 8 / width * 3 + row * 6 / height * 5) % papers)
        }
        sum += SIMD3<Double>(surfaces[Int(surfaceOfPixel[index])])
      }
    }
    meanResponse = LinearRGB(sum / Double(width * height))
  }

  /// Draws a frame: shot noise, read noise, clipping at the full well, then gains and the sRGB curve.
  func render(frame: Int, gains: Gains, into bytes: inout [UInt8]) {
    var random = SplitMix64(state: seed &* 0x9E37_79B9_7F4A_7C15 &+ UInt64(frame))
    if bytes.count != width * height * 4 {
      bytes = [UInt8](repeating: 255, count: width * height * 4)
    }
    // Blue, green, red, as the bytes lie.
    let gain = SIMD3<Float>(Float(gains.blue), Float(gains.green), Float(gains.red))
    let readVariance = Self.readNoise * Self.readNoise
    for pixel in 0..<width * height {
      let surface = surfaces[Int(surfaceOfPixel[pixel])] * falloff[pixel] * Self.fullWell
      let electrons = SIMD3(surface.z, surface.y, surface.x)
      for channel in 0..<3 {
        let mean = electrons[channel]
        let noisy = mean + (mean + readVariance).squareRoot() * random.nextNormal()
        let light = min(noisy / Self.fullWell, 1) * gain[channel]
        bytes[pixel * 4 + channel] = codes[Int(min(max(light, 0), 1) * 4095 + 0.5)]
      }
    }
    for pixel in hotPixels {
      for channel in 0..<3 { bytes[pixel * 4 + channel] = 255 }
    }
  }
}

/// Steele, Lea and Flood's generator (2014): small, fast and the same everywhere.
struct SplitMix64 {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// Uniform in −1…1.
  mutating func nextSigned() -> Double { Double(Int64(bitPattern: next())) * 0x1p-63 }

  /// Nearly standard normal: the sum of 60 fair bits, smoothed by a uniform number of their step.
  mutating func nextNormal() -> Float {
    let bits = next()
    let sum = Float((bits >> 4).nonzeroBitCount) - 30
    return (sum + Float(bits & 15) / 16 - 0.46875) * (1 / 3.8837268)
  }
}

func sine(_ x: Double) -> Double { sin(x) }
