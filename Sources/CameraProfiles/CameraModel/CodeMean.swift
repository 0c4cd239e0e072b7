internal import ColorScience
package import WhiteBalance

/// The mean codes of the card's region in one frame, on a scale from 0 to 255. A camera model is
/// fitted to these.
///
/// If the tone curve is known, the codes are those that sRGB gives for the mean linear light.
package struct CodeMean: Sendable {
  /// The mean codes of red, green and blue.
  package let codes: [Double]
  /// The standard deviations of the pixels' codes.
  package let deviations: [Double]
  /// The fractions of pixels at the white level, 0…1.
  package let clipped: [Double]
  /// The number of pixels.
  package let pixels: Int

  /// Measures the codes of a region as they are stored.
  package init(
    _ bytes: Span<UInt8>, layout: FrameLayout, region: PixelRectangle
  ) throws(FrameError) {
    self.init(
      try FrameStatistics(bytes, layout: try Self.layoutOfCodes(layout), region: region))
  }

  /// The layout that reads codes as if the picture were linear with black at 0.
  package static func layoutOfCodes(_ layout: FrameLayout) throws(FrameError) -> FrameLayout {
    try layout.replacing(blackLevel: 0, transfer: .linear)
  }

  /// Takes the statistics of a linear picture as codes.
  package init(_ statistics: FrameStatistics) {
    self.init(statistics) { light, spread in (255 * light, 255 * spread) }
  }

  /// Converts the statistics of a picture whose tone curve is known to the codes that sRGB gives.
  package init(ofLight statistics: FrameStatistics) {
    self.init(statistics) { light, spread in
      let code = 255 * TransferFunction.sRGB.encoded(light)
      // The average was taken in linear light, so the curve adds no bias to the mean of noisy
      // pixels. The deviation only states that noise dithers the rounding.
      let above = 255 * TransferFunction.sRGB.encoded(min(light + spread, 1))
      return (code, min(max(above - code, 0), Self.dithering))
    }
  }

  /// Takes the codes of a recorded frame.
  init(_ frame: CameraRecording.Frame) {
    (codes, deviations) = (frame.codes, frame.deviations)
    (clipped, pixels) = (frame.clipped, frame.pixels)
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
    // A channel that is clipped everywhere has no pixel to average.
    codes = counts.used > 0 ? channels.map(\.code) : [255, 255, 255]
  }

  /// A deviation, in codes, that leaves no rounding error in a mean.
  private static let dithering = 0.7

  /// The standard errors of the mean codes, estimated from the pixels' deviations.
  package var errors: [Double] { deviations.map { $0 / Double(max(pixels, 1)).squareRoot() } }

  /// Indicates whether two frames may show the same picture: they differ by less than noise
  /// explains, or, if there is little noise, by less than the rounding of pixels explains.
  package func isLike(_ other: CodeMean) -> Bool {
    (0..<3).allSatisfy { channel in
      abs(codes[channel] - other.codes[channel])
        < max(0.4, 6 * max(errors[channel], other.errors[channel]))
    }
  }
}

extension Observation {
  /// Averages frames that show the same picture; `nil` if there are none.
  ///
  /// - Parameters:
  ///   - weights: The weights of the frames, whose sum is 1; equal weights if `nil`.
  ///   - lamp: The index of the lamp.
  ///   - settings: The settings that were written.
  ///   - exposure: The exposure that was really set.
  package init?(
    _ frames: [CodeMean], weights: [Double]? = nil, lamp: Int, settings: [ControlID: Int],
    exposure: Double
  ) {
    guard let first = frames.first else { return nil }
    func mean(_ values: (CodeMean) -> [Double]) -> SIMD3<Double> {
      var sum = SIMD3<Double>()
      for (index, frame) in frames.enumerated() {
        let value = values(frame)
        sum += SIMD3(value[0], value[1], value[2]) * (weights?[index] ?? 1)
      }
      return weights == nil ? sum / Double(frames.count) : sum
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
