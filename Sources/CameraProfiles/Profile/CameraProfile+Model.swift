public import ColorScience
public import WhiteBalance

extension CameraProfile {
  /// What is known of a camera's colors, and where it comes from.
  public indirect enum Model: Hashable, Sendable {
    /// Gray-card shots, and a model fitted to them.
    case calibrated(Calibration)
    /// The matrices of a DNG file or camera profile.
    case interpolated(InterpolatedCameraModel)
    /// The curve of a libcamera tuning, its width and its color matrices.
    case curve(CurveCameraModel, CurveDetails = CurveDetails())

    /// The numbers by which lights and gains are converted.
    public var parameters: any CameraModel & Codable {
      switch self {
      case .calibrated(let calibration): calibration.model
      case .interpolated(let model): model
      case .curve(let model, _): model
      }
    }

    /// What the model is made of, in a few words.
    public var summary: String {
      switch self {
      case .calibrated(let calibration):
        "calibrated from \(calibration.shots.count) shot\(calibration.shots.count == 1 ? "" : "s"), "
          + "one matrix for each class of light"
      case .interpolated(let model):
        "\(model.calibrations.count == 1 ? "one matrix" : "matrices") of a DNG profile for "
          + model.calibrations.map { "\(shortNumber($0.kelvin)) K" }.joined(separator: ", ")
      case .curve(let model, _):
        "a curve of \(model.points.count) points from \(shortNumber(model.range.lowerBound)) to "
          + "\(shortNumber(model.range.upperBound)) K, which knows no tint"
      }
    }

    /// The matrix from XYZ to the camera's response under a light, up to a scale; `nil` where the
    /// light has no color temperature that a matrix could be interpolated at, and of a curve, which
    /// knows grays, and of surfaces at most what `colorMatrix(for:shownUnder:glare:)` says.
    ///
    /// Of a camera that was calibrated under lights of known spectrum, under such a light, it is
    /// right for surfaces (`SensitivityEstimate.colorMatrix(under:shownUnder:glare:)`), else for
    /// lights alone.
    public func matrix(for light: Light) -> Matrix3x3? {
      switch self {
      case .calibrated(let calibration):
        spectralMatrix(for: light)
          ?? calibration.model.matrixModel(for: light.impliedClass).cameraMatrix
      case .interpolated(let model): model.cameraMatrix(for: light.chromaticity)
      case .curve: nil
      }
    }

    /// The color matrix for a light: from white-balanced camera RGB, in which white is (1, 1, 1),
    /// to XYZ under that light, in which white has Y = 1: its rows add up to the white. `nil`
    /// where the model knows no colors, but only grays, or where the light cannot be seen.
    ///
    /// - Parameters:
    ///   - light: the light on the scene.
    ///   - shown: the light under which the surfaces are to be shown, if it is another one; then
    ///     XYZ and the white are those under it. A DNG file's matrices, which know no surfaces, are
    ///     adapted to it (Bradford), and a tuning's, which lead to sRGB, from D65.
    ///   - glare: as `SensitivityEstimate.colorMatrix(under:shownUnder:glare:)` takes it.
    public func colorMatrix(
      for light: Light, shownUnder shown: StandardIlluminant? = nil, glare: LinearRGB? = nil
    ) -> Matrix3x3? {
      colorMatrix(for: light, shownUnder: shown, glare: glare, by: sensitivityEstimate)
    }

    /// The same by sensitivities that were computed before.
    package func colorMatrix(
      for light: Light, shownUnder shown: StandardIlluminant? = nil, glare: LinearRGB? = nil,
      by camera: @autoclosure () -> SensitivityEstimate?
    ) -> Matrix3x3? {
      colors(for: light, shownUnder: shown, of: camera()) { camera, spectrum, shown in
        camera.colorMatrix(under: spectrum, shownUnder: shown, glare: glare)
          .map { RootPolynomial(matrix: $0) }
      }?.matrix
    }

    /// The root polynomial for a light, from and to the same as
    /// `colorMatrix(for:shownUnder:glare:)`; for a DNG file that matrix.
    public func rootPolynomial(
      for light: Light, shownUnder shown: StandardIlluminant? = nil, glare: LinearRGB? = nil
    ) -> RootPolynomial? {
      colors(for: light, shownUnder: shown, of: sensitivityEstimate) { camera, spectrum, shown in
        camera.rootPolynomial(under: spectrum, shownUnder: shown, glare: glare)
      }
    }

    private func colors(
      for light: Light, shownUnder shown: StandardIlluminant?,
      of camera: @autoclosure () -> SensitivityEstimate?,
      by spectra: (
        SensitivityEstimate, SpectralDistribution, SpectralDistribution?
      ) -> RootPolynomial?
    ) -> RootPolynomial? {
      let white = XYZ(shown?.chromaticity ?? light.chromaticity)
      switch self {
      case .calibrated:
        guard let spectrum = light.spectrum, let camera = camera(),
          let colors = spectra(camera, spectrum, shown?.spectrum)
        else { return nil }
        // The published white differs in the fourth digit from that of the spectrum at 5 nm.
        let scale = white.vector / colors(LinearRGB(SIMD3(1, 1, 1)))
        return Matrix3x3(diagonal: scale) * colors
      case .interpolated(let model):
        guard let matrix = model.cameraMatrix(for: light.chromaticity),
          let inverse = matrix.inverse,
          let adaptation = ChromaticAdaptation(from: XYZ(light.chromaticity), to: white)
        else { return nil }
        let response = matrix * XYZ(light.chromaticity).vector
        return RootPolynomial(
          matrix: adaptation.matrix * inverse * Matrix3x3(diagonal: response))
      case .curve(_, let details):
        guard let temperature = CorrelatedColorTemperature(light.chromaticity),
          let matrix = details.colorMatrix(kelvin: temperature.kelvin),
          let adaptation = ChromaticAdaptation(from: XYZ(RGBColorSpace.sRGB.white), to: white)
        else { return nil }
        return RootPolynomial(
          matrix: adaptation.matrix * RGBColorSpace.sRGB.toXYZ * matrix)
      }
    }

    /// The inverse of the color matrix, before the gains.
    private func spectralMatrix(for light: Light) -> Matrix3x3? {
      guard let matrix = colorMatrix(for: light), let gains = gains(for: light) else { return nil }
      return (matrix * Matrix3x3(diagonal: gains.vector)).inverse
    }

    /// The light of the camera's shots that a light is; `nil` where it was not shot.
    public func shotLight(_ light: Light, lightClass: LightClass? = nil) -> Calibration.ShotLight? {
      guard case .calibrated(let calibration) = self else { return nil }
      return calibration.shotLight(light, lightClass: lightClass)
    }

    /// The gains that make a light neutral, the smallest 1: those of `lampGains(for:lightClass:)`,
    /// or else of its chromaticity and class; `nil` where no positive gains do.
    public func gains(for light: Light, lightClass: LightClass? = nil) -> Gains? {
      lampGains(for: light, lightClass: lightClass)?.gains.normalized()
        ?? gains(for: light.chromaticity, lightClass: lightClass ?? light.impliedClass)
    }

    /// The gains of a lamp that is known by more than its chromaticity, and how far they may be
    /// off: those of its own shots, or else of its spectrum; `nil` where it was not shot, and its
    /// spectrum is not known or the camera was not calibrated under lights of known spectrum.
    public func lampGains(
      for light: Light, lightClass: LightClass? = nil
    ) -> SensitivityEstimate.PredictedGains? {
      lampGains(for: light, lightClass: lightClass, by: sensitivityEstimate)
    }

    /// The same by sensitivities that were computed before.
    package func lampGains(
      for light: Light, lightClass: LightClass?, by camera: @autoclosure () -> SensitivityEstimate?
    ) -> SensitivityEstimate.PredictedGains? {
      if let shot = shotLight(light, lightClass: lightClass) {
        return SensitivityEstimate.PredictedGains(gains: shot.gains, covariance: shot.covariance)
      }
      return light.spectrum.flatMap { camera()?.gains(under: $0) }
    }

    /// The camera's sensitivities; `nil` unless it was calibrated under lights of known spectrum.
    package var sensitivityEstimate: SensitivityEstimate? {
      guard case .calibrated(let calibration) = self else { return nil }
      return calibration.sensitivityEstimate()
    }

    /// The light that gains make neutral, `nil` where there is none; with standard errors where the
    /// camera was calibrated. A curve tells a temperature within its width, and knows no tint;
    /// `objection(to:)` says why it tells none.
    ///
    /// - Throws: `AmbiguousGains` where there are several.
    public func reading(
      of gains: Gains, lightClass: LightClass? = nil
    ) throws(AmbiguousGains) -> LightReading? {
      switch self {
      case .calibrated(let calibration):
        return calibration.reading(of: gains, lightClass: lightClass)
      case .interpolated(let model):
        return try model.chromaticity(for: gains).map { LightReading($0) }
      case .curve(let model, let details):
        return (try? model.temperature(of: gains, within: details.width))
          .map { LightReading(kelvin: $0) }
      }
    }

    /// Why no light is told for gains, where a reason is known.
    public func objection(to gains: Gains) -> OffCurve? {
      guard case .curve(let model, let details) = self else { return nil }
      do throws(OffCurve) { _ = try model.temperature(of: gains, within: details.width) } catch {
        return error
      }
      return nil
    }
  }
}

extension CameraProfile.Model: CameraModel {
  /// The response to a neutral surface under a light, green 1; `nil` if a channel is not positive.
  public func response(to light: Chromaticity, lightClass: LightClass?) -> LinearRGB? {
    parameters.response(to: light, lightClass: lightClass)
  }

  /// Every light that gains make neutral; none for gains that are not positive and finite.
  public func lights(for gains: Gains, lightClass: LightClass?) -> [Chromaticity] {
    parameters.lights(for: gains, lightClass: lightClass)
  }

  /// How the gains change with the light; `nil` where `response(to:lightClass:)` is.
  public func logGainSlopes(at light: Chromaticity, lightClass: LightClass?) -> LogGainSlopes? {
    parameters.logGainSlopes(at: light, lightClass: lightClass)
  }
}
