package import ColorScience

/// Surfaces under a light, with their responses in a camera and their colors for the standard
/// observer.
package struct LitSurfaces {
  /// The light's power on `SensorGrid`, and the part of it that each surface reflects.
  private let light: [Double]
  private let reflected: [[Double]]
  /// The glare on all surfaces, as shares of the camera's response to white.
  var glare = LinearRGB(red: 0, green: 0, blue: 0)
  package let white: XYZ
  package let colors: [XYZ]

  /// Creates surfaces from their reflectances on `SensorGrid`, constant beyond its ends; `nil` for
  /// a light without power. The camera's responses are under the first light, the observer's colors
  /// under the second, if there is one.
  package init?(
    _ surfaces: [[Double]], under seen: SpectralDistribution,
    shownUnder shown: SpectralDistribution? = nil
  ) {
    let spectrum = shown ?? seen
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
    light = SensorGrid.power(of: seen)
    let power = light
    reflected = surfaces.map { surface in zip(surface, power).map { $0 * $1 } }
    colors = surfaces.map { surface in
      var color = SIMD3<Double>.zero
      for (share, weight) in zip(surface, weights) { color += share * weight }
      return XYZ(color / sum.y)
    }
  }

  /// The patches of the ColorChecker Classic.
  package static func chart(
    under light: SpectralDistribution, shownUnder shown: SpectralDistribution? = nil
  ) -> LitSurfaces? {
    LitSurfaces(
      ColorChart.classicFrom2014.patches.map { SensorGrid.values(of: $0.reflectance) },
      under: light, shownUnder: shown)
  }

  /// Returns the response of a camera balanced on white to each surface; `nil` if a channel has no
  /// response to the light.
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
    return reflected.map { (response($0) / neutral + glare.vector) / (1 + glare.vector) }
  }

  /// Returns the least-squares matrix from a camera's balanced responses to XYZ that preserves
  /// white.
  package func matrix(for camera: SpectralSensitivities) -> Matrix3x3? {
    fitted(to: camera, withRoots: false)?.matrix
  }

  /// Returns the least-squares root polynomial from a camera's balanced responses to XYZ that
  /// preserves white.
  package func rootPolynomial(for camera: SpectralSensitivities) -> RootPolynomial? {
    fitted(to: camera, withRoots: true)
  }

  private func fitted(
    to camera: SpectralSensitivities, withRoots: Bool
  ) -> RootPolynomial? {
    guard let seen = seen(by: camera) else { return nil }
    // White is preserved exactly: a color is green times the white, plus terms that are 0 for
    // grays. Only the factors of these terms are fitted.
    let count = withRoots ? 5 : 2
    var products = [[Double]](repeating: [Double](repeating: 0, count: count), count: count)
    var sums = [[Double]](repeating: [Double](repeating: 0, count: count), count: 3)
    for (rgb, color) in zip(seen, colors) {
      let root = cubeRoot(color.y)
      let weight = 1 / (root * root)
      let roots = RootPolynomial.roots(of: rgb)
      let terms = [rgb.x, rgb.z, roots.x, roots.y, roots.z].prefix(count).map { $0 - rgb.y }
      let rest = color.vector - rgb.y * white.vector
      for i in 0..<count {
        for j in 0...i { products[i][j] += weight * terms[i] * terms[j] }
        for axis in 0..<3 { sums[axis][i] += weight * terms[i] * rest[axis] }
      }
    }
    guard let factor = CholeskyFactor(products) else { return nil }
    let axes = sums.map(factor.solve)
    func column(_ index: Int) -> SIMD3<Double> {
      index < count ? SIMD3(axes[0][index], axes[1][index], axes[2][index]) : .zero
    }
    let columns = (0..<5).map(column)
    let others = columns.reduce(.zero, +)
    guard others.sum().isFinite else { return nil }
    return RootPolynomial(
      matrix: Matrix3x3(columns: columns[0], white.vector - others, columns[1]),
      roots: Matrix3x3(columns: columns[2], columns[3], columns[4]))
  }

  /// Returns, for each surface, the CIEDE2000 difference between its color and the one computed
  /// from the camera's response.
  package func differences(
    of made: RootPolynomial, for camera: SpectralSensitivities
  ) -> [Double]? {
    seen(by: camera).map { seen in
      zip(seen, colors).map { rgb, color in
        LabColor(XYZ(made(LinearRGB(rgb))), white: white)
          .ciede2000(to: LabColor(color, white: white))
      }
    }
  }
}
