public import ColorScience

/// A camera as libcamera's automatic white balance describes it: the ratios R/G and B/G of a gray
/// patch as functions of color temperature, linear between the points of a curve.
///
/// The model has no tint and no class of light. A chromaticity off the Planckian locus has the
/// response of its temperature, up to |Duv| 0.05, beyond which CIE defines no temperature. Gains
/// off the curve correspond to no light; gains on it correspond to every light of a temperature, of
/// which the one on the Planckian locus is returned. Nothing is clamped, whereas libcamera holds
/// the values at the curve's ends. Measured gains lie near the curve, not on it:
/// `temperature(of:within:)` accepts them within a width.
///
/// Source: libcamera, `ct_curve` of the Raspberry Pi tuning files (BSD-2-Clause).
public struct CurveCameraModel: CameraModel, Hashable {
  /// A point of the curve.
  public struct Point: Hashable, Sendable {
    /// The correlated color temperature, in kelvin.
    public var kelvin: Double
    /// R/G of a gray patch, the reciprocal of the red gain.
    public var red: Double
    /// B/G of a gray patch, the reciprocal of the blue gain.
    public var blue: Double

    /// Creates a point from its temperature and ratios.
    public init(kelvin: Double, red: Double, blue: Double) {
      self.kelvin = kelvin
      self.red = red
      self.blue = blue
    }

    fileprivate var ratios: SIMD2<Double> { SIMD2(red, blue) }
  }

  /// The points of the curve, by rising temperature.
  public let points: [Point]

  /// Creates a model from its curve.
  ///
  /// - Throws: `CurveCameraModelError` unless there are two points or more, their numbers are
  ///   positive and finite, temperatures rise, and no two neighbors have the same ratios.
  public init(points: [Point]) throws(CurveCameraModelError) {
    guard points.count >= 2 else { throw .tooFewPoints(points.count) }
    for (index, point) in points.enumerated() {
      guard LinearRGB(red: point.kelvin, green: point.red, blue: point.blue).isPositive else {
        throw .notPositive(index: index)
      }
      guard index > 0 else { continue }
      guard point.kelvin > points[index - 1].kelvin else { throw .notRising(index: index) }
      guard point.ratios != points[index - 1].ratios else { throw .repeated(index: index) }
    }
    self.points = points
  }

  /// The temperatures that the curve covers, in kelvin.
  public var range: ClosedRange<Double> { points[0].kelvin...points[points.count - 1].kelvin }

  /// The response to a neutral surface under a light of a temperature, relative to green; `nil`
  /// outside `range`, and for NaN.
  public func response(kelvin: Double) -> LinearRGB? {
    guard let piece = piece(at: kelvin) else { return nil }
    let ratios = piece.ratios(at: kelvin)
    return LinearRGB(red: ratios.x, green: 1, blue: ratios.y)
  }

  /// The response to a neutral surface under a light, relative to green: that of its temperature
  /// under `RadiationConstant.cie`; `nil` outside `range`, and if |Duv| is above 0.05.
  public func response(to light: Chromaticity, lightClass: LightClass? = nil) -> LinearRGB? {
    kelvin(of: light).flatMap(response(kelvin:))
  }

  /// Returns the lights on the Planckian locus that gains make neutral: none unless the gains lie
  /// on the curve, to within 1e-12 of R/G and B/G; several where the curve crosses itself.
  ///
  /// Error: the gains for such a light are the given ones to within 1e-12
  /// (`CurveCameraModelTests`). Gains measured on a card hardly ever lie on the curve; use
  /// `nearest(to:)` for them. Complexity: O(points).
  public func lights(for gains: Gains, lightClass: LightClass? = nil) -> [Chromaticity] {
    guard let ratios = Self.ratios(gains) else { return [] }
    var found: [Double] = []
    for piece in pieces {
      let share = min(max(piece.share(of: ratios), 0), 1)
      let miss = (piece.start.ratios + share * piece.rise - ratios) / ratios
      guard max(abs(miss.x), abs(miss.y)) <= 1e-12 else { continue }
      let kelvin = piece.start.kelvin + share * piece.width
      // A point shared by two pieces is one light.
      if let last = found.last, kelvin - last <= 1e-9 * kelvin { continue }
      found.append(kelvin)
    }
    return found.map { Chromaticity(CorrelatedColorTemperature(kelvin: $0, duv: 0)) }
  }

