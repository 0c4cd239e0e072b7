import CameraProfiles
import ColorScience
import WhiteBalance

/// The lights for which a camera's controls make a card neutral, according to its profile and its
/// laws.
struct StudioReach: JSONRecord, Equatable, Sendable {
  var temperature: [Double]
  var tint: [Double]
  /// The outline in x and y; for a camera with one control for both colors, the points of its line.
  var gamut: [[Double]]

  /// Returns `nil` if no light is within reach, or the profile knows no light.
  init?(_ laws: ControlLaws, _ model: CameraProfile.Model) {
    switch laws.layout {
    case .channels: self.init(channels: laws, model)
    case .path(let path): self.init(path: path, model)
    }
  }

  private init?(path: GainCurve, _ model: CameraProfile.Model) {
    let seen = path.points.compactMap { point in
      model.lights(for: Gains(red: point.red, blue: point.blue), lightClass: nil).first
    }
    let lights = seen.compactMap { TemperatureAndTint($0) }
      .filter { $0.temperature.isFinite && $0.temperature > 0 }
    guard let coldest = lights.map(\.temperature).max(),
      let warmest = lights.map(\.temperature).min(),
      let green = lights.map(\.tint).max(), let magenta = lights.map(\.tint).min()
    else { return nil }
    temperature = [warmest, coldest]
    tint = [magenta, green]
    gamut = seen.map { [$0.x, $0.y] }
  }

  private init?(channels laws: ControlLaws, _ model: CameraProfile.Model) {
    func isReached(_ light: Chromaticity) -> Bool {
      guard SpectralLocus.contains(light), let gains = model.gains(for: light, lightClass: nil)
      else {
        return false
      }
      if case .failure = model.tintLeftOut(of: light) { return false }
      return (try? laws.setting(for: gains)) != nil
    }
    func light(_ mired: Double, _ tint: Double) -> Chromaticity {
      Chromaticity(TemperatureAndTint(temperature: 1e6 / mired, tint: tint))
    }
    let places = stride(from: 40.0, through: 1000, by: 10)
    let reached = places.filter { isReached(light($0, 0)) }
    guard let first = reached.first, let last = reached.last else { return nil }
    func edge(from inside: Double, to outside: Double, _ place: (Double) -> Chromaticity) -> Double
    {
      var (inside, outside) = (inside, outside)
      if isReached(place(outside)) { return outside }
      for _ in 0..<20 {
        let middle = (inside + outside) / 2
        if isReached(place(middle)) { inside = middle } else { outside = middle }
      }
      return inside
    }
    let coldest = edge(from: first, to: max(first - 10, 40)) { light($0, 0) }
    let warmest = edge(from: last, to: min(last + 10, 1000)) { light($0, 0) }
    temperature = [1e6 / warmest, 1e6 / coldest]
    let tints = reached.map { mired in
      (
        edge(from: 0, to: -150) { light(mired, $0) }, edge(from: 0, to: 150) { light(mired, $0) }
      )
    }
    tint = [tints.map(\.0).min() ?? 0, tints.map(\.1).max() ?? 0]
    let center = light(reached[reached.count / 2], 0)
    gamut = (0..<96).map { step in
      let angle = Double(step) / 48 * Double.pi
      func place(_ distance: Double) -> Chromaticity {
        Chromaticity(
          x: center.x + distance * cosine(angle), y: center.y + distance * sine(angle))
      }
      let corner = place(edge(from: 0, to: 1, place))
      return [corner.x, corner.y]
    }
  }

  /// Returns the temperatures that a camera can be set to, if there are few.
  static func steps(_ laws: ControlLaws, _ model: CameraProfile.Model) -> [Double]? {
    guard case .path(let path) = laws.layout else { return nil }
    let control = path.control
    let values: [Int] =
      control.items.isEmpty
      ? Array(stride(from: control.minimum, through: control.maximum, by: control.step).prefix(65))
      : path.points.map(\.value)
    guard values.count <= 64 else { return nil }
    let temperatures = values.compactMap { value in
      let gains = laws.gains(at: [ControlValue(control.id, value)])
      return gains.arePositiveAndFinite
        ? model.lights(for: gains, lightClass: nil).first.flatMap { TemperatureAndTint($0) } : nil
    }.map(\.temperature).filter { $0.isFinite && $0 > 0 }
    return temperatures.isEmpty ? nil : temperatures.sorted()
  }
}
