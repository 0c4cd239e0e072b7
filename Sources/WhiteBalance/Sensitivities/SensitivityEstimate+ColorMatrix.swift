public import ColorScience

extension SensitivityEstimate {
  /// The color matrix for a light: from white-balanced camera RGB, in which white is (1, 1, 1), to
  /// XYZ under that light, in which white has Y = 1; `nil` if a channel does not see the light.
  ///
  /// The rows add up to the light's white. It is the least-squares fit for the patches of the
  /// ColorChecker Classic as the most probable camera sees them, dark ones weighted by Y to the
  /// power −2/3 as differences in lightness are. Error: on surfaces that are not fitted, with one
  /// chart under D65, the mean CIEDE2000 is within 2 % of that of the matrix from the camera's true
  /// sensitivities (`SpectralEvaluationTests`). Complexity: O(patches).
  ///
  /// - Parameter light: the light's power from 380 to 780 nm, in any unit.
  public func colorMatrix(under light: SpectralDistribution) -> Matrix3x3? {
    LitSurfaces.chart(under: light)?.matrix(for: sensitivities)
  }

  /// Color differences over typical surfaces.
  public struct ExpectedDifference: Hashable, Sendable, Codable {
    /// The mean CIEDE2000.
    public let mean: Double
    /// The CIEDE2000 that 95 % of surfaces stay below.
    public let p95: Double
  }

  /// The color differences that a matrix leaves under a light: over 128 typical surfaces that no
  /// matrix is fitted to, and 16 cameras drawn from the distribution, balanced on white; `nil` if
  /// one of these does not see the light.
  ///
  /// The difference on real surfaces is 0.9 to 1.15 times as large in the median
  /// (`SpectralEvaluationTests`). Complexity: O(1), some milliseconds.
  ///
  /// - Parameters:
  ///   - matrix: from white-balanced camera RGB to XYZ, white Y = 1, such as `colorMatrix(under:)`.
  ///   - light: the light's power from 380 to 780 nm, in any unit.
  public func expectedDifference(
    of matrix: Matrix3x3, under light: SpectralDistribution
  ) -> ExpectedDifference? {
    guard let surfaces = LitSurfaces(TypicalSurfaces.all, under: light) else { return nil }
    var differences: [Double] = []
    for camera in samples(16) {
      guard let found = surfaces.differences(of: matrix, for: camera) else { return nil }
      differences += found
    }
    let mean = differences.reduce(0, +) / Double(differences.count)
    return ExpectedDifference(
      mean: mean, p95: differences.orderStatistic(differences.count * 95 / 100))
  }
}

/// Surfaces under a light, as a camera and the standard observer see them.
package struct LitSurfaces {
  /// The light's power on `SensorGrid`, and what each surface reflects of it.
  private let light: [Double]
  private let reflected: [[Double]]
  package let white: XYZ
  package let colors: [XYZ]

  /// Surfaces by their reflectances on `SensorGrid`, constant beyond its ends; `nil` for a light
  /// without power.
  package init?(_ surfaces: [[Double]], under spectrum: SpectralDistribution) {
    var weights = [SIMD3<Double>](repeating: .zero, count: SensorGrid.count)
    for nanometers in 360...830 {
      let wavelength = Double(nanometers)
      guard let functions = StandardObserver.cie1931.colorMatchingFunctions(at: wavelength) else {
        continue
      }
      let position = max(0, min((wavelength - SensorGrid.wavelength(0)) / 5, 80))
      let index = min(Int(position), SensorGrid.count - 2)
      let share = position - Double(index)
      let power = spectrum[wavelength] * functions.vector
      weights[index] += (1 - share) * power
      weights[index + 1] += share * power
    }
    let sum = weights.reduce(.zero, +)
    guard sum.y > 0, sum.y.isFinite else { return nil }
    white = XYZ(sum / sum.y)
    light = SensorGrid.power(of: spectrum)
    let power = light
    reflected = surfaces.map { surface in zip(surface, power).map { $0 * $1 } }
    colors = surfaces.map { surface in
      var color = SIMD3<Double>.zero
      for (share, weight) in zip(surface, weights) { color += share * weight }
      return XYZ(color / sum.y)
    }
  }

  /// The patches of the ColorChecker Classic.
  package static func chart(under light: SpectralDistribution) -> LitSurfaces? {
    LitSurfaces(
      ColorChart.classicFrom2014.patches.map { SensorGrid.values(of: $0.reflectance) },
      under: light)
  }

  /// What a camera balanced on white sees of each surface; `nil` if a channel sees no light.
  package func seen(by camera: SpectralSensitivities) -> [SIMD3<Double>]? {
    let channels = camera.onGrid
    func response(_ power: [Double]) -> SIMD3<Double> {
      var sums = SIMD3<Double>.zero
      for channel in 0..<3 {
        for index in power.indices { sums[channel] += channels[channel][index] * power[index] }
      }
      return sums
    }
    let neutral = response(light)
    guard LinearRGB(neutral).isPositive else { return nil }
    return reflected.map { response($0) / neutral }
  }

  /// The least-squares matrix from a camera's balanced responses to XYZ that keeps the white.
  package func matrix(for camera: SpectralSensitivities) -> Matrix3x3? {
    guard let seen = seen(by: camera) else { return nil }
    // With rows (a, w − a − b, b) for the white's w, what is left to fit is a and b.
    var (aa, ab, bb) = (0.0, 0.0, 0.0)
    var (xa, xb) = (SIMD3<Double>.zero, SIMD3<Double>.zero)
    for (rgb, color) in zip(seen, colors) {
      let root = cubeRoot(color.y)
      let weight = 1 / (root * root)
      let (red, blue) = (rgb.x - rgb.y, rgb.z - rgb.y)
      let rest = color.vector - rgb.y * white.vector
      aa += weight * red * red
      ab += weight * red * blue
      bb += weight * blue * blue
      xa += weight * red * rest
      xb += weight * blue * rest
    }
    let scale = 1 / (aa * bb - ab * ab)
    guard scale.isFinite, scale > 0 else { return nil }
    let a = (bb * xa - ab * xb) * scale
    let b = (aa * xb - ab * xa) * scale
    return Matrix3x3(columns: a, white.vector - a - b, b)
  }

  /// The CIEDE2000 of each surface between what a matrix makes of a camera's response and its
  /// color.
  package func differences(of matrix: Matrix3x3, for camera: SpectralSensitivities) -> [Double]? {
    seen(by: camera).map { seen in
      zip(seen, colors).map { rgb, color in
        LabColor(XYZ(matrix * rgb), white: white).ciede2000(to: LabColor(color, white: white))
      }
    }
  }
}
