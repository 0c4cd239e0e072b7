import ColorScience
import SimulatedScenes
import WhiteBalance
import WhiteBalanceTestSupport

/// An estimate under test of a camera's color under a light of known spectrum, from shots of gray
/// cards and charts.
struct CameraEstimation: Sendable {
  /// The estimate of a camera's color under a light.
  struct Answer: Hashable, Sendable {
    /// The gains that make the camera neutral.
    var gains: Gains
    /// The standard errors of the logarithms of the red and blue gains, with green 1.
    var redError, blueError: Double
    /// The matrix from white-balanced camera RGB to XYZ, with white Y = 1.
    var matrix: Matrix3x3
  }

  /// Returns the answer for a light from shots; `nil` if there is none.
  var answer:
    @Sendable (_ cards: [CalibrationShot], _ charts: [ChartShot], SpectralDistribution) -> Answer?
  /// The claimed bound of the relative error of gains and matrix due to rounding.
  var tolerance: Double
  /// The share by which a standard error may grow with a further shot, because derivatives are then
  /// taken at another point.
  var widening: Double

  /// Creates a subject from the function of an estimate and its claims.
  init(
    tolerance: Double = 1e-6, widening: Double = 0.05,
    answer: @escaping @Sendable ([CalibrationShot], [ChartShot], SpectralDistribution) -> Answer?
  ) {
    self.answer = answer
    self.tolerance = tolerance
    self.widening = widening
  }

  /// The estimate of this package.
  static let sensitivities = CameraEstimation { cards, charts, light in
    guard let estimate = try? SensitivityEstimate(cards: cards, charts: charts),
      let found = estimate.gains(under: light), let matrix = estimate.colorMatrix(under: light)
    else { return nil }
    let errors = found.covariance.standardErrors
    return Answer(
      gains: found.gains, redError: errors.red, blueError: errors.blue, matrix: matrix)
  }
}

extension Law<CameraEstimation> {
  /// All laws of such estimates.
  static let all = [
    rowsSumToTheWhite, commonScalesCancel, moreShotsNeverWiden, aSpectrumAndItsNameAgree,
  ]

  /// Balanced white becomes the white of the light.
  static let rowsSumToTheWhite = Law(
    "rows sum to the white", "the matrix converts (1, 1, 1) to the light's white, with Y = 1",
    for: { _ in Scene.all }
  ) { subject, scene in
    guard let answer = scene.answer(by: subject) else { return "no answer" }
    let light = scene.asked.xyz
    let white = light.vector / light.y
    let change = answer.matrix * SIMD3(1, 1, 1) / white - 1
    return excess(pointwiseMax(change, -change).max(), " (relative)", over: subject.tolerance).map {
      "\(answer.matrix): \($0)"
    }
  }

  /// The exposure of a shot does not affect the answer.
  static let commonScalesCancel = Law(
    "common scales cancel", "a shot with any multiple of the exposure gives the same answer",
    for: { _ in zip(Scene.all, .number(in: 0.01...100, simplest: 2)) }
  ) { subject, input in
    let (scene, scale) = input
    guard let answer = scene.answer(by: subject),
      let other = scene.answer(by: subject, exposure: scale)
    else { return "no answer" }
    let gains = other.gains.vector / answer.gains.vector - 1
    let rows = zip(other.matrix.elements, answer.matrix.elements).map { abs($0 - $1) }
    let change = max(pointwiseMax(gains, -gains).max(), rows.max() ?? .nan)
    return excess(change, "", over: subject.tolerance).map {
      "\(exactly(answer)), and \(exactly(other)) for \(scale) times the response: \($0)"
    }
  }

  /// A further shot does not increase the uncertainty.
  static let moreShotsNeverWiden = Law(
    "more shots never widen an interval",
    "a further shot that agrees increases no standard error",
    for: { _ in Scene.all }
  ) { subject, scene in
    guard let few = scene.answer(by: subject, withoutLast: true),
      let more = scene.answer(by: subject)
    else { return "no answer" }
    let growth = max(more.redError / few.redError, more.blueError / few.blueError) - 1
    return excess(max(growth, 0), " (relative)", over: subject.widening).map {
      "\(exactly(few)), and with one more shot \(exactly(more)): \($0)"
    }
  }
}

extension Law<CameraEstimation> {
  /// The name of a light does not affect the answer if its spectrum is known.
  static let aSpectrumAndItsNameAgree = Law(
    "a spectrum and its name agree",
    "shots under standard illuminants give the same answer as shots under the same spectra unnamed",
    for: { _ in
      zip(Scene.all, .integer(in: 0...StandardIlluminant.all.count - 3, simplest: 0))
    }
  ) { subject, input in
    let (scene, first) = input
    let named = StandardIlluminant.all[first..<first + 3].map { Light($0) }
    let measured = named.compactMap { light in
      light.spectrum.flatMap { try? Light(name: "measured", spectrum: $0) }
    }
    guard let answer = scene.answer(by: subject, under: named),
      let other = scene.answer(by: subject, under: measured)
    else { return "no answer" }
    let gains = other.gains.vector / answer.gains.vector - 1
    let rows = zip(other.matrix.elements, answer.matrix.elements).map { abs($0 - $1) }
    let change = max(pointwiseMax(gains, -gains).max(), rows.max() ?? .nan)
    return excess(change, "", over: subject.tolerance).map {
      "\(exactly(answer)) under \(named.map(\.name)), and \(exactly(other)) under their spectra: \($0)"
    }
  }
}

/// A measured camera's shots of a chart and two gray cards under black bodies, and the light for
/// which an answer is requested.
private struct Scene: Sendable {
  var sensor: MeasuredSensor
  var lights: [Double]
  var asked: SpectralDistribution { .planckian(kelvin: lights[3]) }

  static let all = zip(
    Generator<Int>.integer(in: 0...MeasuredSensor.all.count - 1, simplest: 0),
    zip(kelvins, kelvins), zip(kelvins, kelvins)
  ).map { Scene(sensor: MeasuredSensor.all[$0], lights: [$1.0, $1.1, $2.0, $2.1]) }
    .withoutEdgeCases
  private static let kelvins = Generator<Double>.number(in: 2000...10_000, simplest: 5000)

  func answer(
    by subject: CameraEstimation, exposure: Double = 1, withoutLast: Bool = false,
    under named: [Light]? = nil
  ) -> CameraEstimation.Answer? {
    func light(_ index: Int) throws -> Light {
      try named?[index]
        ?? Light(name: "\(lights[index])K", spectrum: .planckian(kelvin: lights[index]))
    }
    func card(_ index: Int) throws -> CalibrationShot {
      let light = try light(index)
      let response = sensor.response(to: light.spectrum ?? asked)
      return try CalibrationShot(light: light, response: LinearRGB(response.vector * exposure))
    }
    guard let light = try? light(0), let cards = try? [card(1)] + (withoutLast ? [] : [card(2)])
    else { return nil }
    let responses = ColorChart.classicFrom2014.patches.map { patch in
      LinearRGB(
        sensor.response(to: light.spectrum ?? asked) {
          patch.reflectance[max(380, min($0, 780))]
        }.vector * exposure)
    }
    guard let chart = try? ChartShot(light: light, responses: responses) else { return nil }
    return subject.answer(cards, [chart], asked)
  }
}
