import ColorScience
import Testing
import WhiteBalance
import WhiteBalanceTestSupport

struct FocusMeterTests {
  /// Returns the result of Sobel's operator for L(1 + c sin ωx), whose gradient is L c sin ω cos
  /// ωx.
  private func expected(_ contrast: Double, _ omega: Double) -> Double {
    contrast * contrast * sine(omega) * sine(omega) / 2
  }

  @Test func everyFormatShowsTheSameStripes() throws {
    let (contrast, omega) = (0.3, 2 * Double.pi / 16)
    for format in RenderedFrame.formats {
      let layout = try FrameLayout(width: 128, height: 128, format: format)
      var meter = FocusMeter()
      for seed in 0..<4 {
        var frame = RenderedFrame(layout, seed: UInt64(seed))
        frame.render { x, _, _ in
          SIMD3(repeating: 0.4 * (1 + contrast * sine(omega * Double(x))))
        }
        try meter.add(frame.bytes.span, layout: layout)
      }
      let measure = try #require(meter.measure)
      // The greens of a cell are averaged, and cells are two pixels wide.
      let step = format.unit.columns
      let light = (0..<128 / step).map { cell in
        (0..<step).reduce(0) {
          $0 + (1 + contrast * sine(omega * Double(cell * step + $1))) / Double(step)
        }
      }
      let inner = 1..<light.count - 1
      let mean = inner.reduce(0) { $0 + light[$1] } / Double(inner.count)
      let squares = inner.reduce(0) {
        let slope = (light[$1 + 1] - light[$1 - 1]) / 2 / mean
        return $0 + slope * slope
      }
      let truth = squares / Double(inner.count)
      #expect(
        abs(measure.sharpness - truth) < 4 * measure.standardError + 0.005 * truth,
        "\(format) \(measure) \(truth)")
      #expect(measure.standardError < 0.05 * truth)
    }
  }

  /// Measures 16-bit frames of a pattern with noise.
  private func measure(
    seed: UInt64, frames: Int, noise: Double, level: Double = 0.4, contrast: Double = 0.05
  ) throws -> FocusMeasure {
    let layout = try FrameLayout(width: 130, height: 130, format: .gray(bits: 16))
    var random = SplitMix64(state: seed)
    var meter = FocusMeter()
    for _ in 0..<frames {
      var bytes: [UInt8] = []
      for index in 0..<130 * 130 {
        let light =
          level * (1 + contrast * sine(2 * .pi / 16 * Double(index % 130)))
          + noise * random.normal()
        let code = UInt16(min(max(65_535 * light, 0), 65_535).rounded())
        bytes += [UInt8(code & 255), UInt8(code >> 8)]
      }
      try meter.add(bytes.span, layout: layout)
    }
    return try #require(meter.measure)
  }

  @Test(arguments: [2, 8], [0.004, 0.04])
  func noiseIsNoDetailAndItsErrorIsStated(frames: Int, noise: Double) throws {
    let truth = expected(0.05, 2 * .pi / 16)
    let trials = 60
    var (sum, squares) = (0.0, 0.0)
    for seed in 0..<trials {
      let measure = try measure(seed: UInt64(seed), frames: frames, noise: noise)
      let miss = (measure.sharpness - truth) / measure.standardError
      sum += miss
      squares += miss * miss
    }
    // The standard error of the mean of 60 trials is 0.13, that of the root mean square 0.09.
    #expect(abs(sum / Double(trials)) < 0.45)
    #expect((0.7...1.3).contains((squares / Double(trials)).squareRoot()))
  }

  @Test func moreFramesHaveLessNoise() throws {
    let (few, many) = (
      try measure(seed: 1, frames: 2, noise: 0.04), try measure(seed: 1, frames: 32, noise: 0.04)
    )
    #expect((9...22).contains(few.standardError / many.standardError))
  }

  @Test func brightnessDoesNotMatter() throws {
    let (dim, bright) = (
      try measure(seed: 3, frames: 2, noise: 0, level: 0.1),
      try measure(seed: 3, frames: 2, noise: 0, level: 0.8)
    )
    #expect(abs(dim.sharpness / bright.sharpness - 1) < 0.002)
  }

  @Test func whatIsClippedDoesNotCount() throws {
    let layout = try FrameLayout(width: 128, height: 128, format: .bgra8, transfer: .linear)
    func sharpness(lampsAt places: Set<Int>) throws -> Double {
      var bytes: [UInt8] = []
      for index in 0..<128 * 128 {
        let light = 100 + 20 * sine(2 * .pi / 16 * Double(index % 128))
        let isLamp = places.contains(index / 128 / 8 * 16 + index % 128 / 8)
        bytes += [UInt8](repeating: isLamp ? 255 : UInt8(light.rounded()), count: 4)
      }
      var meter = FocusMeter()
      for _ in 0..<2 { try meter.add(bytes.span, layout: layout) }
      return try #require(meter.measure).sharpness
    }
    let without = try sharpness(lampsAt: [])
    #expect(abs(try sharpness(lampsAt: [5, 40, 77, 78, 130, 200]) / without - 1) < 0.03)
  }

  @Test func nothingIsMeasuredOfNothing() throws {
    let layout = try FrameLayout(width: 64, height: 64, format: .gray(bits: 8))
    func measure(_ code: UInt8, frames: Int) throws -> FocusMeasure? {
      var meter = FocusMeter()
      let bytes = [UInt8](repeating: code, count: 64 * 64)
      for _ in 0..<frames { try meter.add(bytes.span, layout: layout) }
      return meter.measure
    }
    #expect(try measure(100, frames: 0) == nil)
    #expect(try measure(100, frames: 3) == nil)
    #expect(try measure(0, frames: 2) == nil)
    #expect(try measure(255, frames: 2) == nil)
    #expect(try measure(100, frames: 2)?.sharpness == 0)
    var meter = FocusMeter()
    #expect(throws: FrameError.self) {
      try meter.add(
        [UInt8](repeating: 0, count: 4096).span, layout: layout,
        region: PixelRectangle(x: 32, y: 0, width: 40, height: 10))
    }
  }
}
