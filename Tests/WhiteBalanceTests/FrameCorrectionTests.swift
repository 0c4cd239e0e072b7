import CWbcalFrameKernels
import ColorScience
import Testing
import WhiteBalanceTestSupport

@testable import WhiteBalance

/// Corrected frames are compared with the results of real numbers, computed independently of the
/// kernel.
struct FrameCorrectionTests {
  private static let mixing = Matrix3x3(
    SIMD3(1.72, -0.58, -0.14), SIMD3(-0.31, 1.61, -0.30), SIMD3(-0.05, -0.55, 1.60))
  private static let tint = Matrix3x3(diagonal: SIMD3(1.21, 1, 1.34))
  private static let behindMixing =
    mixing * Matrix3x3(diagonal: SIMD3(1.1, 1.3, 1)) * mixing.inverse!
  private static let curve = TransferFunction.curve(
    ToneCurve([
      .init(stored: 0.03, linear: 0), .init(stored: 0.2, linear: 0.04),
      .init(stored: 0.6, linear: 0.3), .init(stored: 1, linear: 1),
    ])!)

  /// Conversions between the codes of red, green and blue and luma and chroma: Rec. BT.601 and
  /// BT.709.
  private struct Reference {
    let layout: FrameLayout

    private var weights: SIMD3<Double> {
      switch layout.encoding.matrix {
      case .bt601: SIMD3(0.299, 0.587, 0.114)
      case .bt709: SIMD3(0.2126, 0.7152, 0.0722)
      case .bt2020: SIMD3(0.2627, 0.6780, 0.0593)
      }
    }
    private var isLimited: Bool { layout.encoding.range == .limited }

    func codes(_ sample: SIMD3<Double>) -> SIMD3<Double> {
      guard case .subsampled = layout.format.arrangement else { return sample }
      let luma = isLimited ? (sample.x - 16) * 255 / 219 : sample.x
      let (cb, cr) =
        isLimited
        ? ((sample.y - 128) * 255 / 224, (sample.z - 128) * 255 / 224)
        : (sample.y - 128, sample.z - 128)
      let red = luma + 2 * (1 - weights.x) * cr
      let blue = luma + 2 * (1 - weights.z) * cb
      return SIMD3(red, (luma - weights.x * red - weights.z * blue) / weights.y, blue)
    }

    func sample(_ codes: SIMD3<Double>) -> SIMD3<Double> {
      guard case .subsampled = layout.format.arrangement else { return codes }
      let luma = (weights * codes).sum()
      let cb = (codes.z - luma) / (2 * (1 - weights.z))
      let cr = (codes.x - luma) / (2 * (1 - weights.x))
      return isLimited
        ? SIMD3(16 + luma * 219 / 255, 128 + cb * 224 / 255, 128 + cr * 224 / 255)
        : SIMD3(luma, 128 + cb, 128 + cr)
    }

    /// Returns the codes of the output layout after a change in linear light.
    func changed(
      _ codes: SIMD3<Double>, by matrix: Matrix3x3, _ gains: Gains, to output: FrameLayout
    ) -> SIMD3<Double> {
      let white = min(layout.whiteLevel, 255)
      var light = SIMD3<Double>.zero
      for channel in 0..<3 {
        light[channel] = layout.transfer.linear(
          (min(codes[channel], white) - layout.blackLevel)
            / (layout.whiteLevel - layout.blackLevel))
      }
      var wanted = matrix * (light * gains.vector)
      let brightest = wanted.max()
      let isYUV = if case .subsampled = layout.format.arrangement { true } else { false }
      for channel in 0..<3 where codes[channel] >= (isYUV ? white - 0.5 : white) {
        wanted[channel] = brightest
      }
      var result = SIMD3<Double>.zero
      for channel in 0..<3 {
        result[channel] =
          output.blackLevel + (output.whiteLevel - output.blackLevel)
          * output.transfer.encoded(min(max(wanted[channel], -1), 1))
      }
      return result
    }
  }

  /// Returns the samples of a pixel: red, green and blue, or luma, Cb and Cr.
  private static func sample(
    _ bytes: [UInt8], _ layout: FrameLayout, _ x: Int, _ y: Int
  ) throws -> SIMD3<Double> {
    switch layout.format.arrangement {
    case .interleaved(let red, let green, let blue, let samples):
      let start = y * layout.bytesPerRow + x * samples
      return SIMD3(
        Double(bytes[start + red]), Double(bytes[start + green]), Double(bytes[start + blue]))
    case .subsampled(let chroma):
      let samples = try LinearSamples(layout: layout, region: layout.bounds)
      let found = samples.lumaAndChroma(bytes.span, chroma, x: x, y: y)
      return SIMD3(Double(found.y), Double(found.cb), Double(found.cr))
    case .gray, .bayer: throw FrameError.colorless
    }
  }

