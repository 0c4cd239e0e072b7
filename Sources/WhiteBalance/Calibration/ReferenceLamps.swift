package import ColorScience

/// The lamps under which cameras are compared.
package enum ReferenceLamps {
  /// Returns whether a gray card can be balanced under a light: 1800…20 000 K and |Duv| ≤ 0.03.
  package static func isUsable(_ light: Chromaticity) -> Bool {
    guard let value = CorrelatedColorTemperature(light) else { return false }
    return (1800...20_000).contains(value.kelvin) && abs(value.duv) <= 0.03
  }

  /// The usable CIE illuminants except E, and the public lamps.
  static let real: [ReferenceLamp] =
    StandardIlluminant.all.compactMap { light in
      LampTechnology(light).map { ReferenceLamp(technology: $0, spectrum: light.spectrum) }
    }.filter { isUsable($0.chromaticity) } + PublicLamps.all

  package static var notCIE: [ReferenceLamp] { PublicLamps.all }

  /// The real lamps, then thermal light and daylight of many temperatures.
  static let all: [ReferenceLamp] = {
    var lamps = real
    for step in 0..<18 {
      let spectrum = SpectralDistribution.planckian(kelvin: 1800 + 100 * Double(step))
      lamps.append(ReferenceLamp(technology: .thermal, spectrum: spectrum))
    }
    for step in 0..<17 {
      let spectrum = SpectralDistribution.daylight(kelvin: 1e6 / (50 + 12.5 * Double(step)))
      guard let spectrum else { continue }
      lamps.append(ReferenceLamp(technology: .daylight, spectrum: spectrum))
    }
    return lamps
  }()
}
