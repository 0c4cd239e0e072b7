import ColorScience

extension Calibration {
  /// The camera's sensitivities, estimated from all shots of lights of known spectrum; they predict
  /// gains and colors under any other such light. `nil` if no shot's spectrum is known. Complexity:
  /// as `SensitivityEstimate.init` when it is first read, then O(1).
  public var sensitivityEstimate: SensitivityEstimate? {
    sensitivities.value {
      try? SensitivityEstimate(cards: cards.filter { $0.light.spectrum != nil }, charts: charts)
    }
  }

  /// The responses to neutral surfaces that one chart implies.
  struct ChartNeutrals {
    /// The response under the chart's own light.
    var own: CalibrationShot
    /// The responses under other lights, predicted from the sensitivities that fit the chart.
    var predicted: [CalibrationShot]
  }

  /// Illuminants that differ widely, like those of four shots of gray cards.
  private static let references = ["A", "D65", "LED-B3", "FL11"].compactMap {
    StandardIlluminant(named: $0).map { Light($0) }
  }

  static func neutrals(
    of charts: [ChartShot], prior: SensitivityPrior
  ) throws(CalibrationError) -> [ChartNeutrals] {
    var found: [ChartNeutrals] = []
    for chart in charts {
      guard let camera = try? SensitivityEstimate(charts: [chart], prior: prior),
        let own = try neutral(by: camera, under: chart.light, source: chart.source)
      else { throw .invisibleLight(chart.light.name) }
      var predicted: [CalibrationShot] = []
      for light in references where light.name != chart.light.name {
        if let shot = try neutral(by: camera, under: light, source: nil) { predicted.append(shot) }
      }
      found.append(ChartNeutrals(own: own, predicted: predicted))
    }
    return found
  }

  private static func neutral(
    by camera: SensitivityEstimate, under light: Light, source: String?
  ) throws(CalibrationError) -> CalibrationShot? {
    guard let found = light.spectrum.flatMap({ camera.gains(under: $0) }) else { return nil }
    let errors = found.covariance.standardErrors
    return try CalibrationShot(
      light: light,
      response: LinearRGB(red: 1 / found.gains.red, green: 1, blue: 1 / found.gains.blue),
      noise: max(CalibrationShot.defaultNoise, errors.red, errors.blue), source: source)
  }
}

extension Calibration: Codable {
  private enum CodingKeys: String, CodingKey { case model, shots, charts, uncertainty }

  /// Decodes a calibration; the key `charts` may be missing.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let charts = try values.decodeIfPresent([ChartShot].self, forKey: .charts) ?? []
    let shots = try values.decode([FittedShot].self, forKey: .shots)
    guard shots.count >= charts.count else {
      throw DecodingError.dataCorruptedError(
        forKey: .shots, in: values, debugDescription: "there are fewer shots than charts")
    }
    self.init(
      model: try values.decode(ClassifiedCameraModel.self, forKey: .model), shots: shots,
      charts: charts,
      uncertainty: try values.decode(GainUncertainty.self, forKey: .uncertainty))
  }

  /// Encodes the calibration; without charts it omits the key.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(model, forKey: .model)
    try values.encode(shots, forKey: .shots)
    if !charts.isEmpty { try values.encode(charts, forKey: .charts) }
    try values.encode(uncertainty, forKey: .uncertainty)
  }
}
