import ColorScience
import WhiteBalance

/// A light's temperature in kelvin and its tint, with their standard errors, as JSON.
struct LightRecord: Encodable {
  var temperature, tint: Double
  var temperatureError, tintError: Double?

  init?(_ reading: LightReading?) {
    guard let reading, let light = reading.light, light.temperature.isFinite else { return nil }
    temperature = light.temperature
    tint = light.tint
    temperatureError = finite(reading.standardError?.temperature)
    tintError = finite(reading.standardError?.tint)
  }
}
