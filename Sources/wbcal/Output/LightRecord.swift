import ColorScience
import WhiteBalance

/// A light's temperature in kelvin and its tint, if known, with their standard errors, as JSON.
struct LightRecord: JSONRecord {
  var temperature: Double
  var tint: Double?
  var temperatureError, tintError: Double?

  init?(_ reading: LightReading?) {
    guard let reading, let light = reading.light, light.temperature.isFinite else { return nil }
    temperature = light.temperature
    tint = reading.tint
    temperatureError = finite(reading.standardError?.temperature)
    tintError = finite(reading.standardError?.tint)
  }
}
