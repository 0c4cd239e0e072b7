import ColorScience
package import WhiteBalance

/// How far another camera's gains are from those of a calibrated one, over common lights.
package struct GainComparison: Sendable {
  struct Row: Sendable {
    let light: String
    /// By how much the other camera's gains are larger when green is equal: 0.01 is 1 %.
    let gains: (red: Double, blue: Double)?
    /// The light for which the calibrated camera needs the other's gains, minus the actual light.
    let lightError: CorrelatedColorTemperature?
  }

  let name: String
  let model: any CameraModel
  let illuminants: [Row]
  let blackBodies: [Row]

  /// A comparison with another camera; `nil` where both have gains at none of the lights.
  package init?(of calibration: Calibration, with model: any CameraModel, named name: String) {
    func row(_ light: CommonLight) -> Row {
      let (c, lightClass) = (light.chromaticity, light.lightClass)
      guard let own = calibration.gains(for: c, lightClass: lightClass)?.relativeToGreen,
        let gains = model.gains(for: c, lightClass: lightClass)
      else { return Row(light: light.name, gains: nil, lightError: nil) }
      let other = gains.relativeToGreen
      let seen = calibration.chromaticity(for: gains, lightClass: lightClass)
        .flatMap { CorrelatedColorTemperature($0) }
      let there = CorrelatedColorTemperature(c)
      return Row(
        light: light.name, gains: (other.red / own.red - 1, other.blue / own.blue - 1),
        lightError: seen.flatMap { seen in
          there.map {
            CorrelatedColorTemperature(mired: seen.mired - $0.mired, duv: seen.duv - $0.duv)
          }
        })
    }
    illuminants = CommonLight.illuminants.map(row)
    blackBodies = CommonLight.blackBodies.map(row)
    guard (illuminants + blackBodies).contains(where: { $0.gains != nil }) else { return nil }
    self.name = name
    self.model = model
  }

  /// The largest difference of a gain, without sign.
  var largest: Double {
    (illuminants + blackBodies).compactMap(\.gains).map { max(abs($0.red), abs($0.blue)) }.max()
      ?? .nan
  }
}
