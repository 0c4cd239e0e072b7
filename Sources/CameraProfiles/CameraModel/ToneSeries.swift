package import ColorScience
package import WhiteBalance

/// The codes of one card at several exposure times, and the transfer function for which their light
/// is proportional to the time.
package struct ToneSeries: Sendable {
  /// A time, and the codes of red, green and blue, 0…1.
  package typealias Point = (time: Double, codes: [Double])

  package private(set) var points: [Point] = []
  /// The variation of the card's codes over the region at several exposures, and its error.
  private var variations: [(size: Double, error: Double)] = []

  /// The largest deviation of codes from a known function.
  private static let accepted = 0.01

  package init() {}

  /// Adds the card at an exposure time.
  package mutating func add(_ card: GrayCardEstimate, at time: Double) {
    if points.contains(where: { $0.time == time }) { return }
    let codes = card.response
    points.append((time, [codes.red, codes.green, codes.blue]))
    // Near black, noise makes the codes vary too.
    guard codes.green > 0.08 else { return }
    let error = max(card.standardError.red, card.standardError.blue)
    // Each of up to 256 parts has an error 16 times as large, and the largest of them counts.
    variations.append((card.nonuniformity, 60 * error))
  }

  /// Indicates whether the card varies more at some exposures than uneven light explains.
  ///
  /// If rows are read one after another, flicker leaves stripes in short exposures. The mean of the
  /// codes is then that of less light than the card has.
  package var hasStripes: Bool {
    guard let least = variations.map(\.size).min() else { return false }
    return variations.contains { $0.size - $0.error > 2.5 * least + 0.05 }
  }

  /// The function for which the light of each channel is proportional to the time; `nil` if there
  /// are too few points.
  package var transfer: TransferFunction? {
    guard points.count >= 3,
      let least = points.map(\.time).min(), let most = points.map(\.time).max(), most > 2 * least
    else { return nil }
    let best = known
    if best.deviation < Self.accepted { return best.transfer }
    return ToneCurve(through: points).map { .curve($0) }
  }

  /// `true` if a known function explains the pictures so well that more exposures are not needed.
  package var isKnownWell: Bool { points.count >= 4 && known.deviation < Self.accepted / 3 }

  /// The known function that explains the pictures best, preferably sRGB, and their deviation from
  /// it.
  private var known: (transfer: TransferFunction, deviation: Double) {
    /// The root mean square of the deviations, with less weight where codes' rounding explains
    /// them.
    func deviation(_ transfer: TransferFunction) -> Double {
      var sum = 0.0
      for channel in 0..<3 {
        var (logarithms, weights): ([Double], [Double]) = ([], [])
        for point in points {
          let code = point.codes[channel]
          let light = transfer.linear(code)
          let rounding = (transfer.linear(code + 0.001) - light) / light
          logarithms.append(logarithm(light / point.time))
          weights.append(1 / (1e-5 + rounding * rounding))
        }
        let total = weights.reduce(0, +)
        let mean = zip(logarithms, weights).reduce(0) { $0 + $1.0 * $1.1 } / total
        sum +=
          zip(logarithms, weights).reduce(0) { $0 + $1.1 * ($1.0 - mean) * ($1.0 - mean) } * 1e-5
          / Double(points.count)
      }
      return (sum / 3).squareRoot()
    }
    let sRGB = (TransferFunction.sRGB, deviation(.sRGB))
    if sRGB.1 < Self.accepted / 3 { return sRGB }
    let exponents = stride(from: 1, through: 3, by: 0.01).map { TransferFunction.gamma($0) }
    return ([.bt709] + exponents).map { ($0, deviation($0)) }.reduce(sRGB) { $1.1 < $0.1 ? $1 : $0 }
  }
}

extension ToneCurve {
  /// Creates the curve through the pictures of one surface at several exposures, with white 1.
  ///
  /// Each channel has a scale of its own, which is almost the same for all if the surface looks
  /// neutral. The code of black is extrapolated from the two darkest pictures.
  fileprivate init?(through series: [(time: Double, codes: [Double])]) {
    var points = series.map { point in
      Point(stored: point.codes.reduce(0, +) / Double(point.codes.count), linear: point.time)
    }.sorted { $0.linear < $1.linear }
    // Points that do not increase are rounded or clipped.
    points = points.reduce(into: []) { kept, point in
      if point.stored > (kept.last?.stored ?? -1) + 1e-4 { kept.append(point) }
    }
    guard points.count >= 4 else { return nil }
    let (first, second) = (points[0], points[1])
    let slope = (second.stored - first.stored) / (second.linear - first.linear)
    points.insert(Point(stored: first.stored - slope * first.linear, linear: 0), at: 0)
    guard let curve = ToneCurve(points) else { return nil }
    let white = curve.linear(1)
    self.init(points.map { Point(stored: $0.stored, linear: $0.linear / white) })
  }
}
