public import ColorScience

/// A color chart photographed under a light of known spectrum.
public struct ChartShot: Hashable, Sendable {
  /// The light on the chart.
  public let light: Light
  /// The chart, with its reflectances.
  public let chart: ColorChart
  /// The camera's linear red, green and blue of each patch, in the order of the chart's patches,
  /// with the black level subtracted, before any gain, on any common scale; `nil` for a patch that
  /// is clipped or hidden.
  public let responses: [LinearRGB?]
  /// The source of the responses, such as the name of a file.
  public let source: String?

  /// The smallest number of usable patches in a shot.
  public static let fewestPatches = 6

  /// The smallest range of ln(red/green) or of ln(blue/green) over the patches of a chart.
  static let leastColorRange = 0.1

  /// Creates a shot.
  ///
  /// - Throws: `SensitivityError.spectrumUnknown` if only the chromaticity of the light is known,
  ///   `.patchCount` if responses and patches differ in number, `.patch` for the first patch of
  ///   which a channel is not positive and finite, `.tooFewPatches` if fewer than `fewestPatches`
  ///   are not `nil`, `.noColors` if their ratios of channels differ by less than
  ///   `leastColorRange`.
  public init(
    light: Light, responses: [LinearRGB?], chart: ColorChart = .classicFrom2014,
    source: String? = nil
  ) throws(SensitivityError) {
    guard light.spectrum != nil else { throw .spectrumUnknown(light: light.name) }
    guard responses.count == chart.patches.count else {
      throw .patchCount(light: light.name, expected: chart.patches.count, found: responses.count)
    }
    for (patch, response) in zip(chart.patches, responses) {
      if let response, !response.isPositive {
        throw .patch(light: light.name, patch: patch.name, response)
      }
    }
    let seen = responses.count { $0 != nil }
    guard seen >= Self.fewestPatches else {
      throw .tooFewPatches(light: light.name, found: seen)
    }
    let ratios = responses.compactMap { $0?.logRatios }
    let ranges = [ratios.map(\.x), ratios.map(\.y)].map { $0.max()! - $0.min()! }
    guard ranges.contains(where: { $0 >= Self.leastColorRange }) else {
      throw .noColors(light: light.name)
    }
    self.light = light
    self.responses = responses
    self.chart = chart
    self.source = source
  }

  /// The shot with other responses, or under another light.
  func with(light: Light? = nil, responses: [LinearRGB?]? = nil) -> ChartShot? {
    try? ChartShot(
      light: light ?? self.light, responses: responses ?? self.responses, chart: chart,
      source: source)
  }
}
