import CalibrationTargets
import CameraProfiles
import ColorScience
import WbcalArguments
import WbcalFoundation
import WbcalImageFiles
import WbcalReports
import WhiteBalance

extension Verify {
  /// The largest accepted mean CIEDE2000 of a chart: about that of a good matrix.
  static let chartLimit = 3.0

  /// Compares the chart in each file with its colors; returns the exit code of the first that
  /// fails.
  func compareCharts() throws -> ExitCode? {
    let chart = try sheet.colorChart()
    let camera = try profile.map { path in
      try LitCamera(of: try ProfileSource(argument: path), light: light ?? "", gains: gains)
    }
    if let output { try refuse(output: output, over: file + [profile].compactMap(\.self)) }
    return try judgeEach(Uncompared.init) { path in
      let (comparison, glare) = try comparison(of: path, with: chart, camera)
      if let output {
        let drawing = PatchDrawing(comparison, title: path, columns: chart.columns)
        try replaceFile(output, with: Array(drawing.svg.utf8))
      }
      return try answer(comparison, glare: glare, of: path)
    }
  }

  /// A conversion from a camera's linear values to XYZ under a light.
  private struct LitCamera {
    let profile: CameraProfile
    let gains: Gains
    let colors: RootPolynomial
    let light: SpectralDistribution

    init(of source: ProfileSource, light name: String, gains: Gains?) throws {
      let colors = try ProfileColors(of: source, light: name)
      guard let spectrum = colors.light.spectrum else {
        throw Failure.badData(
          "a chart's colors under \(colors.light.name) require its spectrum; name a standard "
            + "illuminant, a temperature such as 2856K or D5600K, or spd:FILE.csv")
      }
      profile = colors.profile
      self.gains = try gains ?? colors.requiredGains()
      self.colors = colors.polynomial
      light = spectrum
    }

    /// Returns the chart of the edition that fits the responses better.
    func likelierEdition(_ responses: [LinearRGB?]) -> ColorChart? {
      guard let light = try? Light(name: "its light", spectrum: light),
        let shot = try? ChartShot(light: light, responses: responses)
      else { return nil }
      return Calibrate.ofLikelierEdition([shot]).shots.first?.chart
    }

    /// Subtracts glare, the light that is the same on all patches of a chart: it is not an error of
    /// the camera's colors.
    ///
    /// - Returns: the responses, and the glare as a share of white in the channel in which it is
    ///   largest; `nil` if there is none.
    func withoutGlare(
      _ responses: [LinearRGB?], of chart: ColorChart
    ) -> ([LinearRGB?], glare: Double?) {
      guard let light = try? Light(name: "its light", spectrum: light),
        let shot = try? ChartShot(light: light, responses: responses, chart: chart),
        let seen = try? SensitivityEstimate(charts: (profile.calibration?.charts ?? []) + [shot]),
        let glare = seen.glare(of: shot)
      else { return (responses, nil) }
      let share = glare.share.vector
      let largest = max(share.max(), -share.min())
      // Less glare cannot be distinguished from the chart's own differences from its table.
      guard largest > 0.001 else { return (responses, nil) }
      let left = responses.map { response in
        response.flatMap { response in
          let left = response.vector - glare.level.vector
          return left.min() > 0 ? LinearRGB(left) : nil
        }
      }
      return (left, largest)
    }

    func color(_ response: LinearRGB) -> LinearRGB {
      LinearRGB(colors(LinearRGB(response.vector * gains.vector)))
    }
  }

  private func comparison(
    of path: String, with chart: ColorChart, _ camera: LitCamera?
  ) throws -> (ChartComparison, glare: Double?) {
    let reading: ChartReading
    var developed: Matrix3x3?
    if ChartSheetOptions.isTable(path) {
      guard camera != nil else {
        throw Failure.usage(
          "\(path): the values of a table are a camera's; name its --profile and the --light")
      }
      reading = try ChartSheetOptions.reading(table: path)
    } else {
      let (picture, origin) = try picture.pictureAndOrigin(path: path, saysCurve: false)
      if let camera {
        if let difference = camera.profile.difference(from: origin) {
          throw Failure.differs(path, from: "the profile", difference)
        }
      } else {
        developed = try matrix(of: picture, origin, path: path)
      }
      reading = try sheet.reading(
        of: picture.frame, path: path, isCurveAssumed: self.picture.isCurveAssumed(of: picture),
        isDeveloped: developed != nil
      ).0
    }
    var responses = reading.responses(remarkingOn: path)
    var glare: Double?
    var chart = chart
    if let camera {
      if sheet.isEditionOpen { chart = camera.likelierEdition(responses) ?? chart }
      (responses, glare) = camera.withoutGlare(responses, of: chart)
    }
    let applied = developed.map {
      $0 * Matrix3x3(diagonal: (gains ?? Gains(red: 1, blue: 1)).vector)
    }
    guard
      let comparison = ChartComparison(
        of: camera.map { camera in responses.map { $0.map(camera.color) } } ?? responses,
        with: chart, matrix: applied ?? Matrix3x3(diagonal: SIMD3(1, 1, 1)),
        under: camera?.light ?? StandardIlluminant.d50.spectrum)
    else {
      throw Failure.badData(
        "\(path): fewer than \(ChartShot.fewestPatches) patches of the chart can be compared")
    }
    return (comparison, glare)
  }