  /// Returns the corrected frame's samples before rounding, pixel by pixel.
  private static func expected(
    _ bytes: [UInt8], _ layout: FrameLayout, _ output: FrameLayout, _ matrix: Matrix3x3,
    _ shading: GainMesh? = nil
  ) throws -> [SIMD3<Double>] {
    let (from, to) = (Reference(layout: layout), Reference(layout: output))
    var samples: [SIMD3<Double>] = []
    for y in 0..<layout.height {
      for x in 0..<layout.width {
        let codes = from.codes(try sample(bytes, layout, x, y))
        let gains = shading?.gains(
          x: (Double(x) + 0.5) / Double(layout.width), y: (Double(y) + 0.5) / Double(layout.height))
        samples.append(
          to.sample(
            from.changed(codes, by: matrix, gains ?? Gains(red: 1, blue: 1), to: output)))
      }
    }
    guard case .subsampled(let chroma) = output.format.arrangement else { return samples }
    let (across, down) = chroma.sharing
    for top in stride(from: 0, to: layout.height, by: down) {
      for left in stride(from: 0, to: layout.width, by: across) {
        let places = (top..<min(top + down, layout.height)).flatMap { y in
          (left..<min(left + across, layout.width)).map { y * layout.width + $0 }
        }
        let mean = places.reduce(.zero) { $0 + samples[$1] } / Double(places.count)
        for place in places { (samples[place].y, samples[place].z) = (mean.y, mean.z) }
      }
    }
    return samples
  }

  private static func corrected(
    _ bytes: [UInt8], _ layout: FrameLayout, _ output: FrameLayout, _ matrix: Matrix3x3,
    _ shading: GainMesh? = nil
  ) throws -> [UInt8] {
    let correction = try FrameCorrection(matrix, shading: shading, layout: layout, output: output)
    var result = [UInt8](repeating: 0xA5, count: output.byteCount)
    var span = result.mutableSpan
    try correction.apply(to: bytes.span, writingTo: &span)
    return result
  }

  /// Returns the largest difference from the exact samples, of which rounding up or down
  /// contributes up to 1.
  private static func error(
    _ bytes: [UInt8], _ layout: FrameLayout, _ output: FrameLayout, _ matrix: Matrix3x3,
    _ shading: GainMesh? = nil
  ) throws -> Double {
    let found = try corrected(bytes, layout, output, matrix, shading)
    let exact = try expected(bytes, layout, output, matrix, shading)
    var largest = 0.0
    for y in 0..<layout.height {
      for x in 0..<layout.width {
        let wanted = exact[y * layout.width + x].clamped(
          lowerBound: .zero, upperBound: SIMD3(repeating: 255))
        let difference = try sample(found, output, x, y) - wanted
        largest = max(largest, difference.max(), -difference.min())
      }
    }
    return largest
  }

  /// Every luma is tested with every ninth chroma, including those that are not a color.
  @Test(
    arguments: [
      (tint, .bt601, .limited, .sRGB, 0, 255), (behindMixing, .bt601, .limited, .sRGB, 0, 255),
      (behindMixing, .bt709, .full, .bt709, 0, 255), (tint, .bt601, .full, .gamma(2.19), 0, 255),
      (behindMixing, .bt2020, .limited, curve, 0, 255), (tint, .bt601, .limited, .linear, 0, 255),
      (tint, .bt709, .limited, .sRGB, 6, 240),
      (Matrix3x3(diagonal: SIMD3(0.8, 0.5, 1)), .bt601, .limited, .sRGB, 0, 255),
    ] as [(Matrix3x3, LumaChromaEncoding.Matrix, CodeRange, TransferFunction, Double, Double)])
  func everyColor(
    matrix: Matrix3x3, weights: LumaChromaEncoding.Matrix, range: CodeRange,
    transfer: TransferFunction, black: Double, white: Double
  ) throws {
    let chroma = (0..<29).map { UInt8(2 + 9 * $0) }
    let rows = chroma.flatMap { cb in chroma.map { (cb, $0) } }
    let layout = try FrameLayout(
      width: 256, height: rows.count, format: .subsampled(.planar444), blackLevel: black,
      whiteLevel: white, transfer: transfer,
      encoding: LumaChromaEncoding(matrix: weights, range: range))
    var bytes = [UInt8](repeating: 0, count: layout.byteCount)
    for (row, (cb, cr)) in rows.enumerated() {
      for luma in 0..<256 {
        bytes[row * 256 + luma] = UInt8(luma)
        bytes[layout.chroma[0].offset + row * 256 + luma] = cb
        bytes[layout.chroma[1].offset + row * 256 + luma] = cr
      }
    }
    let error = try Self.error(bytes, layout, layout, matrix)
    // Half a code more than the nearest code.
    #expect(error > 0.98 && error <= 1.45, "\(error)")
  }

