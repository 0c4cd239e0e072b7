public import ColorScience

/// A gray card, photographed under a known light.
public struct CalibrationShot: Hashable, Sendable, Codable {
  /// The light on the card.
  public let light: Light
  /// The kind of the light, where it is known.
  public let lightClass: LightClass?
  /// The camera's linear red, green, blue, black subtracted, before any gain; only ratios matter.
  public let response: LinearRGB
  /// Standard deviation of the response's ratios, as logarithms: 0.005 is 0.5 %.
  public let noise: Double
  /// Where the response comes from, such as a file's name.
  public let source: String?

  /// The noise of a shot of which nothing is known: a card that is not quite neutral, stray light.
  public static let usualNoise = 0.003

  /// A shot whose response has been checked.
  ///
  /// - Throws: `CalibrationError.response` unless every channel is positive and finite, `.noise`
  ///   where the noise is negative or not finite.
  public init(
    light: Light, response: LinearRGB, lightClass: LightClass? = nil,
    noise: Double = Self.usualNoise, source: String? = nil
  ) throws(CalibrationError) {
    guard response.isPositive else { throw .response(light: light.name, response) }
    guard noise >= 0, noise.isFinite else { throw .noise(light: light.name, noise) }
    self.noise = noise
    self.light = light
    self.response = response
    self.lightClass = lightClass
    self.source = source
  }

  /// The class as given, or else as the light's name tells.
  public var knownClass: LightClass? { lightClass ?? light.impliedClass }

  private enum CodingKeys: String, CodingKey {
    case light
    case lightClass = "class"
    case response
    case noise
    case source
  }

  /// Decodes and checks a shot.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    try self.init(
      light: values.decode(Light.self, forKey: .light),
      response: values.decode(LinearRGB.self, forKey: .response),
      lightClass: values.decodeIfPresent(LightClass.self, forKey: .lightClass),
      noise: values.decodeIfPresent(Double.self, forKey: .noise) ?? Self.usualNoise,
      source: values.decodeIfPresent(String.self, forKey: .source))
  }
}
