public import ColorScience

extension SensitivityEstimate {
  /// The color matrix for a light: from white-balanced camera RGB, in which white is (1, 1, 1), to
  /// XYZ under that light, in which white has Y = 1; `nil` if a channel has no response to the
  /// light.
  ///
  /// The rows add up to the light's white. It is the least-squares fit to the patches of the
  /// ColorChecker Classic as the most probable camera responds to them, weighted by Y to the power
  /// −2/3, like differences in lightness. Error: on surfaces that are not fitted, with one chart
  /// under D65, the mean CIEDE2000 is within 2 % of that of the matrix from the camera's true
  /// sensitivities (`SpectralEvaluationTests`). Complexity: O(patches).
  ///
  /// - Parameters:
  ///   - light: the light's power from 380 to 780 nm, in any unit.
  ///   - shown: the light under which the surfaces are to be shown, if it is another one. XYZ and
  ///     the white are then those under it. The result approximates the surfaces' true colors under
  ///     that light more closely than a chromatic adaptation of their colors under the scene's
  ///     light.
  ///   - glare: the light on all surfaces of a picture, as shares of white like those of
  ///     `glare(of:)`, if it is not subtracted; by default none.
  public func colorMatrix(
    under light: SpectralDistribution, shownUnder shown: SpectralDistribution? = nil,
    glare: LinearRGB? = nil
  ) -> Matrix3x3? {
    chart(under: light, shownUnder: shown, glare: glare)?.matrix(for: sensitivities)
  }

  /// The root polynomial for a light, between the same spaces as
  /// `colorMatrix(under:shownUnder:glare:)`, fitted to the same patches with the same weights; it
  /// preserves white. `nil` if a channel has no response to the light.
  ///
  /// Error: on surfaces that are not fitted, with one chart under D65, the mean CIEDE2000 is below
  /// nine tenths of the matrix's (`SpectralEvaluationTests`). Complexity: O(patches).
  public func rootPolynomial(
    under light: SpectralDistribution, shownUnder shown: SpectralDistribution? = nil,
    glare: LinearRGB? = nil
  ) -> RootPolynomial? {
    chart(under: light, shownUnder: shown, glare: glare)?.rootPolynomial(for: sensitivities)
  }

  private func chart(
    under light: SpectralDistribution, shownUnder shown: SpectralDistribution?, glare: LinearRGB?
  ) -> LitSurfaces? {
    var surfaces = LitSurfaces.chart(under: light, shownUnder: shown)
    if let glare { surfaces?.glare = glare }
    return surfaces
  }

  /// Color differences over typical surfaces.
  public struct ExpectedDifference: Hashable, Sendable, Codable {
    /// The mean CIEDE2000.
    public let mean: Double
    /// The CIEDE2000 that 95 % of the differences do not exceed.
    public let p95: Double
  }

  /// The color differences that remain with a matrix or a root polynomial under a light, over 128
  /// typical surfaces that were not fitted, and 16 cameras drawn from the distribution and balanced
  /// on white; `nil` if one of these has no response to the light in a channel.
  ///
  /// The difference on real surfaces is 0.9 to 1.15 times as large in the median
  /// (`SpectralEvaluationTests`). Complexity: O(1), some milliseconds.
  ///
  /// - Parameters:
  ///   - colors: the conversion from white-balanced camera RGB to XYZ, white Y = 1, such as
  ///     `rootPolynomial(under:shownUnder:glare:)`.
  ///   - light: the light's power from 380 to 780 nm, in any unit.
  ///   - shown: the light under which the surfaces are to be shown, if it is another one.
  public func expectedDifference(
    of colors: RootPolynomial, under light: SpectralDistribution,
    shownUnder shown: SpectralDistribution? = nil
  ) -> ExpectedDifference? {
    guard let surfaces = LitSurfaces(TypicalSurfaces.all, under: light, shownUnder: shown) else {
      return nil
    }
    var differences: [Double] = []
    for camera in samples(16) {
      guard let found = surfaces.differences(of: colors, for: camera) else { return nil }
      differences += found
    }
    let mean = differences.reduce(0, +) / Double(differences.count)
    return ExpectedDifference(
      mean: mean, p95: differences.orderStatistic(differences.count * 95 / 100))
  }
}
