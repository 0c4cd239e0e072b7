public import ColorScience
public import WhiteBalance

/// A picture of one evenly lit neutral surface, with the response that a reader of the picture must
/// find.
public struct CardFrame: Sendable, CustomStringConvertible {
  /// The geometry and the meaning of the codes.
  public let layout: FrameLayout
  /// The mean linear response to the surface, with black 0 and white 1. A channel above 1 is
  /// clipped.
  public let response: LinearRGB
  /// The standard deviation of a pixel's linear value, relative to the mean.
  public let noise: Double
  private let seed: UInt64

  /// Creates a picture from its parts; the seed determines the noise.
  public init(layout: FrameLayout, response: LinearRGB, noise: Double = 0, seed: UInt64 = 1) {
    self.layout = layout
    self.response = response
    self.noise = noise
    self.seed = seed
  }

  /// The picture, rendered on each call. Complexity: O(pixels).
  public var frame: Frame {
    var rendered = RenderedFrame(layout, seed: seed)
    let mean = response.vector
    let noise = noise
    rendered.render { _, _, random in
      (mean * (1 + noise * SIMD3(random.normal(), random.normal(), random.normal())))
        .clamped(lowerBound: .zero, upperBound: .one)
    }
    return try! rendered.frame
  }

  /// The allowed relative error of red/green and blue/green of a mean over a quarter of the pixels:
  /// six standard deviations of noise and rounding, plus the bias from rounding codes of a
  /// nonlinear transfer function.
  public var ratioTolerance: Double {
    let format = layout.format
    // A quarter of the pixels, and a quarter of those in a filter array or with shared chroma.
    let samples = Double(layout.width * layout.height) / 16
    let range = layout.whiteLevel - layout.blackLevel
    let step = [response.red, response.green, response.blue].map { value in
      layout.transfer.linear(layout.transfer.encoded(value) + 1 / range) / value - 1
    }.max()!
    var (scatter, bias) = (step / 2, step * step)
    switch (format.arrangement, format.sample) {
    case (_, .half): (scatter, bias) = (0, 0x1p-10)
    case (_, .float): (scatter, bias) = (0, 0x1p-20)
    // In limited range, red and blue are luma plus up to 1.9 times chroma, each a rounded code.
    case (.subsampled, _): (scatter, bias) = (2.5 * scatter, 6 * bias)
    default: break
    }
    return 6 * (2 * (noise * noise + scatter * scatter) / samples).squareRoot() + bias
  }

  /// The surface and the way its picture is stored.
  public var description: String {
    let format = layout.format
    let order =
      switch format.arrangement {
      case .interleaved(let red, let green, let blue, let samples):
        "red, green, blue at \(red), \(green), \(blue) of \(samples)"
      case .bayer(let pattern): "\(pattern.rawValue)"
      case .gray: "gray"
      case .subsampled(let chroma): "\(chroma) \(layout.encoding.matrix) \(layout.encoding.range)"
      }
    return """
      a surface of red \(response.red), green \(response.green), blue \(response.blue), noise \(noise), in \
      \(layout.width)×\(layout.height) pixels (\(order), \(format.sample), rows of \
      \(layout.bytesPerRow) bytes, \(layout.transfer), black \(layout.blackLevel), white \(layout.whiteLevel))
      """
  }
}

extension Generator<CardFrame> {
  /// Pictures of even surfaces in every format, with gaps between rows, black and white levels,
  /// transfer functions and noise. The simplest has 8-bit red, green and blue and none of those.
  ///
  /// - Parameters:
  ///   - formats: the formats, the simplest first; gray ones are excluded, and at least one must
  ///     remain.
  ///   - range: the response of each channel; a channel above 1 is clipped.
  public static func cards(
    of formats: [PixelFormat] = RenderedFrame.formats,
    response range: ClosedRange<Double> = 0.05...0.6
  ) -> Generator {
    let formats = formats.filter { $0.arrangement != .gray }
    let channel = Generator<Double>.number(in: range, simplest: range.upperBound).withoutEdgeCases
    let response = zip(channel, channel, channel).map { LinearRGB(red: $0, green: $1, blue: $2) }
    let transfer = Generator<TransferFunction>.element(of: [.linear, .sRGB, .bt709, .gamma(1.8)])
    let encoding = Generator<LumaChromaEncoding>.element(
      of: LumaChromaEncoding.Matrix.allCases.flatMap { matrix in
        CodeRange.allCases.map { LumaChromaEncoding(matrix: matrix, range: $0) }
      })
    let padding = Generator<Int>.integer(in: 0...9, simplest: 0).withoutEdgeCases
    // In sixteenths of the largest code.
    let levels = zip(
      Generator<Int>.integer(in: 0...2, simplest: 0).withoutEdgeCases,
      Generator<Int>.integer(in: 12...16, simplest: 16).withoutEdgeCases)
    let layout = zip(
      zip(.element(of: formats), transfer.withoutEdgeCases),
      zip(encoding.withoutEdgeCases, padding), levels
    ).map { store, rows, levels in
      let (format, transfer) = store
      let step = Double(format.maximumValue) / 16
      let isPlain = if case .subsampled = format.arrangement { true } else { !format.isInteger }
      let tight = try! FrameLayout(width: 48, height: 32, format: format).bytesPerRow
      return try! FrameLayout(
        width: 48, height: 32, bytesPerRow: tight + 4 * rows.1,
        format: format, blackLevel: isPlain ? 0 : (Double(levels.0) * step).rounded(),
        whiteLevel: isPlain ? nil : (Double(levels.1) * step).rounded(), transfer: transfer,
        encoding: rows.0)
    }
    let noise = Generator<Double>.number(in: 0...0.05, simplest: 0).withoutEdgeCases
    return zip(zip(layout, response), zip(noise, .integer(in: 1...1000, simplest: 1))).map {
      CardFrame(layout: $0.0, response: $0.1, noise: $1.0, seed: UInt64($1.1))
    }
  }
}
