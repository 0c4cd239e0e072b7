import ColorScience
import Foundation
import SimulatedScenes
import WhiteBalance

/// The subjects of the shots, each under a lamp that is named here.
struct SpectralShots {
  var cards: [String] = []
  var charts: [String] = []
  /// Of charts: noise of each channel of each patch, and that of the light on each patch.
  var noise = ChartNoise(independent: 0, common: 0)
  /// Of charts: the light that lies on every patch, 0.2 % of white's and different in the channels
  /// by 0.05 %, times this.
  var glare = 0.0
  /// Of gray cards: noise of the logarithms of ratios.
  var cardNoise = 0.0

  /// The title of a row.
  var title: String {
    (charts.isEmpty ? [] : ["chart \(charts.joined(separator: ", "))"]).joined()
      + (glare == 0 ? "" : " with glare") + (charts.isEmpty || cards.isEmpty ? "" : " + ")
      + (cards.isEmpty ? "" : "gray \(cards.joined(separator: ", "))")
  }

  /// These shots with noise of 0.3 % everywhere.
  var withNoise: SpectralShots {
    var shots = self
    shots.noise = ChartNoise(independent: CalibrationShot.defaultNoise, common: 0)
    shots.cardNoise = CalibrationShot.defaultNoise
    return shots
  }

  /// These shots with veiling glare on all patches.
  var withGlare: SpectralShots {
    var shots = self
    shots.glare = 1
    return shots
  }

  static let evaluated = [
    SpectralShots(cards: ["A", "D65"]), SpectralShots(cards: ["A", "D65", "FL2", "FL11"]),
    SpectralShots(charts: ["D65"]), SpectralShots(charts: ["A"]),
    SpectralShots(charts: ["A", "D65"]),
    SpectralShots(cards: ["A", "FL11", "LED-B3"], charts: ["D65"]),
  ]
  static let chartOnly = evaluated[2]
  /// As a chart is photographed by hand.
  static let uneven = SpectralShots(
    charts: ["D65"], noise: ChartNoise(independent: 0.01, common: 0.03))
  /// Those whose stated intervals are judged.
  static let noisy = evaluated.map(\.withNoise) + [chartOnly.withNoise.withGlare, uneven]
  /// The number of times each camera takes them, with different noise each time: with three, chance
  /// moves the share of intervals that hold by more than a percentage point.
  static let draws = 20
}

/// For every public camera, the prior of sensitivities from all the others.
let leaveOneOutSensitivities: [SensitivityPrior] = publicChannels.indices.map { camera in
  var others = publicChannels
  others.remove(at: camera)
  guard let prior = SensitivityPrior(channels: others) else {
    preconditionFailure("\(MeasuredSensor.all[camera].name) cannot be left out")
  }
  return prior
}

/// Returns the responses of a sensor to a chart under a light, with noise.
func chartResponses(
  _ sensor: MeasuredSensor, _ light: SpectralDistribution, noise: ChartNoise, glare: Double = 0,
  chart: ColorChart = .classicFrom2014, _ random: inout SplitMix64
) -> [LinearRGB] {
  let colors = SIMD3(random.normal(), random.normal(), random.normal())
  let shine = glare * (0.002 + 0.0005 * colors) * sensor.response(to: light).vector
  return sensor.responses(to: chart, under: light).map { exact in
    let exact = LinearRGB(exact.vector + shine)
    let level = noise.common * random.normal()
    let own = SIMD3(random.normal(), random.normal(), random.normal()) * noise.independent
    return LinearRGB(
      red: exact.red * exp(level + own.x), green: exact.green * exp(level + own.y),
      blue: exact.blue * exp(level + own.z))
  }
}

/// The estimate of a public camera from shots, the camera left out of the prior.
func estimate(
  camera: Int, _ shots: SpectralShots, _ random: inout SplitMix64
) throws -> SensitivityEstimate {
  let sensor = MeasuredSensor.all[camera]
  func lamp(_ name: String) throws -> Light {
    guard let lamp = publicLamps.first(where: { $0.name == name }) else {
      preconditionFailure("no lamp \(name)")
    }
    return try Light(name: name, spectrum: lamp.spectrum)
  }
  var charts: [ChartShot] = []
  for name in shots.charts {
    let light = try lamp(name)
    charts.append(
      try ChartShot(
        light: light,
        responses: chartResponses(
          sensor, light.spectrum!, noise: shots.noise, glare: shots.glare, &random)))
  }
  var cards: [CalibrationShot] = []
  for name in shots.cards {
    let light = try lamp(name)
    let exact = sensor.response(to: light.spectrum!)
    cards.append(
      try CalibrationShot(
        light: light,
        response: LinearRGB(
          red: exact.red * exp(shots.cardNoise * random.normal()), green: exact.green,
          blue: exact.blue * exp(shots.cardNoise * random.normal()))))
  }
  return try SensitivityEstimate(
    cards: cards, charts: charts, prior: leaveOneOutSensitivities[camera])
}

