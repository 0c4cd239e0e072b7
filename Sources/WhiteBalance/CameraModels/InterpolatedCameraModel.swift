public import ColorScience

/// The camera model of Adobe's DNG: matrices for up to three lights, interpolated linearly in
/// reciprocal temperature.
///
/// Response = M(m) · XYZ, up to a scale, where m is the reciprocal temperature of the light itself
/// and M under each calibrated light is AnalogBalance · CameraCalibration · ColorMatrix. Beyond the
/// outermost lights M is constant; x and y are never clamped. Source: Digital Negative
/// Specification 1.7.1, chapter 6, for one and two lights. Temperatures are those of
/// `PlanckianLocus`, where Adobe's SDK reads a table. Like the SDK, and unlike the wording of the
/// specification, this interpolates the products and not their factors; the results differ only if
/// both factors change with the light. Three lights are interpolated in neighboring pairs, where
/// the SDK weights all three by their distance.
///
/// Gains may correspond to several lights or to none. The class of a light makes no difference.
///
/// ```swift
/// import ColorScience
///
/// let camera = try InterpolatedCameraModel(calibrations: [
///   .init(
///     kelvin: 2850,
///     colorMatrix: Matrix3x3(
///       SIMD3(0.83, -0.25, -0.01), SIMD3(-0.44, 1.15, 0.33), SIMD3(-0.05, 0.19, 0.61))),
///   .init(
///     kelvin: 6500,
///     colorMatrix: Matrix3x3(
///       SIMD3(0.69, -0.13, -0.09), SIMD3(-0.46, 1.24, 0.24), SIMD3(-0.06, 0.20, 0.55))),
/// ])
/// if let gains = camera.gains(for: TemperatureAndTint(temperature: 4000, tint: 0)) {
///   print(camera.lights(for: gains).count)  // 1
/// }
/// ```
public struct InterpolatedCameraModel: CameraModel, Hashable, Codable {
  /// The matrices of a camera for one light.
  public struct CalibratedLight: Hashable, Sendable, Codable {
    /// The light's correlated color temperature in kelvin, under `RadiationConstant.cie`.
    public var kelvin: Double
    /// The matrix from XYZ to the linear red, green and blue of the average camera of this type.
    public var colorMatrix: Matrix3x3
    /// The matrix from the average camera to this unit.
    public var cameraCalibration: Matrix3x3

    /// Creates the calibration for a light of a temperature.
    public init(
      kelvin: Double, colorMatrix: Matrix3x3,
      cameraCalibration: Matrix3x3 = Matrix3x3(diagonal: SIMD3(1, 1, 1))
    ) {
      self.kelvin = kelvin
      self.colorMatrix = colorMatrix
      self.cameraCalibration = cameraCalibration
    }

    /// Creates the calibration for a light of a chromaticity; the model refuses a light without a
    /// temperature.
    public init(
      chromaticity: Chromaticity, colorMatrix: Matrix3x3,
      cameraCalibration: Matrix3x3 = Matrix3x3(diagonal: SIMD3(1, 1, 1))
    ) {
      self.init(
        kelvin: CorrelatedColorTemperature(chromaticity)?.kelvin ?? .nan, colorMatrix: colorMatrix,
        cameraCalibration: cameraCalibration)
    }
  }

  /// The calibrated lights, in the order given.
  public let calibrations: [CalibratedLight]
  /// The gains of the analog stages before the sensor is read out.
  public let analogBalance: LinearRGB
  /// The distinct calibrated lights by rising reciprocal temperature.
  private let nodes: [Node]

  private struct Node: Hashable {
    var mired: Double
    var matrix: Matrix3x3
  }

