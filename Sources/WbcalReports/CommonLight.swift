import ColorScience
import WhiteBalance

/// A well-known light for which the page lists the camera's gains.
struct CommonLight: Sendable {
  let name: String
  let light: Light
  let lightClass: LightClass

  static let illuminants = ["A", "D50", "D55", "D65", "D75", "LED-B1", "LED-B3", "FL2", "FL11"]
    .compactMap { name in
      (try? Light(named: name)).map {
        CommonLight(name: name, light: $0, lightClass: $0.impliedClass ?? .other)
      }
    }

  static let blackBodies = [2000.0, 2700, 3200, 4000, 5000, 5600, 6500, 7500, 10_000].compactMap {
    kelvin in
    (try? Light(named: "\(fixed(kelvin, decimals: 0))K")).map {
      CommonLight(name: "\(Figure.plain(kelvin, 0)) K", light: $0, lightClass: .thermal)
    }
  }
}