/// The predictions of estimates for every public camera under lamps given by their spectra, except
/// those of the shots.
func spectralPredictions(
  _ shots: SpectralShots, seeds: Int = 1, lamps: [MeasuredLamp] = publicLamps
) throws -> [Prediction] {
  var random = SplitMix64(state: 12)
  let tested = lamps.filter { !(shots.cards + shots.charts).contains($0.name) }
  return try MeasuredSensor.all.indices.flatMap { camera in
    let truth = tested.map { MeasuredSensor.all[camera].response(to: $0.spectrum) }
    return try (0..<seeds).flatMap { _ in
      let found = try estimate(camera: camera, shots, &random)
      return zip(tested, truth).map { lamp, response in
        guard let predicted = found.gains(under: lamp.spectrum) else {
          return Prediction(
            lamp: lamp, red: .infinity, blue: .infinity, redStated: 0, blueStated: 0)
        }
        let (red, blue) = predicted.covariance.standardErrors
        return Prediction(
          lamp: lamp, lightClass: lamp.lightClass,
          red: log(predicted.gains.red * response.red / response.green),
          blue: log(predicted.gains.blue * response.blue / response.green),
          redStated: red, blueStated: blue)
      }
    }
  }
}

/// The lights under which color matrices are judged: a metal-halide lamp and an RGB LED last.
let matrixLights = ["D65", "A", "FL11", "LED-B3", "MHC100/U/MP/4K", "LED-RGB1"]

/// The reflectances of the 99 samples of CIE 224:2017, at 380, 385 … 780 nm.
func readSamples() throws -> [[Double]] {
  let url = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../Reflectances/cie-224.csv")
  let rows = try String(contentsOf: url, encoding: .utf8).split(whereSeparator: \.isNewline)
    .map { line in line.split(separator: ",").compactMap { Double($0) } }
  precondition(rows.count == 81 && rows.allSatisfy { $0.count == 100 }, "81 rows of 99 samples")
  return (1...99).map { sample in rows.map { $0[sample] } }
}

/// Mean color differences on the samples of CIE 224, which no matrix is fitted to.
struct MatrixComparison {
  var light: String
  /// With the matrix of an estimate, and as that expects for typical surfaces.
  var estimated, expected: Double
  /// With the matrix that the camera's true sensitivities give.
  var best: Double
  /// With the estimate's matrix for D65, adapted by its white.
  var forDaylight: Double
  /// With the estimate's root polynomial, and as that expects.
  var rootPolynomial, expectedOfRoots: Double
  /// Of the surfaces as they are under D65: with the matrix adapted to it, with the matrix and with
  /// the root polynomial that show them there.
  var adapted, shown, shownByRoots: Double
}

func matrixComparisons(_ shots: SpectralShots) throws -> [MatrixComparison] {
  var random = SplitMix64(state: 13)
  let samples = try readSamples()
  let daylight = StandardIlluminant.d65.spectrum
  return try MeasuredSensor.all.indices.flatMap { camera in
    let truth = MeasuredSensor.all[camera].sensitivities
    let found = try estimate(camera: camera, shots, &random)
    return try matrixLights.map { name in
      guard let light = publicLamps.first(where: { $0.name == name })?.spectrum,
        let surfaces = LitSurfaces(samples, under: light),
        let chart = LitSurfaces.chart(under: light),
        let matrix = found.colorMatrix(under: light),
        let daylightMatrix = found.colorMatrix(under: daylight),
        let adaptation = ChromaticAdaptation(
          from: Chromaticity(daylight.xyz), to: Chromaticity(light.xyz)),
        let best = chart.matrix(for: truth),
        let expected = found.expectedDifference(of: RootPolynomial(matrix: matrix), under: light),
        let roots = found.rootPolynomial(under: light),
        let expectedOfRoots = found.expectedDifference(of: roots, under: light),
        let inDaylight = LitSurfaces(samples, under: light, shownUnder: daylight),
        let toDaylight = ChromaticAdaptation(
          from: Chromaticity(light.xyz), to: Chromaticity(daylight.xyz)),
        let shown = found.colorMatrix(under: light, shownUnder: daylight),
        let shownByRoots = found.rootPolynomial(under: light, shownUnder: daylight)
      else { throw CalibrationError.invisibleLight(name) }
      func mean(_ colors: RootPolynomial, _ surfaces: LitSurfaces) -> Double {
        let differences = surfaces.differences(of: colors, for: truth) ?? []
        return differences.reduce(0, +) / Double(differences.count)
      }
      func mean(_ matrix: Matrix3x3, _ surfaces: LitSurfaces) -> Double {
        mean(RootPolynomial(matrix: matrix), surfaces)
      }
      return MatrixComparison(
        light: name, estimated: mean(matrix, surfaces), expected: expected.mean,
        best: mean(best, surfaces),
        forDaylight: mean(adaptation.matrix * daylightMatrix, surfaces),
        rootPolynomial: mean(roots, surfaces), expectedOfRoots: expectedOfRoots.mean,
        adapted: mean(toDaylight.matrix * matrix, inDaylight), shown: mean(shown, inDaylight),
        shownByRoots: mean(shownByRoots, inDaylight))
    }
  }
}

