import ColorScience
import Testing
import WhiteBalanceTestSupport

@testable import WhiteBalance

/// Gains that differ over the picture.
struct ShadingCorrectionTests {
  private static let mesh = GainMesh(
    columns: 3, rows: 2, red: [1, 1.5, 2, 1.25, 1, 0.75], green: [1, 1.1, 1.2, 1.3, 1.4, 1.5],
    blue: [2, 1, 1, 1, 1, 2])

  private static let formats = RenderedFrame.formats.filter {
    switch $0.arrangement {
    case .gray, .subsampled: false
    default: true
    }
  }

  /// Returns the channel of a sample of a pixel; `nil` if it is no color.
  private static func channel(_ format: PixelFormat, x: Int, y: Int, sample: Int) -> Int? {
    switch format.arrangement {
    case .interleaved(let red, let green, let blue, _):
      return [red, green, blue].firstIndex(of: sample)
    case .bayer(let pattern):
      let red = pattern.redPosition
      return (x % 2 == red.column ? 0 : 1) + (y % 2 == red.row ? 0 : 1)
    default: return nil
    }
  }

  /// Each sample of every format is the nearest code to the exact product.
  @Test(arguments: formats, [TransferFunction.linear, .sRGB])
  func products(format: PixelFormat, transfer: TransferFunction) throws {
    let mesh = try #require(Self.mesh)
    let gains = Gains(red: 1.1, green: 1, blue: 0.9)
    let black = format.isInteger ? 3.0 : 0
    let layout = try FrameLayout(
      width: 40, height: 12, format: format, blackLevel: black, transfer: transfer)
    var random = SeededRandom(seed: 7)
    var rendered = RenderedFrame(layout, seed: 8)
    rendered.render { _, _, _ in
      SIMD3(random.uniform(), random.uniform(), random.uniform()) * 1.02
    }
    let before = try rendered.frame
    var after = before
    let correction = try ShadingCorrection(mesh, times: gains, layout: layout)
    var span = after.bytes.mutableSpan
    let counts = try correction.apply(to: &span, rows: 0..<12)
    #expect(counts.pixels == 480)
    let range = layout.whiteLevel - black
    let samples = format.samplesPerPixel
    var raised = [0, 0, 0]
    var places: Set<Int> = []
    for y in 0..<12 {
      for index in 0..<40 * samples {
        func value(_ frame: Frame) -> Double {
          format.isInteger
            ? Double(format.code(frame.bytes.span, row: y * layout.bytesPerRow, index: index))
            : Double(format.number(frame.bytes.span, row: y * layout.bytesPerRow, index: index))
        }
        let (old, new) = (value(before), value(after))
        let x = index / samples
        guard
          let channel = Self.channel(format, x: x, y: y, sample: index % samples)
        else {
          #expect(old == new || old.isNaN)
          continue
        }
        if old >= layout.whiteLevel, format.isInteger {
          #expect(old == new)
          continue
        }
        let gain =
          mesh.gains(x: (Double(x) + 0.5) / 40, y: (Double(y) + 0.5) / 12).vector[channel]
          * gains.vector[channel]
        let exact =
          black + range * transfer.encoded(gain * transfer.linear((old - black) / range))
        if format.isInteger {
          #expect(abs(new - max(0, min(exact, layout.whiteLevel))) <= 0.51)
        } else {
          #expect(abs(new - exact) <= 2e-3 * max(1, abs(exact)))
        }
        if old < layout.whiteLevel, new >= layout.whiteLevel {
          raised[channel] += 1
          places.insert(40 * y + x)
        }
      }
    }
    #expect([counts.redClipped, counts.greenClipped, counts.blueClipped] == raised)
    #expect(counts.clipped == places.count)
  }

  /// Strips of a frame give the same result as the whole frame.
  @Test func strips() throws {
    let mesh = try #require(Self.mesh)
    let layout = try FrameLayout(
      width: 30, height: 20, format: .bayer(.gbrg, bits: 12), blackLevel: 64)
    let frame = try RenderedFrame(layout, seed: 3).frame
    let correction = try ShadingCorrection(mesh, layout: layout)
    var whole = frame.bytes
    var span = whole.mutableSpan
    let counts = try correction.apply(to: &span, rows: 0..<20)
    var joined: [UInt8] = []
    var sum = GainApplication.ClippingCounts()
    for rows in [0..<6, 6..<18, 18..<20] {
      var strip = Array(frame.bytes[rows.lowerBound * 60..<rows.upperBound * 60])
      var span = strip.mutableSpan
      sum.add(try correction.apply(to: &span, rows: rows))
      joined += strip
    }
    #expect(joined == whole && sum == counts)
  }

  /// A field is flat after its own correction, as is another of the same lens.
  @Test func flatPicture() throws {
    let flat = SimulatedFlat.random(seed: 21)
    let layout = try FrameLayout(
      width: 640, height: 480, format: .bayer(.rggb, bits: 12), blackLevel: 64)
    let field = try FlatField(fitting: [try flat.shot(layout)])
    var other = try flat.frame(layout, shot: 9)
    let correction = try ShadingCorrection(field.gains, layout: layout)
    var span = other.bytes.mutableSpan
    try correction.apply(to: &span, rows: 0..<480)
    func mean(_ x: Int, _ y: Int) throws -> SIMD3<Double> {
      let region = GrayCardEstimator.Region.rectangle(
        PixelRectangle(x: x, y: y, width: 64, height: 48))
      return try GrayCardEstimator(region: region).estimate(other).response.vector
    }
    let middle = try mean(288, 216)
    for (x, y) in [(0, 0), (576, 0), (0, 432), (576, 432)] {
      let error = try mean(x, y) / middle - 1
      #expect(max(error.max(), -error.min()) < 0.005)
    }
  }

  @Test func colorless() throws {
    let mesh = try #require(Self.mesh)
    for format in [PixelFormat.gray(bits: 8), .subsampled(.nv12)] {
      let layout = try FrameLayout(width: 4, height: 2, format: format)
      #expect(throws: FrameError.colorless) { try ShadingCorrection(mesh, layout: layout) }
    }
  }
}