  /// The point of the curve nearest to gains in the plane of R/G and B/G, in which libcamera
  /// searches: its temperature, and its signed distance, positive if red and blue are stronger
  /// (magenta). `nil` beyond the curve's ends, and for gains that are not positive and finite.
  ///
  /// `transverse_pos` and `transverse_neg` of a tuning file are bounds of this distance.
  /// Complexity: O(points).
  public func nearest(to gains: Gains) -> (kelvin: Double, offset: Double)? {
    guard let ratios = Self.ratios(gains) else { return nil }
    var best = (kelvin: 0.0, offset: Double.infinity, isBeyond: true)
    for (index, piece) in pieces.enumerated() {
      let foot = piece.share(of: ratios)
      let isBeyond = index == 0 && foot < -1e-12 || index == points.count - 2 && foot > 1 + 1e-12
      let share = min(max(foot, 0), 1)
      let miss = ratios - piece.start.ratios - share * piece.rise
      let distance = (miss * miss).sum().squareRoot()
      guard distance < abs(best.offset) else { continue }
      let side = miss.x * piece.rise.y - miss.y * piece.rise.x
      best = (piece.start.kelvin + share * piece.width, side < 0 ? -distance : distance, isBeyond)
    }
    return best.isBeyond ? nil : (best.kelvin, best.offset)
  }

  /// The temperature of the light that gains make neutral: that of the nearest point of the curve.
  ///
  /// Complexity: O(points).
  ///
  /// - Throws: `OffCurve` if the gains lie farther from the curve than `width`, or beyond its ends,
  ///   and so correspond to no light of the curve.
  public func temperature(of gains: Gains, within width: CurveWidth) throws(OffCurve) -> Double {
    guard let nearest = nearest(to: gains) else { throw .beyondEnds(range) }
    let allowed = nearest.offset > 0 ? width.towardsMagenta : width.towardsGreen
    guard abs(nearest.offset) <= allowed else {
      throw .tooFar(offset: nearest.offset, allowed: allowed, kelvin: nearest.kelvin)
    }
    return nearest.kelvin
  }

  /// The derivatives of the gains with respect to the light; `nil` if `response(to:lightClass:)` is
  /// `nil`. At a point of the curve the slopes are those of the piece above it, at the last point
  /// those of the piece below.
  public func logGainSlopes(
    at light: Chromaticity, lightClass: LightClass? = nil
  ) -> LogGainSlopes? {
    guard let kelvin = kelvin(of: light), let piece = piece(at: kelvin),
      let gradient = PlanckianLocus().miredGradient(at: light)
    else { return nil }
    // dT/dm is −T²/10⁶, and ln(gain) falls as ln(ratio) rises: the signs cancel.
    let byMired = piece.rise / piece.width / piece.ratios(at: kelvin) * (kelvin * kelvin / 1e6)
    return LogGainSlopes(red: byMired.x * gradient, blue: byMired.y * gradient)
  }

  private func kelvin(of light: Chromaticity) -> Double? {
    guard let temperature = CorrelatedColorTemperature(light), abs(temperature.duv) <= 0.05 else {
      return nil
    }
    // Rounding of x and y must not move a light at the curve's end out of range.
    let nearest = min(max(temperature.kelvin, range.lowerBound), range.upperBound)
    return abs(temperature.kelvin - nearest) <= 1e-9 * nearest ? nearest : temperature.kelvin
  }

  private static func ratios(_ gains: Gains) -> SIMD2<Double>? {
    guard gains.arePositiveAndFinite else { return nil }
    return SIMD2(gains.green / gains.red, gains.green / gains.blue)
  }

  /// The straight line between two points.
  private struct Piece {
    var start, end: Point

    var width: Double { end.kelvin - start.kelvin }
    var rise: SIMD2<Double> { end.ratios - start.ratios }

    func ratios(at kelvin: Double) -> SIMD2<Double> {
      let share = (kelvin - start.kelvin) / width
      return (1 - share) * start.ratios + share * end.ratios
    }

    /// The relative position along the line of the point nearest to a color, 0 at the start and 1
    /// at the end.
    func share(of ratios: SIMD2<Double>) -> Double {
      ((ratios - start.ratios) * rise).sum() / (rise * rise).sum()
    }
  }

  private var pieces: some Sequence<Piece> {
    zip(points, points.dropFirst()).lazy.map { Piece(start: $0, end: $1) }
  }

  private func piece(at kelvin: Double) -> Piece? {
    guard range.contains(kelvin) else { return nil }
    let end = points.dropFirst().firstIndex { $0.kelvin > kelvin } ?? points.count - 1
    return Piece(start: points[end - 1], end: points[end])
  }
}

extension CurveCameraModel: Codable {
  /// Decodes and checks a curve.
  public init(from decoder: any Decoder) throws { try self.init(points: [Point](from: decoder)) }

  /// Encodes the points.
  public func encode(to encoder: any Encoder) throws { try points.encode(to: encoder) }
}

extension CurveCameraModel.Point: Codable {
  /// Decodes three numbers: kelvin, R/G, B/G.
  public init(from decoder: any Decoder) throws {
    let numbers = try LinearRGB(from: decoder)
    self.init(kelvin: numbers.red, red: numbers.green, blue: numbers.blue)
  }

  /// Encodes three numbers: kelvin, R/G, B/G.
  public func encode(to encoder: any Encoder) throws {
    try LinearRGB(red: kelvin, green: red, blue: blue).encode(to: encoder)
  }
}
