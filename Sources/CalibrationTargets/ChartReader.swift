import ColorScience
public import WhiteBalance

/// A reader for the patches of a chart whose position is known.
///
/// ```swift
/// import WhiteBalance
///
/// func reading(of frame: Frame) throws -> ChartReading {
///   try ChartReader().read(try ChartFinder().chart(in: frame), in: frame)
/// }
/// ```
public struct ChartReader: Hashable, Sendable {
  /// The smallest number of usable pixels of a patch.
  private static let neededPixels = 16
  /// Indicates whether the picture is developed and its colors are those to be read. A black
  /// channel is then part of the color, and color variation is not judged by the noise, which
  /// converters smooth.
  public var isDeveloped = false

  /// Creates a reader for charts of at least 16 pixels a patch.
  public init() {}

  /// Reads the patches of a chart in a frame, each as `GrayCardEstimator` reads a card: in linear
  /// light, without clipped pixels, dust and hot pixels.
  ///
  /// If the frame around the chart's patches shows the unevenness of the illumination to 3 %, it is
  /// divided out. The reasons not to trust a patch are in its `problems`.
  ///
  /// Complexity: O(pixels of the patches).
  ///
  /// - Parameters:
  ///   - chart: the proposal of `ChartFinder` for this frame, or for another frame with the same
  ///     chart at the same position.
  ///   - frame: the picture.
  /// - Throws: `FrameError` if a patch is not inside the frame.
  public func read(
    _ chart: ChartProposal, in frame: Frame
  ) throws(FrameError) -> ChartReading {
    let slope = gradient(of: chart, in: frame)
    let names = ColorChart.classicFrom2014.patches.map(\.name)
    var patches: [ChartReading.Patch] = []
    for (index, name) in names.enumerated() {
      let region = try region(chart.patches[index], in: frame)
      let offset = ChartProposal.middle(of: index) - SIMD2(3, 2)
      let shading = slope.map { exponential(($0.slope * offset).sum()) } ?? 1
      if isDeveloped {
        patches.append(try color(of: name, in: frame, region, shading: shading))
        continue
      }
      let estimate = try estimate(region, in: frame)
      let response = estimate.response.vector / shading
      patches.append(
        ChartReading.Patch(
          name: name, response: LinearRGB(response),
          standardError: LinearRGB(response * estimate.channelErrors.vector),
          pixels: estimate.pixels, nonuniformity: estimate.nonuniformity, shading: shading,
          problems: estimate.refusals.map { .pixels($0) }))
    }
    return ChartReading(patches, shadingError: slope?.error)
  }

  /// Returns the largest upright rectangle around the middle of a quadrilateral that fits into it
  /// and has the aspect of its bounding box.
  private func region(
    _ corners: [SIMD2<Double>], in frame: Frame
  ) throws(FrameError) -> PixelRectangle {
    let middle = corners.reduce(.zero, +) / 4
    let half =
      (corners.reduce(corners[0], pointwiseMax) - corners.reduce(corners[0], pointwiseMin)) / 2
    let share = corners.indices.map { index in
      let (start, end) = (corners[index], corners[(index + 1) % 4])
      let normal = SIMD2(end.y - start.y, start.x - end.x)
      let reach = abs(normal.x) * half.x + abs(normal.y) * half.y
      return abs((normal * (middle - start)).sum()) / reach
    }.min()!
    let size = SIMD2(Double(frame.layout.width), Double(frame.layout.height))
    // Positions far outside cannot be converted to integers.
    guard all(middle .>= .zero), all(middle .< size) else {
      throw .region(
        PixelRectangle(x: 0, y: 0, width: 0, height: 0), width: frame.layout.width,
        height: frame.layout.height)
    }
    let low = pointwiseMax((middle - half * share).rounded(.up), .zero)
    let high = pointwiseMin((middle + half * share).rounded(.down), size)
    // For a patch smaller than one sample, a single sample is read, which is too few.
    let unit = frame.layout.format.unit
    return PixelRectangle(
      x: Int(low.x), y: Int(low.y), width: max(unit.columns, Int(high.x - low.x)),
      height: max(unit.rows, Int(high.y - low.y)))
  }

