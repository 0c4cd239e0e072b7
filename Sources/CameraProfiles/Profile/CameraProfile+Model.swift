public import ColorScience
public import WhiteBalance

extension CameraProfile {
  /// A camera's color model, with its source.
  public indirect enum Model: Hashable, Sendable {
    /// Gray-card shots, and a model fitted to them.
    case calibrated(Calibration)
    /// The matrices of a DNG file or camera profile.
    case interpolated(InterpolatedCameraModel)
    /// The curve of a libcamera tuning, its width and its color matrices.
    case curve(CurveCameraModel, CurveDetails = CurveDetails())

    /// The camera model that converts between lights and gains.
    public var parameters: any CameraModel & Codable {
      switch self {
      case .calibrated(let calibration): calibration.model
      case .interpolated(let model): model
      case .curve(let model, _): model
      }
    }

    /// A short description of the model's source.
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
          + "\(shortNumber(model.range.upperBound)) K, without tint"
      }
    }

    /// The matrix from XYZ to the camera's response under a light, up to a scale. `nil` if the
    /// light has no color temperature at which a matrix could be interpolated, and for a curve,
    /// which describes only grays; a tuning's colors are given by
    /// `colorMatrix(for:shownUnder:glare:)`.
    ///
    /// For a camera that was calibrated under lights of known spectrum, and for such a light, the
    /// matrix is valid for surfaces (`SensitivityEstimate.colorMatrix(under:shownUnder:glare:)`);
    /// otherwise for lights alone.
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
    /// to XYZ under that light, in which white has Y = 1, so its rows add up to the white. `nil` if
    /// the model describes only grays, or if the camera has no positive response to the light.
    ///
    /// - Parameters:
    ///   - light: The light on the scene.
    ///   - shown: The light under which the surfaces are to be shown, if it is another one; XYZ and
    ///     the white are then those under it. The matrices of a DNG file, which describe no
    ///     surfaces, are adapted to it (Bradford); those of a tuning, which lead to sRGB, are
    ///     adapted from D65.
    ///   - glare: The glare that `SensitivityEstimate.colorMatrix(under:shownUnder:glare:)` takes.
    public func colorMatrix(
      for light: Light, shownUnder shown: StandardIlluminant? = nil, glare: LinearRGB? = nil
    ) -> Matrix3x3? {
      colors(for: light, shownUnder: shown) { camera, spectrum, shown in
        camera.colorMatrix(under: spectrum, shownUnder: shown, glare: glare)
          .map { RootPolynomial(matrix: $0) }
      }?.matrix
    }

    /// The root polynomial for a light, with the input and output of
    /// `colorMatrix(for:shownUnder:glare:)`; for a DNG file it is that matrix.
    public func rootPolynomial(
      for light: Light, shownUnder shown: StandardIlluminant? = nil, glare: LinearRGB? = nil
    ) -> RootPolynomial? {
      colors(for: light, shownUnder: shown) { camera, spectrum, shown in
        camera.rootPolynomial(under: spectrum, shownUnder: shown, glare: glare)
      }
    }

    private func colors(
      for light: Light, shownUnder shown: StandardIlluminant?,
      by spectra: (
        SensitivityEstimate, SpectralDistribution, SpectralDistribution?
      ) -> RootPolynomial?
    ) -> RootPolynomial? {
      let white = XYZ(shown?.chromaticity ?? light.chromaticity)
      switch self {
      case .calibrated:
        guard let spectrum = light.spectrum, let camera = sensitivityEstimate,
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

    /// The light of the camera's shots that matches a light; `nil` if there is no such shot.
    public func shotLight(_ light: Light, lightClass: LightClass? = nil) -> Calibration.ShotLight? {
      guard case .calibrated(let calibration) = self else { return nil }
      return calibration.shotLight(light, lightClass: lightClass)
    }

    /// The gains that make a light neutral, the smallest 1: those of `lampGains(for:lightClass:)`,
    /// or else those of its chromaticity and class; `nil` if no positive gains do.
    public func gains(for light: Light, lightClass: LightClass? = nil) -> Gains? {
      lampGains(for: light, lightClass: lightClass)?.gains.normalized(to: .smallest)
        ?? gains(for: light.chromaticity, lightClass: lightClass ?? light.impliedClass)
    }

    /// The gains of a lamp that is known by more than its chromaticity, with their covariance:
    /// those of its own shots, or else those of its spectrum. `nil` if there is no shot of it, and
    /// its spectrum is unknown or the camera was not calibrated under lights of known spectrum.
    public func lampGains(
      for light: Light, lightClass: LightClass? = nil
    ) -> SensitivityEstimate.PredictedGains? {
      if let shot = shotLight(light, lightClass: lightClass) {
        return SensitivityEstimate.PredictedGains(gains: shot.gains, covariance: shot.covariance)
      }
      return light.spectrum.flatMap { sensitivityEstimate?.gains(under: $0) }
    }

    /// The camera's sensitivities; `nil` unless it was calibrated under lights of known spectrum.
    package var sensitivityEstimate: SensitivityEstimate? {
      guard case .calibrated(let calibration) = self else { return nil }
      return calibration.sensitivityEstimate
    }

    /// The light that gains make neutral; `nil` if there is none. A calibrated camera gives
    /// standard errors. A curve gives a temperature for gains within its width, without a tint;
    /// `objection(to:)` gives the reason for no temperature.
    ///
    /// - Throws: `AmbiguousGains` if several lights fit.
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

    /// The reason why gains give no light, if it is known.
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

  /// All lights that gains make neutral; none for gains that are not positive and finite.
  public func lights(for gains: Gains, lightClass: LightClass?) -> [Chromaticity] {
    parameters.lights(for: gains, lightClass: lightClass)
  }

  /// The change of the gains with the light; `nil` if `response(to:lightClass:)` is.
  public func logGainSlopes(at light: Chromaticity, lightClass: LightClass?) -> LogGainSlopes? {
    parameters.logGainSlopes(at: light, lightClass: lightClass)
  }
}
