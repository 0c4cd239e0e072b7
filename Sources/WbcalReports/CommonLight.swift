import ColorScience
import WhiteBalance

/// A well-known light for which the page lists the camera's gains.
struct CommonLight: Sendable {
  let name: String
  let chromaticity: Chromaticity
  let lightClass: LightClass

  static let illuminants = ["A", "D50", "D55", "D65", "D75", "LED-B1", "LED-B3", "FL2", "FL11"]
    .compactMap { name in
      (try? Light(named: name)).map {
        CommonLight(
          name: name, chromaticity: $0.chromaticity, lightClass: $0.impliedClass ?? .other)
      }
    }

  static let blackBodies = [2000.0, 2700, 3200, 4000, 5000, 5600, 6500, 7500, 10_000].map {
    CommonLight(
      name: "\(Figure.plain($0, 0)) K",
      chromaticity: Chromaticity(TemperatureAndTint(temperature: $0, tint: 0)),
      lightClass: .thermal)
  }
}