/// Prints the errors of estimates of sensitivities, by shots and by groups of lamps.
func printSpectralEvaluation() throws {
  print(
    """

    ## Lights by their spectra

    The same cameras and lamps, with the spectrum of each lamp given: `SensitivityEstimate` from gray cards and charts
    (ColorChecker Classic, from November 2014). Error as above, shots without noise.

    """)
  printHead(["shots"] + evaluatedGroups.map(\.title))
  for shots in SpectralShots.evaluated {
    printSpectralRow(shots.title, try spectralPredictions(shots))
  }
  printSpectralRow(
    "chart D65, 0.3 % noise", try spectralPredictions(SpectralShots.chartOnly.withNoise))
  printSpectralRow(
    "chart D65, 1 % noise, light uneven by 3 %", try spectralPredictions(.uneven))
  printSpectralRow(
    "chart D65, 0.3 % noise, glare",
    try spectralPredictions(SpectralShots.chartOnly.withNoise.withGlare))
  print(
    """

    How often the stated 95 % interval holds, in percent, and in parentheses the median standard error in percent. The
    shots of each camera were repeated 20 times with a noise of 0.3 %; those of the last row with 1 %, and light uneven
    by 3 %.

    """)
  printHead(["shots"] + LightClass.allCases.map(\.rawValue))
  for shots in SpectralShots.noisy {
    let found = try spectralPredictions(shots, seeds: SpectralShots.draws)
    printRow(
      [shots.title]
        + LightClass.allCases.map { lightClass in
          let found = found.filter { $0.lightClass == lightClass }
          let width = percentile(found.flatMap { [$0.redStated, $0.blueStated] }, 0.5)
          return "\(fixed(100 * coverage(found), decimals: 1)) (\(fixed(100 * width, decimals: 1)))"
        })
  }
  print(
    """

    ## Color matrices from one chart under D65

    Mean CIEDE2000 over the 99 samples of CIE 224:2017 and the cameras, noise 0.3 %: with the estimate's matrix for the
    light, with the matrix that the camera's true sensitivities give, and with the matrix for D65, adapted by Bradford's
    transform; with the estimate's root polynomial (G. D. Finlayson, M. Mackiewicz and A. Hurlbert, 2015). Then the
    median ratio of actual to expected differences, of the matrix and of the root polynomial. Then the differences to the
    surfaces as they are under D65: with the matrix, adapted by Bradford's transform, with the matrix that shows them
    there, and with such a root polynomial.

    """)
  printHead([
    "light", "estimated", "true sensitivities", "matrix for D65", "root polynomial",
    "actual / expected", "of roots", "adapted to D65", "shown under D65", "by roots",
  ])
  let found = try matrixComparisons(SpectralShots.chartOnly.withNoise)
  func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(values.count) }
  for light in matrixLights + ["all"] {
    let found = found.filter { light == "all" || $0.light == light }
    printRow(
      [
        light, fixed(mean(found.map(\.estimated)), decimals: 2),
        fixed(mean(found.map(\.best)), decimals: 2),
        fixed(mean(found.map(\.forDaylight)), decimals: 2),
        fixed(mean(found.map(\.rootPolynomial)), decimals: 2),
        fixed(percentile(found.map { $0.estimated / $0.expected }, 0.5), decimals: 2),
        fixed(percentile(found.map { $0.rootPolynomial / $0.expectedOfRoots }, 0.5), decimals: 2),
        fixed(mean(found.map(\.adapted)), decimals: 2),
        fixed(mean(found.map(\.shown)), decimals: 2),
        fixed(mean(found.map(\.shownByRoots)), decimals: 2),
      ])
  }

  try printWrongCharts()
}

private func printSpectralRow(_ title: String, _ found: [Prediction]) {
  printRow(
    [title]
      + evaluatedGroups.map { group in
        let percent = found.filter { group.contains($0.lamp) }.map(\.percent)
        return [0.5, 0.95, 1].map { fixed(percentile(percent, $0), decimals: 2) }
          .joined(separator: " / ")
      })
}