  private static let places: [PixelFormat.ChromaLayout] = [
    .yuyv, .uyvy, .nv12, .nv21, .yu12, .planar422, .planar440, .planar444,
  ]
  private static let formats =
    [PixelFormat.rgb8, .bgr8, .bgra8, .rgba8, .argb8] + places.map { .subsampled($0) }

  /// The shading of a lens that is darker and redder at the edges.
  private static let shading = GainMesh(
    columns: 3, rows: 3, red: [1.5, 1.2, 1.4, 1.1, 0.9, 1.2, 1.3, 1.1, 1.6],
    green: [1.7, 1.3, 1.6, 1.2, 1, 1.2, 1.5, 1.3, 1.8],
    blue: [2, 1.4, 1.8, 1.3, 1, 1.3, 1.6, 1.4, 2.1])!

  /// Every format is converted to every other one, with gaps between rows, with odd sides where
  /// possible, and wider than a block of the kernel; without shading and with it.
  @Test(arguments: formats) func everyFormat(format: PixelFormat) throws {
    for other in Self.formats {
      let isEven = [format, other].contains { $0.chroma.map { $0.planeCount < 2 } ?? false }
      let (width, height) = isEven ? (150, 6) : (149, 5)
      func layout(_ format: PixelFormat, gap: Int) throws -> FrameLayout {
        try FrameLayout(
          width: width, height: height, bytesPerRow: format.rowBytes(width: width) + gap,
          format: format, transfer: .sRGB,
          encoding: LumaChromaEncoding(matrix: gap == 4 ? .bt601 : .bt709, range: .limited))
      }
      let (from, to) = (try layout(format, gap: 4), try layout(other, gap: 8))
      let bytes = RenderedFrame(from, seed: 3).bytes
      for shading in [nil, Self.shading] {
        let error = try Self.error(bytes, from, to, Self.behindMixing, shading)
        #expect(error <= 1.45, "\(format) to \(other): \(error)")
      }
    }
  }

  /// A card with little noise has whole codes that small gains change by nearly the same part of a
  /// code. Rounded to the nearest, all would be off to the same side.
  @Test(arguments: formats) func meansAreNotRounded(format: PixelFormat) throws {
    let layout = try FrameLayout(width: 160, height: 96, format: format, transfer: .sRGB)
    var random = SeededRandom(seed: 5)
    for gains in [SIMD3(1, 1.11, 1.04), SIMD3(1.02, 1, 1.07), SIMD3(1.005, 1.003, 1)] {
      let matrix = Matrix3x3(diagonal: gains)
      let bytes = (0..<layout.byteCount).map { _ -> UInt8 in
        UInt8.random(in: 126...128, using: &random) + UInt8.random(in: 0...2, using: &random)
      }
      let exact = try Self.expected(bytes, layout, layout, matrix)
      let found = try Self.corrected(bytes, layout, layout, matrix)
      var (wanted, seen) = (SIMD3<Double>.zero, SIMD3<Double>.zero)
      for y in 0..<layout.height {
        for x in 0..<layout.width {
          wanted += exact[y * layout.width + x]
          seen += try Self.sample(found, layout, x, y)
        }
      }
      let miss = (seen - wanted) / Double(layout.width * layout.height)
      #expect(max(miss.max(), -miss.min()) < 0.04, "\(format): \(miss)")
    }
  }

  /// A matrix that gains alone would replace by tables, and the identity, with shading.
  @Test(arguments: [PixelFormat.rgb8, .subsampled(.yuyv), .subsampled(.nv12)])
  func shadingAlone(format: PixelFormat) throws {
    let layout = try FrameLayout(width: 300, height: 8, format: format, transfer: .sRGB)
    let bytes = RenderedFrame(layout, seed: 4).bytes
    for matrix in [Self.tint, Matrix3x3(diagonal: SIMD3(1, 1, 1))] {
      let error = try Self.error(bytes, layout, layout, matrix, Self.shading)
      #expect(error > 0.9 && error <= 1.45, "\(error)")
    }
  }

  /// Bytes that are not a color sample keep their values in the buffer.
  @Test func gapsAreKept() throws {
    let layout = try FrameLayout(width: 1, height: 2, bytesPerRow: 6, format: .bgra8)
    let result = try Self.corrected(
      [10, 20, 30, 40, 50, 60, 11, 21, 31, 41], layout, layout,
      Matrix3x3(diagonal: SIMD3(2, 1, 3)))
    #expect(result == [30, 20, 60, 0xA5, 0xA5, 0xA5, 33, 21, 62, 0xA5])
  }

