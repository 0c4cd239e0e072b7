public import ColorScience

/// A gray card photographed under a known light.
public struct CalibrationShot: Hashable, Sendable, Codable {
  /// The light on the card.
  public let light: Light
  /// The class of the light, if it was given.
  public let lightClass: LightClass?
  /// The camera's linear red, green and blue, with the black level subtracted, before any gain;
  /// only ratios matter.
  public let response: LinearRGB
  /// The standard deviation of the logarithms of the response's ratios: 0.005 is 0.5 %.
  public let noise: Double
  /// The source of the response, such as the name of a file.
  public let source: String?

  /// The noise of a shot whose noise is unknown: cards are not quite neutral, and some stray light
  /// always falls on them.
  public static let defaultNoise = 0.003

  /// Creates a shot.
  ///
  /// - Throws: `CalibrationError.response` unless every channel is positive and finite, `.noise` if
  ///   the noise is negative or not finite.
  public init(
    light: Light, response: LinearRGB, lightClass: LightClass? = nil,
    noise: Double = Self.defaultNoise, source: String? = nil
  ) throws(CalibrationError) {
    guard response.isPositive else { throw .response(light: light.name, response) }
    guard noise >= 0, noise.isFinite else { throw .noise(light: light.name, noise) }
    self.noise = noise
    self.light = light
    self.response = response
    self.lightClass = lightClass
    self.source = source
  }

  /// The given class, or the one that the light's name implies.
  public var knownClass: LightClass? { lightClass ?? light.impliedClass }

  private enum CodingKeys: String, CodingKey {
    case light
    case lightClass = "class"
    case response, noise, source
  }

  /// Decodes and checks a shot.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    try self.init(
      light: values.decode(Light.self, forKey: .light),
      response: values.decode(LinearRGB.self, forKey: .response),
      lightClass: values.decodeIfPresent(LightClass.self, forKey: .lightClass),
      noise: values.decodeIfPresent(Double.self, forKey: .noise) ?? Self.defaultNoise,
      source: values.decodeIfPresent(String.self, forKey: .source))
  }
}