  /// Estimates the response of the camera to a region of one color.
  private func estimate(
    _ region: PixelRectangle, in frame: Frame
  ) throws(FrameError) -> GrayCardEstimate {
    var estimator = GrayCardEstimator(region: .rectangle(region))
    estimator.neededPixels = Self.neededPixels
    // Black reflects 3 %, and the illumination may be a tenth of white.
    estimator.darkLevel = 0.0003
    return try estimator.estimate(frame)
  }

  /// Returns the color of a patch in a developed picture. The patch has several colors if a quarter
  /// of it differs from the whole by more than a tenth of its brightest channel plus 2 % of white.
  private func color(
    of name: String, in frame: Frame, _ region: PixelRectangle, shading: Double
  ) throws(FrameError) -> ChartReading.Patch {
    let whole = try FrameStatistics(frame, region: region)
    let mean = whole.mean.vector
    let (used, all) = (whole.pixels.used, whole.pixels.total)
    var problems: [ChartReading.Problem] = []
    let clipped: [(ColorChannel, Int)] = [
      (.red, whole.pixels.redClipped), (.green, whole.pixels.greenClipped),
      (.blue, whole.pixels.blueClipped),
    ]
    for (channel, count) in clipped where 20 * count > all {
      problems.append(.pixels(.clipped(channel, share: Double(count) / Double(all))))
    }
    if used < Self.neededPixels {
      problems.append(.pixels(.tooFewPixels(used: used, needed: Self.neededPixels)))
    } else {
      let zones = try FrameStatistics.zones(
        frame.bytes.span, layout: frame.layout, region: region, columns: 2, rows: 2)
      let off = zones.map { zone in
        let difference = zone.mean.vector - mean
        return max(difference.max(), -difference.min())
      }
      let variation = (off.max() ?? 0) / max(mean.max(), 1e-6)
      if (off.max() ?? 0) > 0.02 + 0.1 * mean.max() {
        problems.append(.pixels(.mixedColors(variation: variation)))
      }
    }
    return ChartReading.Patch(
      name: name, response: LinearRGB(mean / shading), standardError: nil, pixels: whole.pixels,
      nonuniformity: nil, shading: shading, problems: problems)
  }

  /// Returns the change in the logarithm of the illumination on the chart's frame from patch to
  /// patch, across and down, and the resulting uncertainty at the farthest patches; `nil` if this
  /// uncertainty is not below 3 %.
  ///
  /// The frame around the patches has a uniform dark gray. Print on it is an outlier.
  private func gradient(
    of chart: ChartProposal, in frame: Frame
  ) -> (slope: SIMD2<Double>, error: Double)? {
    var places: [SIMD2<Double>] = []
    for column in 0..<6 {
      for row in [-0.17, 4.17] { places.append(SIMD2(Double(column) + 0.5, row)) }
    }
    for row in 0..<4 {
      for column in [-0.17, 6.17] { places.append(SIMD2(column, Double(row) + 0.5)) }
    }
    var seen: [(place: SIMD3<Double>, log: Double)] = []
    for place in places {
      let corners = [SIMD2(-1.0, -1), SIMD2(1, -1), SIMD2(1, 1), SIMD2(-1, 1)].map {
        chart.grid.apply(place + 0.07 * $0)
      }
      guard let region = try? region(corners, in: frame),
        let light = try? estimate(region, in: frame), light.isAccepted
      else { continue }
      seen.append((SIMD3(place.x - 3, place.y - 2, 1), logarithm(light.response.green)))
    }
    guard seen.count >= 12 else { return nil }
    var weights = [Double](repeating: 1, count: seen.count)
    var plane = SIMD3<Double>.zero
    var residuals = weights
    for _ in 0..<10 {
      guard
        let found = ChartColors.leastSquares(
          seen.map(\.place), seen.map(\.log), weights: weights)
      else { return nil }
      plane = found
      residuals = seen.map { $0.log - ($0.place * plane).sum() }
      let typical = max(1.5 * residuals.map(abs).orderStatistic(seen.count / 2), 1e-3)
      weights = residuals.map { 1 / (1 + $0 * $0 / (4 * typical * typical)) }
    }
    // For 20 places up to 3 and 2 steps away, the errors of the slopes at the corners are about two
    // thirds of the scatter.
    let scatter = 1.5 * residuals.map(abs).orderStatistic(seen.count / 2)
    let error = 0.67 * scatter
    return error < 0.03 ? (SIMD2(plane.x, plane.y), error) : nil
  }
}