  /// The identity matrix changes nothing, except for samples that are not a color.
  @Test func theIdentity() throws {
    let layout = try FrameLayout(width: 128, height: 1, format: .subsampled(.yuyv))
    var bytes: [UInt8] = []
    for pair: UInt8 in 0..<64 { bytes += [60 + 2 * pair, 100 + pair / 2, 70 + 2 * pair, 130] }
    let same = Matrix3x3(diagonal: SIMD3(1, 1, 1))
    #expect(try Self.corrected(bytes, layout, layout, same) == bytes)
  }

  /// Tests a highlight that gains below 1 would make magenta, and gains above 1 in red and blue.
  @Test func clippedHighlights() throws {
    let layout = try FrameLayout(width: 4, height: 1, format: .rgb8)
    let pixels: [UInt8] = [241, 255, 241, 255, 255, 255, 255, 10, 20, 254, 254, 254]
    let falling = try Self.corrected(
      pixels, layout, layout, Matrix3x3(diagonal: SIMD3(1, 0.8, 0.4)))
    // The values of `GainApplicationTests`, except for rounding.
    let wanted: [UInt8] = [241, 241, 96, 255, 255, 255, 255, 8, 8, 254, 203, 102]
    #expect(zip(falling, wanted).allSatisfy { abs(Int($0) - Int($1)) <= 1 }, "\(falling)")
    let rising = try Self.corrected(
      pixels, layout, layout, Matrix3x3(diagonal: SIMD3(1.1, 1, 1.1)))
    #expect(rising == [255, 255, 255, 255, 255, 255, 255, 10, 22, 255, 254, 255])
    // White stays white although this matrix would lower one of its channels.
    let mixed = try Self.corrected(pixels, layout, layout, Self.behindMixing)
    #expect(Array(mixed[3..<6]) == [255, 255, 255])
  }

  /// The AVX2 loop and the portable one give the same bytes for every width.
  @Test(arguments: [1, 2, 63, 64, 65, 127, 1000]) func portable(width: Int) throws {
    let (from, to) = (
      try FrameLayout(width: width, height: 1, format: .bgra8, transfer: .sRGB),
      try FrameLayout(width: width, height: 1, format: .rgb8, transfer: .sRGB)
    )
    let correction = try FrameCorrection(Self.behindMixing, layout: from, output: to)
    var input = RenderedFrame(from, seed: UInt64(width)).bytes
    let gains = (0..<3 * width).map { 1 + Float($0 % 7) / 8 }
    var outputs = [[UInt8]](repeating: [UInt8](repeating: 0, count: to.byteCount), count: 4)
    unsafe correction.withKernel { colors in
      for index in 0..<4 {
        unsafe input.withUnsafeMutableBufferPointer { input in
          unsafe outputs[index].withUnsafeMutableBufferPointer { output in
            let (a, b) = (input.baseAddress!, output.baseAddress!)
            var from = unsafe wb_row(
              first: (a + 2, a + 1, a), step: (4, 4, 4), shared: 1, shared_rows: 1, row: 5)
            var to = unsafe wb_row(
              first: (b, b + 1, b + 2), step: (3, 3, 3), shared: 1, shared_rows: 1, row: 5)
            unsafe gains.withUnsafeBufferPointer { gains in
              let gains = index < 2 ? nil : gains.baseAddress
              if index % 2 == 0 {
                unsafe wb_correct(&from, &to, gains, nil, width, &colors)
              } else {
                unsafe wb_correct_portable(&from, &to, gains, nil, width, &colors)
              }
            }
          }
        }
      }
    }
    #expect(outputs[0] == outputs[1] && outputs[2] == outputs[3] && outputs[0] != outputs[2])
    #expect(outputs[0].contains { $0 != 0 })
  }

  @Test func whatCannotBeCorrected() throws {
    for format in [PixelFormat.gray(bits: 8), .bayer(.rggb, bits: 8)] {
      let layout = try FrameLayout(width: 2, height: 2, format: format)
      #expect(throws: FrameError.colorless) { try FrameCorrection(Self.tint, layout: layout) }
    }
    let deep = try FrameLayout(width: 2, height: 2, format: .rgb16)
    #expect(throws: FrameError.depth(bits: 16)) { try FrameCorrection(Self.tint, layout: deep) }
    let layout = try FrameLayout(width: 2, height: 1, format: .rgb8)
    let error = FrameError.tooShort(bytes: 5, needed: 6)
    let correction = try FrameCorrection(Self.tint, layout: layout)
    for (count, room) in [(5, 6), (6, 5)] {
      #expect(throws: error) {
        var output = [UInt8](repeating: 0, count: room)
        var span = output.mutableSpan
        try correction.apply(to: [UInt8](repeating: 0, count: count).span, writingTo: &span)
      }
    }
  }
}
