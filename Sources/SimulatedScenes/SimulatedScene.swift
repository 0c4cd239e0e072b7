package import ColorScience
package import WhiteBalance

/// A gray card or a chart in front of colored papers, as seen by a sensor: electrons, noise and
/// codes.
package struct SimulatedScene {
  /// The properties of a scene and of its sensor.
  package struct Setup {
    /// The sensor.
    package var sensor: MeasuredSensor
    /// The lamp.
    package var lamp: MeasuredLamp
    /// The seed of the unit's deviation from its model, its hot pixels and its noise.
    package var seed: UInt64
    /// The numbers of pixels in a row and of rows.
    package var size: (width: Int, height: Int)
    /// The sensitivity as an ISO number: a white pixel has 20 000 electrons at 100.
    package var iso = 100.0
    /// The pixels of a frame: `bgra8`, or a color filter array with linear codes.
    package var format = PixelFormat.bgra8
    /// The picture's transfer function.
    package var transfer = TransferFunction.sRGB
    /// The processing between the gains and the picture.
    package var pipeline = SimulatedPipeline.ideal
    /// The target in the middle.
    package var target = SimulatedTarget.card
    /// The texture of the target and the papers.
    package var texture = SimulatedTexture.none
    /// The factor of the exposure: above 4 the card clips.
    package var exposure = 1.0
    /// `true` if the picture can be blurred.
    package var hasLens = false

    /// Creates the setup of a gray card with default settings.
    package init(
      sensor: MeasuredSensor, lamp: MeasuredLamp, seed: UInt64, size: (width: Int, height: Int)
    ) {
      self.sensor = sensor
      self.lamp = lamp
      self.seed = seed
      self.size = size
    }
  }

  /// The linear response averaged over the picture, with the full well as 1.
  package private(set) var meanResponse = LinearRGB(.zero)

  /// The linear response to the card, without shading.
  package let card: LinearRGB

  private let width, height: Int
  /// The color filter array and the bits of its codes; `nil` if every pixel has all colors.
  private let filter: (pattern: BayerPattern, bits: Int)?
  /// The mean and standard deviation of the light of every sample, with the full well as 1, in the
  /// order of the bytes: blue, green, red.
  private var mean: [Float] = []
  private var deviation: [Float] = []
  /// Mean and deviation without blur; empty without a lens.
  private var sharp: (mean: [Float], deviation: [Float]) = ([], [])
  /// Mean and deviation of blurred pictures, by the standard deviation of the blur in 256ths of a
  /// pixel.
  private var blurs: [Int: (mean: [Float], deviation: [Float])] = [:]
  private var blur = -1
  private let hotPixels: [Int]
  private let seed: UInt64
  /// The matrix that mixes the three channels after the gains; `nil` if they are not mixed.
  private let mixing: Matrix3x3?
  /// Codes of the tone curve, 0…255, for linear values in steps of 1/4095.
  private let codes: [Float]
  private let saturation: Float
  /// The cosine and sine of the rotation of colors; `nil` if they are not rotated.
  private let hue: SIMD2<Float>?
  private let isDenoised, roundsToLumaAndChroma: Bool

  private let fullWell: Double
  private static let readNoise = 4.0

  /// Creates the scene of a setup, before the first frame.
  package init(_ setup: Setup) {
    let pixels = setup.size.width * setup.size.height
    (width, height) = setup.size
    filter =
      if case .bayer(let pattern) = setup.format.arrangement {
        (pattern, setup.format.bitsPerSample)
      } else { nil }
    seed = setup.seed
    fullWell = 20_000 * 100 / setup.iso
    let pipeline = setup.pipeline
    mixing = pipeline.mixing
    codes = (0...4095).map {
      Float(255 * pipeline.stored(setup.transfer.encoded(Double($0) / 4095)))
    }
    saturation = Float(pipeline.saturation)
    let angle = pipeline.hue * .pi / 180
    hue = angle == 0 ? nil : SIMD2(Float(cosine(angle)), Float(sine(angle)))
    (isDenoised, roundsToLumaAndChroma) = (pipeline.isDenoised, pipeline.roundsToLumaAndChroma)
    var random = SplitMix64(state: setup.seed)
    hotPixels = (0..<pixels / 4000).map { _ in Int(random.next() % UInt64(pixels)) }
    // A unit differs from its model by a few percent in red and blue.
    let unit = SIMD3(1 + 0.04 * random.nextSigned(), 1, 1 + 0.04 * random.nextSigned())

    let sensor = setup.sensor
    let spectrum = setup.lamp.spectrum
    let white = sensor.response(to: spectrum).vector * unit
    // The exposure is that for the card: its brightest channel is at a quarter of the full well.
    let target = setup.target
    let exposure = 0.25 * target.exposure * setup.exposure / (0.18 * white.max())
    card = LinearRGB(0.18 * exposure * white)
    layOut(
      shading: pipeline.shading,
      surfaces: (target.surfaces + coloredPapers).map {
        sensor.response(to: spectrum, reflectance: $0).vector * unit * exposure
      },
      target: (
        target.surfaces.count,
        target.surface(seed: setup.seed, aspect: Double(width) / Double(height))
      ),
      factors: setup.texture.factors(
        width: width, height: height, seed: setup.seed))
    if setup.hasLens { sharp = (mean, deviation) }
  }

  /// Blurs the picture by a Gaussian with a standard deviation in pixels.
  package mutating func setBlur(_ sigma: Double) {
    let key = Int((256 * sigma).rounded())
    guard !sharp.mean.isEmpty, key != blur else { return }
    blur = key
    if let known = key < 16 ? sharp : blurs[key] {
      (mean, deviation) = known
      return
    }
    mean = GaussianBlur.blurred(sharp.mean, width: width, height: height, sigma: Double(key) / 256)
    deviation = mean.map { self.deviation(of: Double($0)) }
    if blurs.count >= 64 { blurs = [:] }
    blurs[key] = (mean, deviation)
  }

  /// Returns the standard deviation of shot noise and read noise for a light, with the full well as
  /// 1.
  private func deviation(of light: Double) -> Float {
    let variance = light * fullWell + Self.readNoise * Self.readNoise
    return Float(variance.squareRoot() / fullWell)
  }

  /// Renders the target in the middle, papers around it, and illumination that falls off towards
  /// the corners.
  ///
  /// - Parameters:
  ///   - surfaces: the linear responses to the target's surfaces, then those to the papers.
  ///   - target: the number of the target's surfaces, and the function that returns the index of
  ///     the one at a position.
  private mutating func layOut(
    shading: Double, surfaces: [SIMD3<Double>],
    target: (count: Int, surface: (_ x: Double, _ y: Double) -> Int?), factors: [Float]
  ) {
    let papers = surfaces.count - target.count
    let aspect = Double(width) / Double(height)
    var sum = SIMD3<Double>.zero
    for row in 0..<height {
      let v = (Double(row) + 0.5) / Double(height) - 0.5
      for column in 0..<width {
        let u = (Double(column) + 0.5) / Double(width) - 0.5
        let paper = target.count + (column * 8 / width * 3 + row * 6 / height * 5) % papers
        // The shading of a lens is slightly stronger in blue than in red.
        let lens = 1 - 2 * shading * (u * u + v * v) * SIMD3(0.97, 1, 1.03)
        var light =
          surfaces[target.surface(aspect * u, v) ?? paper] * (1 - 0.2 * (u * u + v * v)) * lens
        if !factors.isEmpty { light *= Double(factors[row * width + column]) }
        sum += light
        for value in [light.z, light.y, light.x] {
          mean.append(Float(value))
          deviation.append(deviation(of: value))
        }
      }
    }
    meanResponse = LinearRGB(sum / Double(width * height))
  }

  /// Returns the luma of the card after the gains and the color matrix, in linear light.
  package func cardLuma(_ gains: Gains) -> Double {
    let light = card.vector * gains.vector
    return ((mixing.map { $0 * light } ?? light) * SIMD3(0.299, 0.587, 0.114)).sum()
  }

  /// Renders a frame: shot noise, read noise, clipping at the full well, gains and the tone curve.
  /// `rowLight` is the relative exposure of each row; if it is `nil`, all rows have the same.
  package func render(
    frame: Int, gains: Gains, exposure: Double, rowLight: [Double]? = nil,
    into bytes: inout [UInt8]
  ) {
    var random = SplitMix64(state: seed &* 0x9E37_79B9_7F4A_7C15 &+ UInt64(frame))
    let size = width * height * (filter.map { ($0.bits + 7) / 8 } ?? 4)
    if bytes.count != size { bytes = [UInt8](repeating: 255, count: size) }
    let gain = (Float(gains.blue), Float(gains.green), Float(gains.red))
    let rows = mixing.map { $0.rows.map { SIMD3<Float>($0) } }
    // Each row goes through all steps, with a loop for each, so that it stays in the processor's
    // cache.
    var row = [Float](repeating: 0, count: width * 3)
    for start in stride(from: 0, to: width * height, by: width) {
      let level = Float(rowLight.map { exposure * $0[start / width] } ?? exposure)
      let noise = isDenoised ? 0 : level.squareRoot()
      for sample in 0..<width * 3 {
        let electrons =
          level * mean[start * 3 + sample] + noise * deviation[start * 3 + sample]
          * random.nextNormal()
        row[sample] = min(electrons, 1)
      }
      for pixel in 0..<width {
        row[pixel * 3] *= gain.0
        row[pixel * 3 + 1] *= gain.1
        row[pixel * 3 + 2] *= gain.2
      }
      if let filter {
        store(row, filter.pattern, bits: filter.bits, from: start, in: &bytes)
        continue
      }
      if let rows { mix(&row, rows) }
      encode(&row)
      if saturation != 1 { saturate(&row) }
      if let hue { turn(&row, by: hue) }
      if roundsToLumaAndChroma { roundLumaAndChroma(&row) }
      var pixels = bytes.mutableSpan
      for pixel in 0..<width {
        for channel in 0..<3 {
          pixels[(start + pixel) * 4 + channel] = UInt8(
            min(max(row[pixel * 3 + channel], 0), 255) + 0.5)
        }
      }
    }
    guard filter == nil else { return }
    for pixel in hotPixels { for channel in 0..<3 { bytes[pixel * 4 + channel] = 255 } }
  }

  /// The black level of a color filter array's codes.
  package static func blackLevel(bits: Int) -> Int { 1 << (bits - 4) }

  /// Stores the linear codes of a row behind a color filter array.
  ///
  /// - Parameter start: the number of the row's first pixel.
  private func store(
    _ row: [Float], _ pattern: BayerPattern, bits: Int, from start: Int, in bytes: inout [UInt8]
  ) {
    let black = Float(Self.blackLevel(bits: bits))
    let white = Float(1 << bits - 1)
    let red = pattern.redPosition
    for pixel in 0..<width {
      // Samples are in the order blue, green, red.
      let channel =
        (pixel & 1 == red.column ? 1 : 0) + (start / width & 1 == red.row ? 1 : 0)
      let light = row[pixel * 3 + channel]
      let code = UInt16(min(max(black + light * (white - black), 0), white) + 0.5)
      if bits == 8 {
        bytes[start + pixel] = UInt8(code)
      } else {
        bytes[2 * (start + pixel)] = UInt8(truncatingIfNeeded: code)
        bytes[2 * (start + pixel) + 1] = UInt8(truncatingIfNeeded: code >> 8)
      }
    }
  }

  /// Converts linear values to codes.
  private func encode(_ row: inout [Float]) {
    let codes = codes.span
    var samples = row.mutableSpan
    for sample in samples.indices {
      samples[sample] = codes[Int(min(max(samples[sample], 0), 1) * 4095 + 0.5)]
    }
  }

  /// Mixes channels in the order of the bytes, by the rows of a matrix for red, green and blue.
  private func mix(_ row: inout [Float], _ rows: [SIMD3<Float>]) {
    for pixel in 0..<width {
      // The arithmetic after the gains has no more headroom than the picture.
      let blue = min(row[pixel * 3], 1)
      let green = min(row[pixel * 3 + 1], 1)
      let red = min(row[pixel * 3 + 2], 1)
      for channel in 0..<3 {
        let weights = rows[2 - channel]
        row[pixel * 3 + channel] = weights.x * red + weights.y * green + weights.z * blue
      }
    }
  }

  /// Scales the distance of codes from their luma.
  private func saturate(_ row: inout [Float]) {
    for pixel in 0..<width {
      let luma = 0.114 * row[pixel * 3] + 0.587 * row[pixel * 3 + 1] + 0.299 * row[pixel * 3 + 2]
      for channel in 0..<3 {
        let code = row[pixel * 3 + channel]
        row[pixel * 3 + channel] = luma + saturation * (code - luma)
      }
    }
  }

  /// Rotates colors around their luma.
  private func turn(_ row: inout [Float], by angle: SIMD2<Float>) {
    for pixel in 0..<width {
      let (luma, chroma) = Self.lumaAndChroma(row, pixel)
      let turned = SIMD2(
        angle.x * chroma.x - angle.y * chroma.y, angle.y * chroma.x + angle.x * chroma.y)
      Self.store(luma, turned, in: &row, pixel)
    }
  }

  /// Rounds codes as a conversion to 8 bits of luma and chroma does.
  private func roundLumaAndChroma(_ row: inout [Float]) {
    for pixel in 0..<width {
      // Codes beyond those of a picture do not reach this step.
      for sample in pixel * 3..<pixel * 3 + 3 { row[sample] = min(max(row[sample], 0), 255) }
      let (luma, chroma) = Self.lumaAndChroma(row, pixel)
      let steps = SIMD2<Float>(repeating: 224 / 255)
      Self.store(
        (luma * 219 / 255).rounded() * 255 / 219,
        (chroma * steps).rounded(.toNearestOrAwayFromZero) / steps, in: &row, pixel)
    }
  }

  /// Returns BT.601's luma, and the distances of blue and red from it, −127.5…127.5.
  private static func lumaAndChroma(
    _ row: [Float], _ pixel: Int
  ) -> (luma: Float, chroma: SIMD2<Float>) {
    let (blue, green, red) = (row[pixel * 3], row[pixel * 3 + 1], row[pixel * 3 + 2])
    let luma = 0.114 * blue + 0.587 * green + 0.299 * red
    return (luma, SIMD2((blue - luma) / 1.772, (red - luma) / 1.402))
  }

  private static func store(
    _ luma: Float, _ chroma: SIMD2<Float>, in row: inout [Float], _ pixel: Int
  ) {
    let (blue, red) = (luma + 1.772 * chroma.x, luma + 1.402 * chroma.y)
    row[pixel * 3] = blue
    row[pixel * 3 + 1] = (luma - 0.114 * blue - 0.299 * red) / 0.587
    row[pixel * 3 + 2] = red
  }
}
