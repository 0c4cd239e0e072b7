import Testing

@testable import CameraProfiles

/// The derivatives of the forward model, on which the fit's steps and stated errors depend.
struct ModelPredictionTests {
  static let families: [ModelFamily] = [
    ModelFamily(law: .curve, mixing: .matrix),
    ModelFamily(law: .line, mixing: .none),
    ModelFamily(law: .power, mixing: .matrix, traits: [.crosstalk, .exposurePower, .hue]),
    ModelFamily(law: .curve, mixing: .saturation, traits: [.deadEnds, .lumaSaturation]),
    ModelFamily(law: .reciprocal, mixing: .matrix, traits: [.stairs]),
  ]

  /// Each derivative equals the central difference, within 0.05 % of the largest; those by dead
  /// ends, which are differences around a sharp corner, within 0.5 %.
  @Test(arguments: families) func derivativesAreDifferences(family: ModelFamily) throws {
    for name in ["03", "24"] {
      let camera = try #require(LabCamera.all.first { $0.name == name })
      var looks = LookTable(camera.controls)
      for look in camera.looks(12) { looks.append(look) }
      for cause in [nil, LookCause.drift, .change(at: 6), .returned(at: 6)] {
        let model = ForwardModel(
          camera.controls, family: family, lamps: 2, values: looks.values,
          cause: cause)
        check(model, looks)
      }
    }
  }

  private func check(_ model: ForwardModel, _ looks: LookTable) {
    var parameters = model.mean
    for law in model.layout.laws { parameters[law] = 1.3 }
    for place in model.free { parameters[place] += 0.05 * model.deviation[place] }
    var prediction = ModelPrediction(model, looks)
    prediction.differentiate(parameters)
    let jacobian = prediction.jacobian
    for (index, place) in model.free.enumerated() {
      var changed = parameters
      changed[place] += 1e-5
      prediction.predict(changed)
      let more = prediction.codes
      changed[place] -= 2e-5
      prediction.predict(changed)
      let differences = more.indices.map { (more[$0] - prediction.codes[$0]) / 2e-5 }
      let largest = differences.map(abs).max() ?? 0
      let isEnd = [ParameterLayout.lowerEnd, ParameterLayout.upperEnd].contains(place)
      for row in differences.indices {
        let error = abs(jacobian[index * differences.count + row] - differences[row])
        #expect(error <= (isEnd ? 5e-3 : 5e-4) * largest + 5e-4, "parameter \(place), row \(row)")
      }
    }
  }
}
