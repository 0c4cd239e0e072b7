import ColorScience
import Testing
import WhiteBalance
import WhiteBalanceTestSupport

/// Sensors that saturate below the white level that their files declare, and pictures that only
/// look like them.
struct SaturatedCardTests {
  /// Returns a frame of 96 × 64 pixels whose codes are a function of column, channel and noise.
  private static func frame(
    _ format: PixelFormat = .bayer(.rggb, bits: 10), seed: UInt64 = 1,
    _ code: (_ x: Int, _ channel: Int, _ normal: Double) -> Double
  ) throws -> Frame {
    let layout = try FrameLayout(width: 96, height: 64, format: format)
    var random = SeededRandom(seed: seed)
    var bytes: [UInt8] = []
    for y in 0..<64 {
      for x in 0..<96 {
        let isBayer = format.samplesPerPixel == 1
        for channel in isBayer ? [x % 2 + y % 2] : [0, 1, 2] {
          let value = UInt16(max(0, code(x, channel, random.normal()).rounded()))
          bytes.append(UInt8(value & 255))
          if format.bytesPerSample == 2 { bytes.append(UInt8(value >> 8)) }
        }
      }
    }
    return try Frame(layout: layout, bytes: bytes)
  }

  /// Returns the codes of a sensor with 5 codes of noise that saturates at a code.
  private static func sensor(
    _ mean: SIMD3<Double>, saturatingAt top: Double, format: PixelFormat = .bayer(.rggb, bits: 10)
  ) throws -> Frame {
    try frame(format) { _, channel, normal in min(top, mean[channel] + 5 * normal) }
  }

  private static func saturation(_ frame: Frame) throws -> (channel: ColorChannel, code: Double)? {
    let estimate = try GrayCardEstimator(region: .center(0.75)).estimate(frame)
    for case .saturated(let channel, let code, _) in estimate.refusals { return (channel, code) }
    #expect(estimate.isAccepted)
    return nil
  }

  @Test func everyPixelOfTheSensor() throws {
    let frame = try Self.sensor(SIMD3(repeating: 4000), saturatingAt: 1020)
    #expect(try Self.saturation(frame)?.code == 1020)
    // With the level that explains it, the card is a clipped one.
    var told = frame
    told.layout = try FrameLayout(
      width: 96, height: 64, format: frame.layout.format, whiteLevel: 1020)
    #expect(
      try GrayCardEstimator().estimate(told).refusals.first == .clipped(.green, share: 1))
  }

  /// Tests 12-bit numbers in 16-bit words.
  @Test func narrowCodesInWideWords() throws {
    let frame = try Self.sensor(
      SIMD3(repeating: 9999), saturatingAt: 4095, format: .bayer(.bggr, bits: 16))
    #expect(try Self.saturation(frame)?.code == 4095)
  }

  /// Different black levels change the level at which colors saturate.
  @Test func nearlyTheSameCode() throws {
    let frame = try Self.frame { _, channel, _ in [1018, 1020, 1015][channel] }
    #expect(try Self.saturation(frame)?.code == 1020)
  }

  /// A plateau whose level differs from pixel to pixel has less noise than light has.
  @Test func aNoisyPlateau() throws {
    let frame = try Self.frame(.bayer(.rggb, bits: 14)) { _, _, normal in 15_300 + 3 * normal }
    #expect(try Self.saturation(frame) != nil)
  }

  @Test func greenAlone() throws {
    // All of the green is saturated, half of it, and the part beyond one standard deviation.
    for mean in [1100.0, 1020, 1016] {
      let found = try Self.saturation(
        Self.sensor(SIMD3(600, mean, 500), saturatingAt: 1020))
      #expect(found?.channel == .green && found?.code == 1020, "\(mean)")
    }
    #expect(
      try Self.saturation(Self.sensor(SIMD3(900, 700, 500), saturatingAt: 850))?.channel == .red)
    #expect(
      try Self.saturation(Self.sensor(SIMD3(300, 2000, 2000), saturatingAt: 1000))?.code == 1000)
  }

  /// A part of the card is saturated because a gradient of light makes it brighter.
  @Test func aPartOfTheCard() throws {
    let frame = try Self.frame { x, channel, normal in
      min(1020, [500, 1000, 400][channel] * (0.8 + 0.4 * Double(x) / 95) + 5 * normal)
    }
    #expect(try Self.saturation(frame)?.channel == .green)
  }

  @Test func eightBitsNearWhite() throws {
    #expect(try Self.saturation(Self.frame(.rgb8) { _, _, _ in 235 })?.code == 235)
    #expect(
      try Self.saturation(
        Self.frame(.rgb8) { _, channel, normal in
          min(250, [200, 300, 180][channel] + 3 * normal)
        })?.channel == .green)
  }

  /// Synthetic flat patches and steps, and cards that are merely bright, are accepted.
  @Test func honestPictures() throws {
    let honest = [
      try Self.frame(.rgb8) { _, _, _ in 118 },
      try Self.frame(.rgb8) { _, channel, _ in [230, 240, 220][channel] },
      try Self.frame(.rgb16) { _, _, _ in 30_000 },
      try Self.frame { _, channel, _ in [400, 512, 256][channel] },
      try Self.frame(.rgb8) { x, _, _ in x < 40 ? 100 : 160 },
      try Self.frame(.rgb8) { x, _, _ in Double(100 + x / 4) },
      // A flat gray in a picture that is brighter elsewhere.
      try Self.frame { x, _, _ in x < 9 ? 900 : 600 },
      try Self.sensor(SIMD3(900, 995, 800), saturatingAt: 1020),
    ]
    for (index, frame) in honest.enumerated() {
      #expect(try Self.saturation(frame) == nil, "\(index)")
    }
    // Little noise in green, and several codes of noise in blue.
    for deviation in [0.0, 0.1, 0.2, 0.3, 0.5, 1] {
      for middle in [118.0, 118.3, 118.5] {
        let frame = try Self.frame(.rgb8) { _, channel, normal in
          [90, middle, 80.5][channel] + [0.3, deviation, 0.8][channel] * normal
        }
        #expect(try Self.saturation(frame) == nil, "\(deviation) \(middle)")
      }
    }
  }
}