  /// Creates a model from one to three calibrated lights.
  ///
  /// - Throws: `CameraModelError`, which names fields as DNG does; ColorMatrix1 is that of the
  ///   first light.
  public init(
    calibrations: [CalibratedLight], analogBalance: LinearRGB = LinearRGB(red: 1, green: 1, blue: 1)
  ) throws(CameraModelError) {
    guard (1...3).contains(calibrations.count) else { throw .calibrationCount(calibrations.count) }
    guard analogBalance.isPositive else { throw .notPositive("AnalogBalance", analogBalance) }
    let balance = Matrix3x3(diagonal: analogBalance.vector)
    var nodes: [(number: Int, node: Node)] = []
    for (index, calibration) in calibrations.enumerated() {
      let number = index + 1
      let mired = 1e6 / calibration.kelvin
      guard calibration.kelvin.isFinite, mired > 0, PlanckianLocus().physicalRange.contains(mired)
      else { throw .temperature("CalibrationIlluminant\(number)", kelvin: calibration.kelvin) }
      try Self.check(calibration.colorMatrix, "ColorMatrix\(number)")
      try Self.check(calibration.cameraCalibration, "CameraCalibration\(number)")
      let matrix = balance * calibration.cameraCalibration * calibration.colorMatrix
      try Self.check(matrix, "AnalogBalance · CameraCalibration\(number) · ColorMatrix\(number)")
      if let same = nodes.first(where: { $0.node.mired == mired }) {
        guard same.node.matrix == matrix else {
          let isOfUnit = calibrations[same.number - 1].colorMatrix == calibration.colorMatrix
          let field = isOfUnit ? "CameraCalibration" : "ColorMatrix"
          throw .contradiction("\(field)\(same.number)", "\(field)\(number)")
        }
      } else {
        nodes.append((number, Node(mired: mired, matrix: matrix)))
      }
    }
    nodes.sort { $0.node.mired < $1.node.mired }
    for (a, b) in zip(nodes, nodes.dropFirst())
    where Self.leastDeterminant(between: a.node.matrix, b.node.matrix) <= 0 {
      throw .singularBetween("ColorMatrix\(a.number)", "ColorMatrix\(b.number)")
    }
    self.calibrations = calibrations
    self.analogBalance = analogBalance
    self.nodes = nodes.map(\.node)
  }

  private static func check(_ matrix: Matrix3x3, _ field: String) throws(CameraModelError) {
    guard matrix.inverse != nil else { throw .singular(field) }
    guard matrix.determinant > 0 else { throw .mirrored(field) }
  }

  /// The smallest determinant of the matrices between two, which is a cubic of the interpolation
  /// parameter.
  private static func leastDeterminant(between a: Matrix3x3, _ b: Matrix3x3) -> Double {
    func determinant(_ t: Double) -> Double { interpolated(a, b, t).determinant }
    // The coefficients from the values at 0, 1, 2 and −1.
    let (d0, d1, d2, before) = (a.determinant, b.determinant, determinant(2), determinant(-1))
    let c2 = (d1 + before) / 2 - d0
    let c3 = (d2 - 3 * d1 + 3 * d0 - before) / 6
    let c1 = d1 - d0 - c2 - c3
    // The cubic's extrema. If it has none, the square root is NaN; if it is no cubic, a quotient is
    // not finite. The filter excludes both.
    let root = (c2 * c2 - 3 * c3 * c1).squareRoot()
    let q = -(c2 + (c2 < 0 ? -root : root))
    return [q / (3 * c3), c1 / q].filter { $0 > 0 && $0 < 1 }
      .map(determinant).reduce(min(d0, d1), min)
  }

  private static func interpolated(_ a: Matrix3x3, _ b: Matrix3x3, _ t: Double) -> Matrix3x3 {
    func row(_ index: Int) -> SIMD3<Double> { (1 - t) * a.rows[index] + t * b.rows[index] }
    return Matrix3x3(row(0), row(1), row(2))
  }

  /// `cameraMatrix(for:)` and its derivative by mired; at a calibrated light, the derivative
  /// towards higher mired.
  private func matrix(for light: Chromaticity) -> (value: Matrix3x3, slope: Matrix3x3)? {
    let still = Matrix3x3(diagonal: .zero)
    if nodes.count == 1 { return (nodes[0].matrix, still) }
    guard let mired = CorrelatedColorTemperature(light)?.mired else { return nil }
    guard let next = nodes.firstIndex(where: { $0.mired > mired }) else {
      return (nodes[nodes.count - 1].matrix, still)
    }
    if next == 0 { return (nodes[0].matrix, still) }
    let (a, b) = (nodes[next - 1], nodes[next])
    let scale = 1 / (b.mired - a.mired)
    let slope = Matrix3x3(diagonal: SIMD3(repeating: scale))
    let difference = Matrix3x3(
      b.matrix.rows[0] - a.matrix.rows[0], b.matrix.rows[1] - a.matrix.rows[1],
      b.matrix.rows[2] - a.matrix.rows[2])
    return (Self.interpolated(a.matrix, b.matrix, (mired - a.mired) * scale), slope * difference)
  }

  /// The matrix from XYZ to the camera's red, green and blue under a light; `nil` if there are
  /// several calibrated lights and the light has no temperature.
  public func cameraMatrix(for light: Chromaticity) -> Matrix3x3? { matrix(for: light)?.value }