  /// Returns the matrix from a developed picture's linear values to XYZ under D50.
  private func matrix(
    of picture: Picture, _ origin: PictureOrigin, path: String
  ) throws -> Matrix3x3 {
    if case .raw = origin.encoding {
      throw Failure.usage(
        "\(path) has the camera's own colors; name its --profile and the --light on the chart")
    }
    if let profile = picture.iccProfile {
      try LittleCMS.require()
      if let matrix = LittleCMS.matrix(ofICCProfile: profile) { return matrix }
      throw Failure.badData(
        "\(path): its ICC profile has no matrix for its colors; save it as sRGB")
    }
    let space = picture.colors.space
    guard
      let adaptation = ChromaticAdaptation(
        from: XYZ(space.white), to: XYZ(StandardIlluminant.d50.chromaticity))
    else { throw Failure.badData("\(path) cannot be adapted to D50") }
    return adaptation.matrix * space.toXYZ
  }

  /// Prints a comparison; returns `true` if it passes.
  private func answer(
    _ comparison: ChartComparison, glare: Double?, of path: String
  ) throws -> Bool {
    let limit = limit ?? Self.chartLimit
    let passes = comparison.mean <= limit
    if json {
      try printJSON(ChartRecord(comparison, glare: glare, file: path, limit: limit))
    } else {
      func text(_ lab: LabColor) -> [String] {
        [lab.l, lab.a, lab.b].map { fixed($0, decimals: 1) }
      }
      let rows = comparison.patches.map { patch in
        ["  " + patch.name, fixed(patch.difference, decimals: 2)] + text(patch.expected)
          + text(patch.shown)
      }
      try StandardOutput.line(
        columns([["  patch", "CIEDE2000", "L*", "a*", "b*", "shown L*", "a*", "b*"]] + rows))
      try StandardOutput.line(
        "\(shown(path)): CIEDE2000 of \(comparison.patches.count) patches: mean "
          + "\(fixed(comparison.mean, decimals: 2)), 95 % below \(fixed(comparison.p95, decimals: 2)), "
          + "largest \(fixed(comparison.worst.difference, decimals: 2)) (\(comparison.worst.name)); "
          + (passes ? "within" : "above") + " the limit of \(shortNumber(limit))"
          + (glare.map {
            ", without the glare of \(fixed(100 * $0, decimals: 1)) % of white on all patches"
          } ?? ""))
    }
    if !passes {
      complain(
        "\(shown(path)): the chart's colors are off by \(shortNumber(comparison.mean)) on average")
    }
    return passes
  }

  private struct Uncompared: JSONRecord {
    var file: String
    var passes = false

    init(file: String) { self.file = file }
  }

  private struct ChartRecord: JSONRecord {
    var file: String
    var passes: Bool
    /// The CIEDE2000 over the patches.
    var mean, p95: Double
    var worst: String
    var limit: Double
    /// The light on all patches, a shine or scattered light, that was subtracted: its share of
    /// white in the channel with the largest share.
    var glare: Double?
    var patches: [Patch]

    struct Patch: JSONRecord {
      var name: String
      /// L*, a*, b* relative to the light's own white.
      var expected, shown: [Double]
      var ciede2000: Double
    }

    init(_ comparison: ChartComparison, glare: Double?, file: String, limit: Double) {
      (self.file, self.glare) = (file, glare)
      (mean, p95, worst) = (comparison.mean, comparison.p95, comparison.worst.name)
      self.limit = limit
      passes = comparison.mean <= limit
      patches = comparison.patches.map {
        Patch(
          name: $0.name, expected: [$0.expected.l, $0.expected.a, $0.expected.b],
          shown: [$0.shown.l, $0.shown.a, $0.shown.b], ciede2000: $0.difference)
      }
    }
  }
}
