internal import ColorScience
package import WhiteBalance

/// The mean codes of the card's region in one frame, on a scale from 0 to 255: what a model of the
/// camera is fitted to.
///
/// Where the tone curve is known the codes are those that sRGB would make of the mean light.
package struct CodeMean: Sendable {
  /// Red, green and blue.
  package let codes: [Double]
  /// The standard deviations of their pixels.
  package let deviations: [Double]
  /// The shares of pixels at the white level, 0…1.
  package let clipped: [Double]
  /// The number of pixels.
  package let pixels: Int

  /// The codes themselves.
  package init(
    _ bytes: Span<UInt8>, layout: FrameLayout, region: PixelRectangle
  ) throws(FrameError) {
    self.init(
      try FrameStatistics(bytes, layout: try Self.layoutOfCodes(layout), region: region))
  }

  /// Codes are those of a linear picture with black at 0.
  package static func layoutOfCodes(_ layout: FrameLayout) throws(FrameError) -> FrameLayout {
    try layout.replacing(blackLevel: 0, transfer: .linear)
  }

  /// The codes of a linear picture.
  package init(_ statistics: FrameStatistics) {
    self.init(statistics) { light, spread in (255 * light, 255 * spread) }
  }

  /// The codes that sRGB makes of a picture whose curve is known.
  package init(ofLight statistics: FrameStatistics) {
    self.init(statistics) { light, spread in
      let code = 255 * TransferFunction.sRGB.encoded(light)
      // Light was averaged, so no curve bends the noise; what is left says that it dithers.
      let above = 255 * TransferFunction.sRGB.encoded(min(light + spread, 1))
      return (code, min(max(above - code, 0), Self.dithering))
    }
  }

  private init(
    _ statistics: FrameStatistics,
    _ encoded: (_ light: Double, _ spread: Double) -> (code: Double, deviation: Double)
  ) {
    let counts = statistics.pixels
    pixels = counts.total
    clipped = [counts.redClipped, counts.greenClipped, counts.blueClipped].map {
      Double($0) / Double(max(counts.total, 1))
    }
    let (mean, variance) = (statistics.mean, statistics.variance)
    let channels = zip(
      [mean.red, mean.green, mean.blue], [variance.red, variance.green, variance.blue]
    ).map { encoded(min(max($0, 0), 1), max($1, 0).squareRoot()) }
    deviations = channels.map(\.deviation)
    // What is clipped everywhere has no pixel to average.
    codes = counts.used > 0 ? channels.map(\.code) : [255, 255, 255]
  }

  /// A deviation in codes that leaves nothing of rounding in a mean.
  private static let dithering = 0.7

  /// The standard errors of the codes, as pixels tell them.
  package var errors: [Double] { deviations.map { $0 / Double(max(pixels, 1)).squareRoot() } }

  /// Whether two frames may show the same, as far as noise tells; frames of little noise differ by
  /// what rounds their pixels.
  package func isLike(_ other: CodeMean) -> Bool {
    (0..<3).allSatisfy { channel in
      abs(codes[channel] - other.codes[channel])
        < max(0.4, 6 * max(errors[channel], other.errors[channel]))
    }
  }
}

extension Observation {
  /// The mean of frames that show the same; `nil` of none.
  ///
  /// - Parameters:
  ///   - weights: those of the frames, whose sum is 1.
  ///   - look: what was set.
  ///   - exposure: the exposure that was really set.
  package init?(
    _ frames: [CodeMean], weights: [Double], lamp: Int, settings: [ControlID: Int],
    exposure: Double
  ) {
    guard let first = frames.first else { return nil }
    func mean(_ values: (CodeMean) -> [Double]) -> SIMD3<Double> {
      var sum = SIMD3<Double>()
      for (frame, weight) in zip(frames, weights) {
        let value = values(frame)
        sum += SIMD3(value[0], value[1], value[2]) * weight
      }
      return sum
    }
    let (codes, deviations) = (mean(\.codes), mean(\.deviations))
    var between = SIMD3<Double>()
    for frame in frames {
      let off = SIMD3(frame.codes[0], frame.codes[1], frame.codes[2]) - codes
      between += off * off
    }
    let count = Double(frames.count)
    let within = deviations * deviations / Double(max(first.pixels, 1))
    let variance = pointwiseMax(between / max(count - 1, 1), within) / count
    self.init(
      lamp: lamp, settings: settings, exposure: exposure, codes: codes,
      errors: variance.squareRoot(), deviations: deviations, clipped: mean(\.clipped))
  }
}
