import ColorScience

extension ChartShot: Codable {
  private enum CodingKeys: String, CodingKey {
    case light, edition, patches, columns, responses, source
  }

  private struct Patch: Codable {
    var name: String
    var first, step: Double
    var reflectances: [Double]
  }

  /// Decodes and checks a shot.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let chart: ColorChart
    if let name = try values.decodeIfPresent(String.self, forKey: .edition) {
      guard let edition = ColorChart.Edition(rawValue: name) else {
        throw DecodingError.dataCorruptedError(
          forKey: .edition, in: values, debugDescription: "there is no edition '\(name)'")
      }
      chart = ColorChart(edition)
    } else {
      let patches = try values.decode([Patch].self, forKey: .patches)
      let columns = try values.decode(Int.self, forKey: .columns)
      let isFair = patches.allSatisfy { $0.step > 0 && $0.step.isFinite && $0.first.isFinite }
      guard isFair, columns > 0, patches.count.isMultiple(of: columns) else {
        throw DecodingError.dataCorruptedError(
          forKey: .patches, in: values,
          debugDescription: "rows have unequal lengths, or wavelengths do not increase")
      }
      chart = try ColorChart(
        patches: patches.map {
          ColorChart.Patch(
            name: $0.name,
            reflectance: SpectralDistribution(
              first: $0.first, step: $0.step, values: $0.reflectances))
        }, columns: columns)
    }
    try self.init(
      light: values.decode(Light.self, forKey: .light),
      responses: values.decode([LinearRGB?].self, forKey: .responses), chart: chart,
      source: values.decodeIfPresent(String.self, forKey: .source))
  }

  /// Encodes the shot; its chart by the name of its edition, or otherwise by its reflectances.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(light, forKey: .light)
    if let edition = ColorChart.Edition.allCases.first(where: { ColorChart($0) == chart }) {
      try values.encode(edition.rawValue, forKey: .edition)
    } else {
      let patches = chart.patches.map {
        Patch(
          name: $0.name, first: $0.reflectance.firstWavelength, step: $0.reflectance.step,
          reflectances: $0.reflectance.values)
      }
      try values.encode(patches, forKey: .patches)
      try values.encode(chart.columns, forKey: .columns)
    }
    try values.encode(responses, forKey: .responses)
    try values.encodeIfPresent(source, forKey: .source)
  }
}