  /// The response to a neutral surface under a light, relative to green; `nil` if a channel would
  /// not be positive, and with several calibrated lights also if the light has no temperature.
  public func response(to light: Chromaticity, lightClass: LightClass? = nil) -> LinearRGB? {
    guard let matrix = matrix(for: light)?.value else { return nil }
    let response = matrix * light.projected
    guard LinearRGB(response).isPositive else { return nil }
    return LinearRGB(response / response.y)
  }

  /// The derivatives of the gains with respect to the light, including the effect of its
  /// temperature on the matrix; `nil` if `response(to:lightClass:)` is `nil`, and on the locus's
  /// evolute.
  ///
  /// At the temperature of a calibrated light, where the slopes jump, they are those towards higher
  /// mired.
  public func logGainSlopes(
    at light: Chromaticity, lightClass: LightClass? = nil
  ) -> LogGainSlopes? {
    guard let (matrix, slope) = matrix(for: light) else { return nil }
    let xyz = light.projected
    let response = matrix * xyz
    guard LinearRGB(response).isPositive else { return nil }
    var byX = matrix * SIMD3(1, 0, -1)
    var byY = matrix * SIMD3(0, 1, -1)
    if nodes.count > 1 {
      guard let gradient = PlanckianLocus().miredGradient(at: light) else { return nil }
      byX += gradient.x * (slope * xyz)
      byY += gradient.y * (slope * xyz)
    }
    return LogGainSlopes(byX: byX / response, byY: byY / response)
  }

  /// Returns every light that gains make neutral, by rising reciprocal temperature; none if the
  /// gains are not positive and finite.
  ///
  /// Error: `gains(for:)` and this invert each other to 1e-12 (`InterpolatedCameraModelTests`),
  /// except where two lights nearly coincide. No solution is missed, unless more than two lie
  /// within 2 mired; those closer than 1e-9 mired count as one. Complexity: O(mired between the
  /// outermost lights).
  public func lights(for gains: Gains, lightClass: LightClass? = nil) -> [Chromaticity] {
    guard gains.arePositiveAndFinite else { return [] }
    let neutral = 1 / gains.normalized(to: .smallest).vector
    if nodes.count == 1 { return Self.light(nodes[0].matrix, neutral).map { [$0] } ?? [] }
    var found: [(mired: Double, light: Chromaticity)] = []
    func consider(_ matrix: Matrix3x3, where isThere: (Double) -> Bool) {
      guard let light = Self.light(matrix, neutral),
        let mired = CorrelatedColorTemperature(light)?.mired, isThere(mired),
        found.allSatisfy({ abs($0.mired - mired) > 1e-9 })
      else { return }
      found.append((mired, light))
    }
    consider(nodes[0].matrix) { $0 <= nodes[0].mired + 1e-9 }
    for (a, b) in zip(nodes, nodes.dropFirst()) {
      let path = CandidatePath(
        from: a.mired, to: b.mired, start: Self.weighted(a.matrix, neutral),
        middle: Self.weighted(Self.interpolated(a.matrix, b.matrix, 0.5), neutral),
        end: Self.weighted(b.matrix, neutral))
      for mired in path.roots() {
        let t = (mired - a.mired) / (b.mired - a.mired)
        // Other candidates lie on the isotherm, but nearer to another point of the locus.
        consider(Self.interpolated(a.matrix, b.matrix, t)) { abs($0 - mired) <= 1e-6 }
      }
      // Rounding may exclude the zero at a calibrated light's own temperature from both sides.
      consider(b.matrix) { abs($0 - b.mired) <= 1e-9 }
    }
    let last = nodes[nodes.count - 1]
    consider(last.matrix) { $0 > last.mired }
    return found.map(\.light)
  }

  /// The light whose response through a matrix is the given one.
  private static func light(_ matrix: Matrix3x3, _ response: SIMD3<Double>) -> Chromaticity? {
    matrix.inverse.flatMap { Chromaticity(projecting: $0 * response) }
  }

  /// XYZ of the light whose response through a matrix is the given one, times the matrix's
  /// determinant: a quadratic function of the interpolation parameter.
  private static func weighted(_ matrix: Matrix3x3, _ response: SIMD3<Double>) -> SIMD3<Double> {
    guard let inverse = matrix.inverse else { return .init(repeating: .nan) }
    return matrix.determinant * (inverse * response)
  }

  private enum CodingKeys: String, CodingKey { case calibrations, analogBalance }

  /// Decodes and checks a model.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    try self.init(
      calibrations: values.decode([CalibratedLight].self, forKey: .calibrations),
      analogBalance: values.decode(LinearRGB.self, forKey: .analogBalance))
  }
}
